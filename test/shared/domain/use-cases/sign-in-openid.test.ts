import { beforeEach, describe, expect, test } from 'vitest';
import { digest, sessionIds } from '#adapters/session-ids.ts';
import { DomainError } from '#domain/errors.ts';
import { openIdPersonId } from '#domain/identity/subject.ts';
import { signInOpenId } from '#domain/use-cases/sign-in-openid.ts';
import { makeOpenIdDeps, makeProvider, sentCode } from '#test/support/builders/openid-deps.ts';

const now = Date.UTC(2026, 10, 28, 12);
const source = '203.0.113.7';
const ada = openIdPersonId(digest, 'https://idp.example', 'ada');

describe('signInOpenId', () => {
	let made: ReturnType<typeof makeOpenIdDeps>;
	beforeEach(() => {
		made = makeOpenIdDeps(now);
	});
	const signIn = (sent: Partial<typeof sentCode> = {}) => signInOpenId(made.deps, { ...sentCode, ...sent }, source, now);

	test('gives a token of the tenant, without an e-mail, after everything else is stored and told', async () => {
		await made.grant();
		const { token, role, tenant, tenants, person } = await signIn();
		expect({ token, role, person: person.person, name: person.name }).toEqual({
			token: 'token-1',
			role: 'engineer',
			person: ada,
			name: 'ada@plant.example (entra)',
		});
		expect(tenants).toEqual([tenant]);
		const [claims] = made.signed;
		expect(claims).toEqual({
			iss: 'https://issuer',
			aud: 'aud',
			sub: ada,
			name: 'ada@plant.example (entra)',
			sid: expect.stringMatching(/^[\w-]{43}$/),
			schema: 'plant_a',
			tsdb: 'series_a',
			client: '3',
			scope: 'service',
			iat: now / 1000,
			exp: now / 1000 + 3600,
			auth_time: now / 1000,
			session_exp: now / 1000 + 43_200,
			jti: expect.any(String),
		});
		expect(made.calls).toEqual(['redeem', 'verifyIdToken', 'grants', 'person', 'tokens', 'session', 'tell', 'sign']);
		expect(made.told).toEqual([['plant_a', ada, null]]);
		expect(await made.people.find('plant_a', ada)).toMatchObject({
			role: 'viewer',
			openId: { name: 'ada@plant.example (entra)', provider: 'entra', granted: 'engineer' },
		});
	});

	test.each(['redeem', 'verifyIdToken', 'grants', 'person', 'tokens', 'session', 'tell'] as const)(
		'gives no token where the step %s fails',
		async (step) => {
			await made.grant();
			const fail = () => Promise.reject(new DomainError('store_failed', { cause: 'x' }));
			const steps = {
				redeem: () => Object.assign(made.deps.openId, { redeem: fail }),
				verifyIdToken: () => Object.assign(made.deps.openId, { verifyIdToken: fail }),
				grants: () => Object.assign(made.deps.grants, { list: fail }),
				person: () => Object.assign(made.deps.people, { noteOpenIdSignIn: fail }),
				tokens: () => Object.assign(made.deps.sessionTokens, { put: fail }),
				session: () => Object.assign(made.deps.openIdSessions, { create: fail }),
				tell: () => Object.assign(made.deps, { tell: fail }),
			};
			steps[step]();
			await expect(signIn()).rejects.toMatchObject({ code: 'store_failed' });
			expect(made.signed).toEqual([]);
			expect(made.calls).not.toContain('sign');
		},
	);

	test('takes the tenant that is asked for, else the first by name; tells all', async () => {
		await made.grant({ schema: 'plant_b', database: 'series_b', role: 'viewer' });
		await made.grant();
		expect((await signIn()).tenant.schema).toBe('plant_a');
		const other = await signIn({ schemaName: 'plant_b', tsdb_name: 'series_b' });
		expect(other).toMatchObject({ role: 'viewer', tenant: { schema: 'plant_b' } });
		expect(other.tenants.map(({ schema }) => schema)).toEqual(['plant_a', 'plant_b']);
		expect(made.signed.map(({ schema, scope }) => [schema, scope])).toEqual([
			['plant_a', 'service'],
			['plant_b', 'read'],
		]);
		expect((await signIn({ schemaName: 'plant_c' })).tenant.schema).toBe('plant_a');
	});

	test('takes the tenant that is asked for also where there are 51', async () => {
		for (let index = 0; index < 50; index += 1) await made.grant({ schema: `plant_${String(index).padStart(2, '0')}` });
		await made.grant({ schema: 'plant_z', database: 'series_z' });
		const { tenant, tenants } = await signIn({ schemaName: 'plant_z' });
		expect([tenant.schema, tenants.length]).toEqual(['plant_z', 51]);
		const [session] = await made.sessions.listOf(ada);
		expect(session?.tenants.at(-1)?.schema).toBe('plant_z');
	});

	test('the role is the higher one of the grants and of the row', async () => {
		await made.grant({ role: 'operator' });
		await made.grant({ where: { groups: 'ops', sub: 'ada' }, role: 'engineer' });
		expect((await signIn()).role).toBe('engineer');
		await made.people.setRole('plant_a', ada, 'administrator', {
			origin: { actor: { kind: 'tool', id: 't', name: 't' }, via: 'tool', requestId: '' },
			at: now,
			session: null,
		});
		expect((await signIn()).role).toBe('administrator');
	});

	test('nobody is in without a grant, and reads what an administrator must know, of grants nothing', async () => {
		await made.grant({ where: { groups: 'secret-group', hd: 'plant.example' } });
		made.answers.claims = { sub: 'eve', groups: ['a', 'b'.repeat(200)], email: 'ada@plant.example', salary: 3 };
		const error = await signIn().catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({
			code: 'no_grant',
			payload: { provider: 'entra', claims: { groups: ['a', 'b'.repeat(100)], hd: [] } },
		});
		expect(JSON.stringify(error)).not.toMatch(/secret-group|plant\.example|salary/);
		expect(made.calls).toEqual(['redeem', 'verifyIdToken', 'grants']);
	});

	test('says that the groups are elsewhere', async () => {
		await made.grant();
		made.answers.claims = { sub: 'ada', _claim_names: { groups: 'src1' } };
		await expect(signIn()).rejects.toMatchObject({ code: 'groups_not_in_token' });
		made.answers.claims = { sub: 'ada', hasgroups: true };
		await expect(signIn()).rejects.toMatchObject({ code: 'groups_not_in_token' });
	});

	test('a person with the e-mail of another has none of its rights', async () => {
		await made.people.noteSignIn('plant_a', 'ada@plant.example', 'administrator', now);
		await made.grant({ role: 'viewer' });
		expect((await signIn()).role).toBe('viewer');
		made.answers.claims = {
			sub: 'ADA',
			groups: ['ops'],
			email: 'ada@plant.example',
			email_verified: false,
			name: 'ada@plant.example',
		};
		const other = await signIn();
		expect(other.person.person).not.toBe(ada);
		expect(other.person.name).toBe('ada at plant.example (entra)');
	});

	test('the tenant of another owner counts as no grant, and the operator is told', async () => {
		await made.grant();
		await made.owners.set({ kind: 'database', name: 'series_a', clientId: 4 });
		await expect(signIn()).rejects.toMatchObject({ code: 'no_grant' });
		expect(made.refusals).toEqual([{ reason: 'owned_by_another_client', schema: 'plant_a', database: 'series_a', clientId: 3 }]);
	});

	test('joins the claims of userinfo, and keeps those of the ID token', async () => {
		made = makeOpenIdDeps(now, [makeProvider({ userinfo: true })]);
		await made.grant();
		made.answers.claims = { sub: 'ada' };
		made.answers.userinfo = { sub: 'ada', groups: ['ops'], name: 'Ada' };
		expect((await signIn()).person.name).toBe('Ada (entra)');
		made.answers.claims = { sub: 'ada', groups: [] };
		await expect(signIn()).rejects.toMatchObject({ code: 'no_grant' });
	});

	test('whether an e-mail is verified is said by who says the e-mail', async () => {
		made = makeOpenIdDeps(now, [makeProvider({ userinfo: true })]);
		await made.grant({ where: { email: 'boss@plant.example' } });
		made.answers.claims = { sub: 'eve', email: 'boss@plant.example' };
		made.answers.userinfo = { sub: 'eve', email: 'eve@plant.example', email_verified: true };
		await expect(signIn()).rejects.toMatchObject({ code: 'no_grant' });
		made.answers.claims = { sub: 'eve', email_verified: true };
		made.answers.userinfo = { sub: 'eve', email: 'boss@plant.example' };
		await expect(signIn()).rejects.toMatchObject({ code: 'no_grant' });
		made.answers.userinfo = { sub: 'eve', email: 'boss@plant.example', email_verified: true };
		expect((await signIn()).person.name).toBe('boss@plant.example (entra)');
	});

	test('without a refresh token the session ends with its token, and the log says why', async () => {
		await made.grant();
		made.answers.redeem = async () => ({ idToken: 'id', accessToken: 'a', refreshToken: null });
		await signIn();
		expect(made.signed[0]?.session_exp).toBe(now / 1000 + 3600);
		expect(made.withoutRefreshToken).toEqual(['entra']);
		made = makeOpenIdDeps(now, [makeProvider({ recheck: 'none' })]);
		await made.grant();
		await signIn();
		expect(made.signed[0]?.session_exp).toBe(now / 1000 + 43_200);
		expect(await made.tokens.find(made.signed[0]?.sid ?? '')).toMatchObject({ refreshToken: null });
		expect(made.withoutRefreshToken).toEqual([]);
	});

	test('60 refusals of a source block it before the provider is asked; success and faults do not count', async () => {
		await made.grant();
		for (let attempt = 0; attempt < 70; attempt += 1) await signIn();
		made.answers.redeem = () => Promise.reject(new DomainError('dependency_slow', { dependency: 'openIdProvider', cause: 'x' }));
		for (let attempt = 0; attempt < 70; attempt += 1) await expect(signIn()).rejects.toMatchObject({ code: 'dependency_slow' });
		made.answers.redeem = async () => 'invalid_grant';
		for (let attempt = 0; attempt < 60; attempt += 1) await expect(signIn()).rejects.toMatchObject({ code: 'sign_in_refused' });
		made.calls.length = 0;
		await expect(signIn()).rejects.toMatchObject({ code: 'sign_in_blocked' });
		expect(made.calls).toEqual([]);
	});

	test('there is no sign-in with a provider that has no button, or none', async () => {
		await expect(signIn({ provider: 'other' })).rejects.toMatchObject({ code: 'no_such_provider' });
		made = makeOpenIdDeps(now, [makeProvider({ clientId: undefined, audiences: ['a'] })]);
		await expect(signIn()).rejects.toMatchObject({ code: 'no_such_provider' });
	});

	test('the session is stored under the hash of the secret of its tokens', async () => {
		await made.grant();
		await signIn();
		const sid = made.signed[0]?.sid ?? '';
		expect(await made.sessions.find(sid, now)).toBeNull();
		expect(await made.sessions.find(sessionIds.idOf(sid), now)).toMatchObject({
			person: ada,
			claims: { groups: ['ops'] },
			endsAt: now + 43_200_000,
		});
	});
});
