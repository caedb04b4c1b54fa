import { beforeEach, describe, expect, test } from 'vitest';
import { DomainError } from '#domain/errors.ts';
import type { IdentityProvider } from '#domain/ports/identity-provider.ts';
import { type HeldToken, renewToken } from '#domain/use-cases/renew-token.ts';
import { signIn } from '#domain/use-cases/sign-in.ts';
import { signInCredentials as credentials, makeSignInDeps, operator } from '#test/support/builders/sign-in-deps.ts';

const now = Date.UTC(2026, 10, 21, 12);
const hourMs = 3_600_000;
const held: HeldToken = { email: operator.email, userId: '7', schema: 'plant', database: 'series', authTime: now / 1000 };

describe('renewToken', () => {
	let made: ReturnType<typeof makeSignInDeps>;

	beforeEach(async () => {
		made = makeSignInDeps();
		await made.deps.users.put(operator);
		await signIn(made.deps, credentials, '203.0.113.7', now);
		made.calls.length = 0;
	});

	const renewAt = (at: number, token: Partial<HeldToken> = {}) => renewToken(made.deps, { ...held, ...token }, at);
	const lifetimes = () => made.signed.map(({ iat, exp, auth_time, session_exp }) => [iat, exp, auth_time, session_exp]);

	test('issues a token of the same person, tenant and session, and asks the identity provider again', async () => {
		expect(await renewAt(now + hourMs / 2)).toEqual({ token: 'token', user: operator, role: 'engineer' });
		const [first, second] = made.signed;
		expect(second).toEqual({ ...first, iat: now / 1000 + 1800, exp: now / 1000 + 5400, jti: expect.any(String) });
		expect(second?.jti).not.toBe(first?.jti);
		expect(made.calls.sort()).toEqual(['getUser 7', 'products 7 3', 'schemas 3 5']);
	});

	test('issues no token that outlives the session, and none after it', async () => {
		const end = now / 1000 + 43_200;
		await renewAt(now + 11.5 * hourMs);
		await renewAt(now + 12 * hourMs - 1);
		expect(lifetimes().slice(1)).toEqual([
			[end - 1800, end, now / 1000, end],
			[end - 1, end, now / 1000, end],
		]);
		made.calls.length = 0;
		await expect(renewAt(now + 12 * hourMs)).rejects.toMatchObject({ code: 'session_ended', payload: {} });
		expect(made.calls).toEqual([]);
	});

	test.each<[string, Partial<IdentityProvider>]>([
		['the user is gone', { getUser: async () => null }],
		['the user has another e-mail', { getUser: async () => ({ email: 'other@plant.example', token_apps: 'secret' }) }],
		['no application may sign in as the user', { getUser: async () => ({ email: operator.email, token_apps: null }) }],
		['the product is gone', { listProductxUserxClient: async () => [{ id_product: 6 }] }],
		['the schema is gone', { getSchemaProduct: async () => [] }],
	])('refuses when %s', async (_, answers) => {
		Object.assign(made.provider, answers);
		await expect(renewAt(now + 1)).rejects.toMatchObject({ code: 'renewal_refused', payload: {} });
		expect(made.signed).toHaveLength(1);
	});

	test.each<[string, Partial<HeldToken>]>([
		['another user has the e-mail now', { userId: '8' }],
		['the user was removed', { email: 'nobody@plant.example' }],
		['the token names another schema', { schema: 'other' }],
		['the token names another database', { database: 'other' }],
	])('refuses when %s', async (_, token) => {
		await expect(renewAt(now + 1, token)).rejects.toMatchObject({ code: 'renewal_refused' });
	});

	test.each(['schema', 'database'] as const)('refuses when the %s belongs to another client now', async (kind) => {
		await made.deps.owners.set({ kind, name: kind === 'schema' ? 'plant' : 'series', clientId: 4 });
		await expect(renewAt(now + 1)).rejects.toMatchObject({ code: 'renewal_refused' });
	});

	describe('while the identity provider is down', () => {
		const failed = new DomainError('dependency_failed', { dependency: 'identityProvider', cause: 'status 503', isDown: true });
		const slow = new DomainError('dependency_slow', { dependency: 'identityProvider', cause: 'over 3000 ms' });
		const nobody: IdentityProvider = {
			getUser: () => Promise.reject(slow),
			getSchemaProduct: () => Promise.reject(failed),
			listProductxUserxClient: () => Promise.reject(failed),
		};

		test('issues a token with the role of now, until the session ends, and tells the operator', async () => {
			Object.assign(made.provider, nobody);
			await made.deps.people.noteSignIn('plant', operator.email, 'viewer', now);
			expect(await renewAt(now + 11.5 * hourMs)).toMatchObject({ token: 'token', user: operator });
			const end = now / 1000 + 43_200;
			expect(lifetimes()[1]).toEqual([end - 1800, end, now / 1000, end]);
			expect(new Set(made.outages)).toEqual(new Set([slow, failed]));
			await expect(renewAt(now + 12 * hourMs)).rejects.toMatchObject({ code: 'session_ended' });
		});

		test.each<[string, Partial<IdentityProvider>]>([
			['the user is gone', { getUser: async () => null }],
			['no application may sign in as the user', { getUser: async () => ({ email: operator.email, token_apps: null }) }],
			['the product is gone', { listProductxUserxClient: async () => [] }],
			['the schema is gone', { getSchemaProduct: async () => [] }],
		])('refuses when the one call that is answered says that %s', async (_, answers) => {
			Object.assign(made.provider, nobody, answers);
			await expect(renewAt(now + 1)).rejects.toMatchObject({ code: 'renewal_refused' });
			expect(made.signed).toHaveLength(1);
		});

		test.each<[string, Partial<HeldToken>]>([
			['another user has the e-mail now', { userId: '8' }],
			['the user was removed', { email: 'nobody@plant.example' }],
			['the token names another schema', { schema: 'other' }],
		])('refuses when %s', async (_, token) => {
			Object.assign(made.provider, nobody);
			await expect(renewAt(now + 1, token)).rejects.toMatchObject({ code: 'renewal_refused' });
		});

		test('refuses when the schema belongs to another client now', async () => {
			Object.assign(made.provider, nobody);
			await made.deps.owners.set({ kind: 'schema', name: 'plant', clientId: 4 });
			await expect(renewAt(now + 1)).rejects.toMatchObject({ code: 'renewal_refused' });
		});

		test('signs nobody in', async () => {
			Object.assign(made.provider, nobody);
			await expect(signIn(made.deps, credentials, '203.0.113.7', now)).rejects.toMatchObject({ code: 'dependency_slow' });
			expect(made.signed).toHaveLength(1);
		});
	});

	test('passes on that the identity provider refuses the service’s own token: the token that is held stays as it is', async () => {
		made.provider.getUser = () =>
			Promise.reject(
				new DomainError('dependency_failed', { dependency: 'identityProvider', cause: 'status 401', isDown: false }),
			);
		await expect(renewAt(now + 1)).rejects.toMatchObject({ code: 'dependency_failed' });
	});
});
