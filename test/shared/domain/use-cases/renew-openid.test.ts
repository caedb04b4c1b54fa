import { beforeEach, describe, expect, test } from 'vitest';
import { digest, sessionIds } from '#adapters/session-ids.ts';
import { DomainError } from '#domain/errors.ts';
import { openIdPersonId } from '#domain/identity/subject.ts';
import { exchangeToken } from '#domain/use-cases/exchange-token.ts';
import { renewOpenId } from '#domain/use-cases/renew-openid.ts';
import { signInOpenId } from '#domain/use-cases/sign-in-openid.ts';
import { signOut } from '#domain/use-cases/sign-out-openid.ts';
import { changeTo, makeOpenIdDeps, makePlantGrant, makeProvider, sentCode } from '#test/support/builders/openid-deps.ts';

/** An exchange for one plant, to read only. */
const makeExchanged = () => ({ schema: 'plant_b', scope: 'read' });

const signedInAt = Date.UTC(2026, 10, 28, 12);
const minuteMs = 60_000;
const ada = openIdPersonId(digest, 'https://idp.example', 'ada');

describe('renewOpenId', () => {
	let made: ReturnType<typeof makeOpenIdDeps>;
	let sid: string;

	/** Signs in with a provider of these settings, and lets 30 minutes pass. */
	const begin = async (settings: Readonly<Record<string, unknown>> = {}) => {
		made = makeOpenIdDeps(signedInAt, [makeProvider(settings)]);
		await made.grant();
		await made.grant({ schema: 'plant_b', database: 'series_b', role: 'viewer' });
		await signInOpenId(made.deps, sentCode, '203.0.113.7', signedInAt);
		sid = made.signed[0]?.sid ?? '';
		made.clock.now += 30 * minuteMs;
		made.calls.length = 0;
	};
	beforeEach(() => begin());

	const held = () => ({ sid, person: ada, schema: 'plant_a', database: 'series_a' });
	const renew = (asked = {}) => renewOpenId(made.deps, held(), asked);
	const session = () => made.sessions.find(sessionIds.idOf(sid), made.clock.now);

	test('gives a token of the same session, and asks provider and grants again', async () => {
		const { token, tenant, role } = await renew();
		expect({ token, schema: tenant.schema, role }).toEqual({ token: 'token-2', schema: 'plant_a', role: 'engineer' });
		const [first, second] = made.signed;
		expect(second).toEqual({
			...first,
			iat: signedInAt / 1000 + 1800,
			exp: signedInAt / 1000 + 5400,
			jti: expect.any(String),
		});
		expect(made.calls).toEqual(['refresh', 'tokens', 'verifyIdToken', 'grants', 'sign']);
		expect(await made.tokens.find(sid)).toEqual({ refreshToken: 'refresh-2', idToken: 'id-2' });
	});

	test('asks nobody within a minute of a check', async () => {
		await renew();
		made.calls.length = 0;
		made.clock.now += minuteMs - 1;
		await renew();
		expect(made.calls).toEqual(['sign']);
		made.clock.now += 1;
		await renew();
		expect(made.calls).toContain('refresh');
	});

	test('of five at once one asks, and all get tokens', async () => {
		const answers = await Promise.all(Array.from({ length: 5 }, () => renew()));
		expect(new Set(answers.map(({ token }) => token)).size).toBe(5);
		expect(made.calls.filter((call) => call === 'refresh')).toHaveLength(1);
	});

	test('waits five seconds for another renewal, then says so', async () => {
		const id = sessionIds.idOf(sid);
		const from = made.clock.now;
		expect(await made.sessions.lease(id, { by: 'other', until: from + 60_000 }, from)).not.toBe('held');
		await expect(renew()).rejects.toMatchObject({ code: 'renewal_under_way' });
		expect(made.clock.now - from).toBe(5000);
		await made.sessions.release(id, 'other');
		expect((await renew()).tenant.schema).toBe('plant_a');
	});

	test('does not ask a provider whose answer could not be stored any more, and gives the lease back', async () => {
		const late = { ...made.deps, hasTimeToRefresh: () => false };
		await expect(renewOpenId(late, held(), {})).rejects.toMatchObject({ code: 'renewal_under_way' });
		expect([made.calls, await made.tokens.find(sid)]).toEqual([[], { refreshToken: 'refresh-1', idToken: 'id-1' }]);
		expect((await renew()).tenant.schema).toBe('plant_a');
	});

	test('gives no token that outlives the session, and none after it', async () => {
		made.clock.now = signedInAt + 43_200_000 - 1000;
		await renew();
		expect(made.signed[1]?.exp).toBe(signedInAt / 1000 + 43_200);
		made.clock.now += 1000;
		await expect(renew()).rejects.toMatchObject({ code: 'session_ended' });
	});

	test('the provider refuses: the session ends', async () => {
		made.answers.refresh = async () => 'invalid_grant';
		await expect(renew()).rejects.toMatchObject({ code: 'session_ended' });
		expect(await session()).toBeNull();
		expect(await made.tokens.find(sid)).toBeNull();
	});

	test('the provider refuses the service: the held token stays valid, and the next renewal may ask at once', async () => {
		made.answers.refresh = () =>
			Promise.reject(new DomainError('dependency_failed', { dependency: 'openIdProvider', cause: 'invalid_client' }));
		await expect(renew()).rejects.toMatchObject({ code: 'dependency_failed' });
		expect(made.outages).toEqual([]);
		made.answers.refresh = async () => ({ idToken: 'id', accessToken: 'a', refreshToken: null });
		expect((await renew()).tenant.schema).toBe('plant_a');
		// A provider without rotation: the held refresh token stays.
		expect(await made.tokens.find(sid)).toEqual({ refreshToken: 'refresh-1', idToken: 'id' });
	});

	describe('while the provider is down', () => {
		const failed = () =>
			new DomainError('dependency_failed', { dependency: 'openIdProvider', cause: 'ECONNREFUSED', isDown: true });
		const slow = () => new DomainError('dependency_slow', { dependency: 'openIdProvider', cause: 'over 3000 ms' });
		const down =
			(error: DomainError = failed()) =>
			() =>
				Promise.reject(error);
		const asked = () => made.calls.filter((call) => call === 'refresh').length;
		beforeEach(() => {
			made.answers.refresh = down();
		});

		test.each([
			['fails', failed()],
			['is slow', slow()],
		])('gives a token of what was recorded, keeps the refresh token, and tells the operator: it %s', async (_, error) => {
			made.answers.refresh = down(error);
			const before = await session();
			const { tenants, role, person } = await renew();
			expect([tenants, role, person.name]).toEqual([before?.tenants, 'engineer', 'ada@plant.example (entra)']);
			expect(made.signed.at(-1)).toEqual({
				...made.signed[0],
				iat: signedInAt / 1000 + 1800,
				exp: signedInAt / 1000 + 5400,
				jti: expect.any(String),
			});
			expect(made.calls).toEqual(['refresh', 'grants', 'sign']);
			expect(await made.tokens.find(sid)).toEqual({ refreshToken: 'refresh-1', idToken: 'id-1' });
			expect(await session()).toEqual({ ...before, checkedAt: made.clock.now, version: 2 });
			expect(made.outages).toEqual([error]);
		});

		test('asks again after a minute, and takes what the provider says then', async () => {
			await renew();
			made.clock.now += minuteMs - 1;
			await renew();
			expect(asked()).toBe(1);
			made.clock.now += 1;
			made.answers.refresh = async () => ({ idToken: 'id', accessToken: 'a', refreshToken: 'r' });
			made.answers.claims = { sub: 'ada', groups: [] };
			await expect(renew()).rejects.toMatchObject({ code: 'renewal_refused' });
			expect([asked(), await session()]).toEqual([2, null]);
		});

		test('a refresh token that the provider voided, whose answer was lost, ends the session with the provider’s no', async () => {
			await renew();
			made.clock.now += minuteMs;
			made.answers.refresh = async (refreshToken) => (refreshToken === 'refresh-1' ? 'invalid_grant' : Promise.reject(failed()));
			await expect(renew()).rejects.toMatchObject({ code: 'session_ended' });
			expect([await session(), await made.tokens.find(sid)]).toEqual([null, null]);
		});

		test('gives tokens until the session ends, and none that outlives it', async () => {
			const ends = signedInAt + 43_200_000;
			for (; made.clock.now < ends; made.clock.now += 30 * minuteMs) await renew();
			expect(made.signed.map(({ exp }) => exp)).toHaveLength(24);
			expect(Math.max(...made.signed.map(({ exp }) => exp))).toBe(ends / 1000);
			expect(new Set(made.signed.map(({ session_exp, auth_time }) => `${auth_time} ${session_exp}`)).size).toBe(1);
			await expect(renew()).rejects.toMatchObject({ code: 'session_ended' });
			expect((await made.sessions.list()).map(({ endsAt }) => endsAt)).toEqual([ends]);
		});

		test('of five at once one asks, and all get tokens', async () => {
			const answers = await Promise.all(Array.from({ length: 5 }, () => renew()));
			expect([new Set(answers.map(({ token }) => token)).size, asked(), made.outages.length]).toEqual([5, 1, 1]);
		});

		test('a grant that was removed lets nobody in', async () => {
			await made.grants.remove(makePlantGrant(), changeTo(null, signedInAt));
			await expect(renew()).rejects.toMatchObject({ code: 'no_grant' });
			made.clock.now += minuteMs;
			expect((await renew({ schemaName: 'plant_b' })).tenants.map(({ schema }) => schema)).toEqual(['plant_b']);
			const second = { schema: 'plant_b', database: 'series_b', role: 'viewer' } as const;
			await made.grants.remove(makePlantGrant(second), changeTo(null, signedInAt, makePlantGrant(second)));
			made.clock.now += minuteMs;
			await expect(renew({ schemaName: 'plant_b' })).rejects.toMatchObject({ code: 'renewal_refused' });
			expect(await session()).toBeNull();
		});

		test('a tenant of another client now is none, and a role that was taken away is gone', async () => {
			await made.owners.set({ kind: 'schema', name: 'plant_b', clientId: 4 });
			await expect(renew({ schemaName: 'plant_b' })).rejects.toMatchObject({ code: 'no_grant' });
			const lowered = makePlantGrant({ role: 'viewer' });
			await made.grants.add(lowered, changeTo(lowered, signedInAt + 1));
			made.clock.now += minuteMs;
			expect((await renew()).role).toBe('viewer');
			expect(made.signed.at(-1)).toMatchObject({ scope: 'read' });
		});

		test('a claim that was never recorded opens no tenant', async () => {
			made.answers.claims = { sub: 'ada', groups: ['ops', 'admins'] };
			await made.grant({ where: { groups: 'admins' }, schema: 'plant_c', database: 'series_c', role: 'administrator' });
			await expect(renew({ schemaName: 'plant_c' })).rejects.toMatchObject({ code: 'no_grant' });
		});

		test('a session that is ended meanwhile gets no token', async () => {
			made.answers.refresh = async () => {
				await made.sessions.remove(sessionIds.idOf(sid));
				throw failed();
			};
			await expect(renew()).rejects.toMatchObject({ code: 'session_ended' });
			expect([made.signed.length, await made.tokens.find(sid)]).toEqual([1, null]);
		});

		test('a new refresh token is kept where only the keys are down', async () => {
			made.answers.refresh = async () => ({ idToken: 'new', accessToken: 'a', refreshToken: 'r' });
			made.answers.verify = down();
			expect((await renew()).tenants).toHaveLength(2);
			expect([await made.tokens.find(sid), made.outages.length]).toEqual([{ refreshToken: 'r', idToken: 'new' }, 1]);
		});

		test('where only the keys are down, what userinfo says now holds', async () => {
			await begin({ userinfo: true });
			made.answers.verify = down();
			made.answers.userinfo = { sub: 'ada', groups: [] };
			await expect(renew()).rejects.toMatchObject({ code: 'renewal_refused' });
		});

		describe('at its userinfo endpoint alone', () => {
			beforeEach(async () => {
				made = makeOpenIdDeps(signedInAt, [makeProvider({ userinfo: true })]);
				await made.grant({ where: { groups: 'ops' } });
				await made.grant({ where: { 'realm_access.roles': 'lead' }, schema: 'plant_b', database: 'series_b' });
				await made.grant({ where: { email: 'ada@plant.example' }, schema: 'plant_c', database: 'series_c' });
				await made.grant({ where: { title: 'chief' }, schema: 'plant_d', database: 'series_d' });
				made.answers.claims = { sub: 'ada', name: 'Ada', title: 'chief' };
				const verifiedEmail = { email: 'ada@plant.example', email_verified: true };
				made.answers.userinfo = { sub: 'ada', groups: ['ops'], realm_access: { roles: ['lead'] }, ...verifiedEmail };
				const signedIn = await signInOpenId(made.deps, sentCode, '203.0.113.7', signedInAt);
				expect(signedIn.tenants).toHaveLength(4);
				sid = made.signed[0]?.sid ?? '';
				made.clock.now += 30 * minuteMs;
				made.answers.askUserinfo = down();
			});
			const all = ['plant_a', 'plant_b', 'plant_c', 'plant_d'];

			test.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
				['the same', { title: 'chief' }, all],
				['nothing of what only it said', {}, ['plant_a', 'plant_b', 'plant_c']],
				['that there is no group any more', { title: 'chief', groups: [] }, ['plant_b', 'plant_c', 'plant_d']],
				['that there is no role any more', { title: 'chief', realm_access: { roles: [] } }, ['plant_a', 'plant_c', 'plant_d']],
				['an e-mail that is not verified', { title: 'chief', email: 'ada@plant.example' }, ['plant_a', 'plant_b', 'plant_d']],
				['another e-mail', { title: 'chief', email: 'x@plant.example', email_verified: true }, ['plant_a', 'plant_b', 'plant_d']],
			])('the word of a new ID token holds, and the rest is as last known: %s', async (_, claims, left) => {
				made.answers.refresh = async () => ({ idToken: 'new', accessToken: 'a', refreshToken: null });
				made.answers.claims = { sub: 'ada', name: 'Ada', ...claims };
				const schemaName = left[0];
				const { tenants, person } = await renew({ schemaName });
				expect([tenants.map(({ schema }) => schema), person.name]).toEqual([left, 'ada@plant.example (entra)']);
				// It is remembered where the next renewal has no word at all.
				made.clock.now += minuteMs;
				made.answers.refresh = down();
				expect((await renew({ schemaName })).tenants.map(({ schema }) => schema)).toEqual(left);
				expect(made.outages).toHaveLength(2);
			});

			test('without a new ID token everything is as last known', async () => {
				made.answers.refresh = async () => ({ idToken: null, accessToken: 'a', refreshToken: null });
				expect((await renew()).tenants.map(({ schema }) => schema)).toEqual(all);
			});

			test('once it is back, what it does not say any more is lost, also where an ID token said it meanwhile', async () => {
				made.answers.refresh = async () => ({ idToken: 'new', accessToken: 'a', refreshToken: null });
				made.answers.claims = { sub: 'ada', name: 'Ada', title: 'chief', groups: ['ops'] };
				expect((await renew()).tenants.map(({ schema }) => schema)).toEqual(all);
				made.clock.now += minuteMs;
				made.answers.askUserinfo = async () => undefined;
				made.answers.userinfo = { sub: 'ada' };
				made.answers.refresh = async () => ({ idToken: null, accessToken: 'a', refreshToken: null });
				expect((await renew({ schemaName: 'plant_d' })).tenants.map(({ schema }) => schema)).toEqual(['plant_d']);
			});
		});
	});

	test('a verification that fails keeps the new refresh token, and the session', async () => {
		made.answers.verify = () => Promise.reject(new DomainError('sign_in_refused', { cause: 'another sub' }));
		await expect(renew()).rejects.toMatchObject({ code: 'renewal_refused' });
		expect(await made.tokens.find(sid)).toMatchObject({ refreshToken: 'refresh-2' });
		made.answers.verify = async () => undefined;
		expect((await renew()).tenant.schema).toBe('plant_a');
	});

	test('who leaves a group loses its tenants', async () => {
		await made.grant({ where: { groups: 'visitors' }, schema: 'plant_c', database: 'series_c', role: 'viewer' });
		made.answers.claims = { sub: 'ada', groups: ['visitors'] };
		await expect(renew()).rejects.toMatchObject({ code: 'no_grant' });
		expect((await session())?.tenants.map(({ schema }) => schema)).toEqual(['plant_c']);
		made.answers.claims = { sub: 'ada', groups: [] };
		made.clock.now += minuteMs;
		await expect(renew({ schemaName: 'plant_c' })).rejects.toMatchObject({ code: 'renewal_refused' });
		expect(await session()).toBeNull();
	});

	test('switches the tenant, and refuses one that is none of the person’s', async () => {
		expect((await renew({ schemaName: 'plant_b' })).tenant).toMatchObject({
			schema: 'plant_b',
			database: 'series_b',
			role: 'viewer',
		});
		expect(made.signed.at(-1)).toMatchObject({ schema: 'plant_b', tsdb: 'series_b', scope: 'read' });
		await expect(renew({ schemaName: 'plant_b', tsdb_name: 'series_a' })).rejects.toMatchObject({ code: 'no_grant' });
		await expect(renew({ schemaName: 'plant_z' })).rejects.toMatchObject({ code: 'no_grant' });
		expect((await renew()).tenant.schema).toBe('plant_a');
	});

	test('switches to the last of 52 tenants', async () => {
		for (let index = 0; index < 50; index += 1) await made.grant({ schema: `plant_c_${String(index).padStart(2, '0')}` });
		expect((await renew({ schemaName: 'plant_c_49' })).tenants).toHaveLength(52);
		expect(made.signed.at(-1)).toMatchObject({ schema: 'plant_c_49' });
	});

	test('keeps what was recorded where the provider says nothing new', async () => {
		made.answers.refresh = async () => ({ idToken: null, accessToken: 'a', refreshToken: 'r' });
		expect((await renew()).tenants).toHaveLength(2);
		await begin({ recheck: 'none' });
		expect((await renew()).tenants).toHaveLength(2);
		expect(made.calls).not.toContain('refresh');
		// The grants are asked again all the same.
		await made.grants.remove(makePlantGrant(), changeTo(null, signedInAt));
		made.clock.now += minuteMs;
		expect((await renew({ schemaName: 'plant_b' })).tenants.map(({ schema }) => schema)).toEqual(['plant_b']);
	});

	describe('without a new ID token, but with userinfo', () => {
		beforeEach(async () => {
			made = makeOpenIdDeps(signedInAt, [makeProvider({ userinfo: true })]);
			await made.grant({ where: { groups: 'ops' } });
			await made.grant({ where: { 'realm_access.roles': 'lead', sub: 'ada' }, schema: 'plant_b', database: 'series_b' });
			await made.grant({ where: { email: 'ada@plant.example' }, schema: 'plant_c', database: 'series_c' });
			made.answers.claims = { sub: 'ada', name: 'Ada', realm_access: { roles: ['lead'] } };
			made.answers.userinfo = { sub: 'ada', groups: ['ops'], email: 'ada@plant.example', email_verified: true };
			const signedIn = await signInOpenId(made.deps, sentCode, '203.0.113.7', signedInAt);
			expect(signedIn.tenants).toHaveLength(3);
			sid = made.signed[0]?.sid ?? '';
			made.clock.now += 30 * minuteMs;
			made.answers.refresh = async () => ({ idToken: null, accessToken: 'a', refreshToken: null });
		});

		test('what only the ID token said stays, and the name', async () => {
			for (const _ of [1, 2]) {
				const { tenants, person } = await renew();
				expect(tenants.map(({ schema }) => schema)).toEqual(['plant_a', 'plant_b', 'plant_c']);
				expect(person.name).toBe('ada@plant.example (entra)');
				made.clock.now += 2 * minuteMs;
			}
		});

		test.each([
			['none', {}],
			['other ones', { groups: ['visitors'], email: 'ada@plant.example', email_verified: false }],
		])('what userinfo said is lost where it says %s now', async (_, userinfo) => {
			made.answers.userinfo = { sub: 'ada', ...userinfo };
			expect((await renew({ schemaName: 'plant_b' })).tenants.map(({ schema }) => schema)).toEqual(['plant_b']);
		});

		test.each([
			['plain', { groups: ['visitors'] }, ['plant_b', 'plant_c']],
			['plain, of which none is left', { groups: [] }, ['plant_b', 'plant_c']],
			['plain, which is left out', { groups: undefined }, ['plant_b', 'plant_c']],
			['dotted', { realm_access: { roles: ['visitor'] } }, ['plant_a', 'plant_c']],
			['dotted, of which none is left', { realm_access: { roles: [] } }, ['plant_a', 'plant_c']],
			['dotted, which is left out', { realm_access: {} }, ['plant_a', 'plant_c']],
			['an e-mail', { email_verified: false }, ['plant_a', 'plant_b']],
		])('what both said is lost where userinfo does not say it any more: %s', async (_, now, left) => {
			const both = { ...made.answers.userinfo, realm_access: { roles: ['lead'] } };
			made.answers.claims = both;
			made.answers.userinfo = both;
			await signInOpenId(made.deps, sentCode, '203.0.113.7', made.clock.now);
			sid = made.signed.at(-1)?.sid ?? '';
			const renewed = async (idToken: string | null, userinfo: typeof made.answers.userinfo) => {
				made.clock.now += 2 * minuteMs;
				made.answers.refresh = async () => ({ idToken, accessToken: 'a', refreshToken: null });
				made.answers.userinfo = userinfo;
				return (await renew({ schemaName: left[0] })).tenants.map(({ schema }) => schema);
			};
			expect(await renewed(null, { ...both, ...now })).toEqual(left);
			expect(await renewed('new', both)).toEqual(['plant_a', 'plant_b', 'plant_c']);
			expect(await renewed(null, { ...both, ...now })).toEqual(left);
		});

		test.each([
			['at its path', { realm_access: { roles: [] } }, ['plant_a', 'plant_c']],
			['under its whole name', { 'realm_access.roles': [] }, ['plant_a', 'plant_c']],
		])('what only the ID token said is lost once userinfo says that there is none: %s', async (_, now, left) => {
			const before = made.answers.userinfo;
			made.answers.userinfo = { ...before, ...now };
			expect((await renew()).tenants.map(({ schema }) => schema)).toEqual(left);
			made.answers.userinfo = before;
			made.clock.now += 2 * minuteMs;
			expect((await renew()).tenants.map(({ schema }) => schema)).toEqual(left);
		});

		test('a later ID token takes the place of the last one', async () => {
			await renew();
			made.clock.now += 2 * minuteMs;
			made.answers.refresh = async () => ({ idToken: 'new', accessToken: 'a', refreshToken: null });
			made.answers.claims = { sub: 'ada' };
			expect((await renew()).tenants.map(({ schema }) => schema)).toEqual(['plant_a', 'plant_c']);
			made.clock.now += 2 * minuteMs;
			made.answers.refresh = async () => ({ idToken: null, accessToken: 'a', refreshToken: null });
			expect((await renew()).tenants.map(({ schema }) => schema)).toEqual(['plant_a', 'plant_c']);
		});
	});

	test('a verified e-mail that was recorded is evaluated again', async () => {
		await begin({ recheck: 'none' });
		await made.grant({ where: { email: 'ada@plant.example' }, schema: 'plant_e', database: 'series_e' });
		await signInOpenId(made.deps, sentCode, '203.0.113.7', made.clock.now);
		sid = made.signed.at(-1)?.sid ?? '';
		made.clock.now += 2 * minuteMs;
		expect((await renew()).tenants.map(({ schema }) => schema)).toEqual(['plant_a', 'plant_b', 'plant_e']);
	});

	test('a provider that is no longer in the settings ends its sessions', async () => {
		const without = {
			...made.deps,
			openId: { ...made.deps.openId, providers: [makeProvider({ issuer: 'https://other.example' })] },
		};
		await expect(renewOpenId(without, held(), {})).rejects.toMatchObject({ code: 'session_ended' });
		expect(await session()).toBeNull();
	});

	test('a token that was exchanged is not renewed: what it was narrowed to stays', async () => {
		const exchanged = { ...makeExchanged(), subjectToken: 'jwt' };
		await exchangeToken(made.deps, exchanged, '203.0.113.7', made.clock.now);
		const narrow = made.signed.at(-1);
		for (const waited of [0, 2 * minuteMs]) {
			made.clock.now += waited;
			await expect(
				renewOpenId(made.deps, { ...held(), sid: narrow?.sid ?? '', schema: 'plant_b', database: 'series_b' }, {}),
			).rejects.toMatchObject({ code: 'renewal_refused' });
		}
		const id = sessionIds.idOf(narrow?.sid ?? '');
		expect((await made.sessions.find(id, made.clock.now))?.tenants.map(({ schema }) => schema)).toEqual(['plant_b']);
	});

	test('without the row of tokens nothing is renewed', async () => {
		await made.tokens.remove(sessionIds.idOf(sid));
		await expect(renew()).rejects.toMatchObject({ code: 'renewal_refused' });
		expect(made.calls).toEqual([]);
	});

	test('a session that is ended while the provider answers leaves no token, here or there', async () => {
		made.answers.refresh = async () => {
			await signOut(made.deps, sid);
			return { idToken: 'id', accessToken: 'a', refreshToken: 'late' };
		};
		await expect(renew()).rejects.toMatchObject({ code: 'session_ended' });
		expect(await session()).toBeNull();
		expect(await made.tokens.find(sid)).toBeNull();
		expect(made.revoked).toEqual(['refresh-1', 'late']);
	});

	test('the secret of one person renews nothing for another', async () => {
		await expect(renewOpenId(made.deps, { ...held(), person: 'person:x' }, {})).rejects.toMatchObject({ code: 'session_ended' });
	});

	test('signing out ends the session here, revokes at the provider, and says where to sign out there', async () => {
		const address = new URL((await signOut(made.deps, sid)) ?? '');
		expect(address.origin + address.pathname).toBe('https://idp.example/logout');
		expect(Object.fromEntries(address.searchParams)).toEqual({
			theme: 'dark',
			id_token_hint: 'id-1',
			client_id: 'caudal',
			post_logout_redirect_uri: 'https://caudal.example/console',
			state: expect.stringMatching(/^[\w-]{43}$/),
		});
		expect(made.calls).toEqual(['revoke']);
		expect(await session()).toBeNull();
		expect(await made.tokens.find(sid)).toBeNull();
		await expect(renew()).rejects.toMatchObject({ code: 'session_ended' });
		expect(await signOut(made.deps, sid)).toBeNull();
	});

	const cognito = 'https://pool.example/logout?client_id=caudal&logout_uri=https://caudal.example/console';
	test.each([
		['here only', { signOut: 'here' }, null],
		['here only, whatever address there is', { signOut: 'here', signOutUrl: cognito }, null],
		['at an address of its own, byte for byte', { signOutUrl: cognito }, cognito],
	])('signs out %s, and revokes all the same', async (_, settings, address) => {
		await begin(settings);
		const endSessionEndpoint = () => Promise.reject(new Error('It is not asked.'));
		const deps = { ...made.deps, openId: { ...made.deps.openId, endSessionEndpoint } };
		expect(await signOut(deps, sid)).toBe(address);
		expect([made.revoked, await session(), await made.tokens.find(sid)]).toEqual([['refresh-1'], null, null]);
	});

	test('a session ends so long after the sign-in here, whenever the person signed in at the provider', async () => {
		const lastWeek = signedInAt / 1000 - 7 * 86_400;
		made.answers.claims = { sub: 'ada', groups: ['ops'], auth_time: lastWeek };
		made.clock.now = signedInAt;
		await signInOpenId(made.deps, sentCode, '203.0.113.7', signedInAt);
		sid = made.signed.at(-1)?.sid ?? '';
		expect(made.signed.at(-1)).toMatchObject({ auth_time: signedInAt / 1000, session_exp: signedInAt / 1000 + 43_200 });
		made.clock.now = signedInAt + 43_200_000 - 60_000;
		expect((await renew()).tenant.schema).toBe('plant_a');
		made.clock.now += 60_000;
		await expect(renew()).rejects.toMatchObject({ code: 'session_ended' });
	});
});
