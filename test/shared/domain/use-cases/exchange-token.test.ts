import { beforeEach, describe, expect, test } from 'vitest';
import { digest } from '#adapters/session-ids.ts';
import { DomainError } from '#domain/errors.ts';
import { openIdPersonId, programId } from '#domain/identity/subject.ts';
import { exchangeToken } from '#domain/use-cases/exchange-token.ts';
import { makeOpenIdDeps, makeProvider } from '#test/support/builders/openid-deps.ts';

const now = Date.UTC(2026, 10, 28, 12);

describe('exchangeToken', () => {
	let made: ReturnType<typeof makeOpenIdDeps>;
	const begin = (settings: Readonly<Record<string, unknown>>) => {
		made = makeOpenIdDeps(now, [makeProvider({ audiences: ['caudal'], clientId: undefined, ...settings })]);
	};
	beforeEach(() => begin({}));
	const exchange = (schema: string | null = null, scope = '') =>
		exchangeToken(made.deps, { subjectToken: 'jwt', schema, scope }, '203.0.113.7', now);

	test('gives a token of the person that ends with the one that was sent', async () => {
		await made.grant();
		made.answers.claims = { sub: 'ada', groups: ['ops'], exp: now / 1000 + 600 };
		expect(await exchange()).toEqual({ token: 'token-1', expiresInSeconds: 600, scope: 'service' });
		const person = openIdPersonId(digest, 'https://idp.example', 'ada');
		expect(made.signed[0]).toMatchObject({
			sub: person,
			schema: 'plant_a',
			exp: now / 1000 + 600,
			session_exp: now / 1000 + 600,
		});
		expect(made.calls).toEqual(['grants', 'person', 'session', 'tell', 'sign']);
		expect(await made.tokens.find(made.signed[0]?.sid ?? '')).toBeNull();
	});

	test('a program acts as one, has no row of a person, and is never an administrator', async () => {
		begin({ actors: 'programs' });
		await made.grant({ where: { repository_id: '456789' }, role: 'administrator' });
		made.answers.claims = { sub: 'repo:plant/deploy:ref:refs/heads/main', repository_id: 456789 };
		expect(await exchange()).toMatchObject({ scope: 'service' });
		const program = programId(digest, 'https://idp.example', 'repo:plant/deploy:ref:refs/heads/main');
		expect(made.signed[0]).toMatchObject({ sub: program, name: 'repo:plant/deploy:ref:refs/heads/main (entra)' });
		const [session] = await made.sessions.listOf(program);
		expect(session?.tenants).toEqual([{ schema: 'plant_a', database: 'series_a', owner: 3, role: 'engineer' }]);
		expect(await made.people.list('plant_a')).toEqual([]);
		expect(made.told).toEqual([['plant_a', program, null]]);
	});

	test('names the tenant where there are several', async () => {
		await made.grant();
		await made.grant({ schema: 'plant_b', database: 'series_b', role: 'viewer' });
		expect(await exchange()).toEqual({ error: 'invalid_target' });
		expect(await exchange('plant_c')).toEqual({ error: 'invalid_target' });
		expect(await exchange('plant_b')).toMatchObject({ scope: 'read' });
		expect(await exchange('plant_b', 'service')).toEqual({ error: 'invalid_scope' });
		expect(await exchange('plant_a', 'read')).toMatchObject({ scope: 'read' });
	});

	test('refuses what is not verified before any row is read, and passes faults on', async () => {
		await made.grant();
		made.answers.verify = () => Promise.reject(new DomainError('sign_in_refused', { cause: 'x' }));
		expect(await exchange()).toEqual({ error: 'invalid_request', cause: expect.any(String) });
		expect(made.calls).toEqual([]);
		made.answers.verify = () =>
			Promise.reject(new DomainError('dependency_failed', { dependency: 'openIdProvider', cause: 'x' }));
		await expect(exchange()).rejects.toMatchObject({ code: 'dependency_failed' });
	});

	test('nobody without a grant gets a token or a session', async () => {
		await made.grant({ where: { groups: 'others' } });
		expect(await exchange()).toEqual({ error: 'invalid_target' });
		expect(made.calls).toEqual(['grants']);
	});
});
