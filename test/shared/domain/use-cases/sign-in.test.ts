import { beforeEach, describe, expect, test } from 'vitest';
import { unownedSchemas } from '#domain/access/own-tenant.ts';
import { networkOf } from '#domain/access/sign-in-limits.ts';
import { DomainError } from '#domain/errors.ts';
import type { IdentityProvider } from '#domain/ports/identity-provider.ts';
import { attemptWindowMs, knownSourceMs } from '#domain/ports/sign-in-attempts.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { type Credentials, type SignInDeps, signIn } from '#domain/use-cases/sign-in.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { makeBody } from '#test/support/builders/builders.ts';
import { testOrigin } from '#test/support/builders/origin.ts';
import { signInCredentials as credentials, makeSignInDeps, operator } from '#test/support/builders/sign-in-deps.ts';

const now = Date.UTC(2026, 10, 21, 12);
const source = '203.0.113.7';

describe('signIn', () => {
	let made: ReturnType<typeof makeSignInDeps>;
	let { deps, provider, calls, signed } = {} as typeof made;

	beforeEach(async () => {
		made = makeSignInDeps();
		({ deps, provider, calls, signed } = made);
		await deps.users.put(operator);
	});

	const attempt = (at = now, from = source, sent = { ...credentials, tokenApp: 'wrong' }) =>
		signIn(deps, sent, from, at).catch((error: unknown) => (error instanceof DomainError ? error : expect.unreachable()));
	const codes = async (count: number, at = now, from: (index: number) => string = () => source) => {
		const outcomes: string[] = [];
		for (let index = 0; index < count; index += 1) {
			const outcome = await attempt(at, from(index));
			outcomes.push(outcome instanceof DomainError ? outcome.code : 'accepted');
		}
		return outcomes;
	};

	test('issues a token for the requested tenant without regard to the case of the e-mail', async () => {
		const { token, user } = await signIn(deps, credentials, source, now + 999);
		expect(token).toBe('token');
		expect(user).toEqual({ id: 7, email: 'op@plant.example', firstName: 'Op', lastName: 'Erator', clientId: 3 });
		const iat = now / 1000;
		expect(signed).toEqual([
			{
				iss: 'https://issuer',
				aud: 'aud',
				sub: '7',
				email: 'op@plant.example',
				schema: 'plant',
				tsdb: 'series',
				client: '3',
				scope: 'service',
				iat,
				exp: iat + 3600,
				auth_time: iat,
				session_exp: iat + 43_200,
				jti: expect.any(String),
			},
		]);
		expect(calls.sort()).toEqual(['getUser 7', 'products 7 3', 'schemas 3 5']);
	});

	test.each<[string, Partial<Credentials>, Partial<IdentityProvider>]>([
		['another token', { tokenApp: 'Secret' }, {}],
		['another schema', { schemaName: 'other' }, {}],
		['another database', { tsdb_name: 'other' }, {}],
		['an unknown e-mail', { email: 'x@plant.example' }, {}],
		['a provider without that user', {}, { getUser: async () => null }],
		['another e-mail at the provider', {}, { getUser: async () => ({ email: 'x@plant.example', token_apps: 'secret' }) }],
		['an empty token at the provider', {}, { getUser: async () => ({ email: 'op@plant.example', token_apps: '' }) }],
		[
			"another client's record",
			{},
			{ getSchemaProduct: async () => [{ schema_name: 'plant', tsdb_name: 'series', product_id: 5, client_id: 4 }] },
		],
		[
			"another product's record",
			{},
			{ getSchemaProduct: async () => [{ schema_name: 'plant', tsdb_name: 'series', product_id: 6, client_id: 3 }] },
		],
		[
			'a schema of one record and a database of another',
			{ tsdb_name: 'b' },
			{
				getSchemaProduct: async () => [
					{ schema_name: 'plant', tsdb_name: 'a', product_id: 5, client_id: 3 },
					{ schema_name: 'x', tsdb_name: 'b', product_id: 5, client_id: 3 },
				],
			},
		],
		['a user without a token', {}, { getUser: async () => ({ email: credentials.email, token_apps: null }) }],
		['a product of somebody else', {}, { listProductxUserxClient: async () => [{ id_product: 6 }] }],
	])('refuses %s with the same error as any other', async (_, sent, answers) => {
		Object.assign(provider, answers);
		await expect(signIn(deps, { ...credentials, ...sent }, source, now)).rejects.toMatchObject({
			code: 'credentials_refused',
			payload: {},
		});
		expect(signed).toEqual([]);
		expect(calls).toHaveLength(3);
	});

	test('makes the same three calls for an unknown e-mail and reports the same faults', async () => {
		await attempt(now, source, { ...credentials, email: 'nobody@plant.example' });
		expect(calls.sort()).toEqual(['getUser 0', 'products 0 0', 'schemas 0 5']);
		const slow = new DomainError('dependency_slow', { dependency: 'identityProvider', cause: 'test' });
		provider.getUser = async () => Promise.reject(slow);
		await expect(signIn(deps, { ...credentials, email: 'nobody@plant.example' }, source, now)).rejects.toBe(slow);
		await expect(signIn(deps, credentials, source, now)).rejects.toBe(slow);
	});

	test('a fault of the provider does not count as a failure', async () => {
		provider.getUser = async () =>
			Promise.reject(new DomainError('dependency_failed', { dependency: 'identityProvider', cause: 'test' }));
		expect(await codes(12)).toEqual(Array(12).fill('dependency_failed'));
	});

	test('the lifetimes of tokens vary by a tenth', async () => {
		const lifetimes = [0, 0.5, 1 - Number.EPSILON].map(async (number) => {
			await signIn({ ...deps, random: () => number }, credentials, source, now);
			const claims = signed.pop();
			return (claims?.exp ?? 0) - (claims?.iat ?? 0);
		});
		expect(await Promise.all(lifetimes)).toEqual([3600, 3420, 3240].toReversed());
	});

	test('ten failures from one source block only that source, without a call to the provider', async () => {
		expect(await codes(10)).toEqual(Array(10).fill('credentials_refused'));
		calls.length = 0;
		const blocked = await attempt(now + 60_000, source, credentials);
		expect(blocked).toMatchObject({ code: 'sign_in_blocked', payload: { retryAfterMs: attemptWindowMs - 60_000 } });
		expect(calls).toEqual([]);
		expect((await signIn(deps, credentials, '198.51.100.1', now + 60_000)).token).toBe('token');
	});

	test('tells a blocked client to wait for attempts that are not decided yet', async () => {
		const answer = Promise.withResolvers<null>();
		provider.getUser = () => answer.promise;
		const running = Array.from({ length: 10 }, () => attempt());
		await expect.poll(() => calls.filter((call) => call.startsWith('getUser'))).toHaveLength(10);
		expect(await attempt(now + 1000)).toMatchObject({ code: 'sign_in_blocked', payload: { retryAfterMs: 4000 } });
		answer.resolve(null);
		await Promise.all(running);
		expect(await attempt(now + 5000)).toMatchObject({
			code: 'sign_in_blocked',
			payload: { retryAfterMs: attemptWindowMs - 5000 },
		});
	});

	test.each(['getUser', 'sign', 'find'] as const)(
		'an attempt does not count when the fault is not the client’s: %s',
		async (fault) => {
			const fail = async () => Promise.reject(new DomainError('store_failed', { cause: 'test' }));
			if (fault === 'getUser') provider.getUser = fail;
			const faulty: SignInDeps = {
				...deps,
				...(fault === 'sign' && { signer: { sign: fail } }),
				...(fault === 'find' && { users: { ...deps.users, find: fail } }),
			};
			const attempts = Array.from({ length: 200 }, (_, index) =>
				signIn(faulty, credentials, `192.0.2.${index}`, now).catch(() => 0),
			);
			expect(await Promise.all(attempts)).toEqual(Array(200).fill(0));
			const again = makeSignInDeps({ attempts: deps.attempts, users: deps.users });
			expect((await signIn(again.deps, credentials, '192.0.2.200', now)).token).toBe('token');
			expect(await codes(10)).toEqual(Array(10).fill(fault === 'getUser' ? 'store_failed' : 'credentials_refused'));
		},
	);

	test('a success withdraws its attempt, and a store that cannot withdraw it does not take the token away', async () => {
		for (let index = 0; index < 70; index += 1) expect((await signIn(deps, credentials, source, now)).token).toBe('token');
		const fail = async () => Promise.reject(new DomainError('store_failed', { cause: 'test' }));
		const attempts = { ...deps.attempts, withdraw: fail, remember: fail };
		expect((await signIn({ ...deps, attempts }, credentials, source, now)).token).toBe('token');
	});

	test('a source that signed in with the e-mail is not locked out by others for 30 days', async () => {
		const lastMoment = now + knownSourceMs - 1;
		await signIn(deps, credentials, source, now);
		for (const at of [now, lastMoment]) {
			await codes(100, at, (index) => `198.51.100.${index % 20}`);
			expect(await attempt(at, '192.0.2.1', credentials)).toMatchObject({ code: 'sign_in_blocked' });
		}
		expect((await signIn(deps, credentials, source, lastMoment)).token).toBe('token');
		expect(await codes(10, lastMoment)).toEqual(Array(10).fill('credentials_refused'));
		expect(await attempt(lastMoment, source, credentials)).toMatchObject({ code: 'sign_in_blocked' });
	});

	test('a source that never signed in with the e-mail, or too long ago, is locked out with the others', async () => {
		await signIn(deps, credentials, source, now);
		await codes(100, now + knownSourceMs, (index) => `198.51.100.${index % 20}`);
		expect(await attempt(now + knownSourceMs, source, credentials)).toMatchObject({ code: 'sign_in_blocked' });
	});

	test('sixty failures from one source block it for every e-mail that it does not know', async () => {
		await signIn(deps, credentials, source, now);
		for (let index = 0; index < 60; index += 1)
			expect(await attempt(now, source, { ...credentials, email: `user${index}@plant.example` })).toMatchObject({
				code: 'credentials_refused',
			});
		const other = { ...credentials, email: 'other@plant.example' };
		expect(await attempt(now + 60_000, source, other)).toMatchObject({
			code: 'sign_in_blocked',
			payload: { retryAfterMs: attemptWindowMs - 60_000 },
		});
		expect(await attempt(now, '198.51.100.1', other)).toMatchObject({ code: 'credentials_refused' });
		expect((await signIn(deps, credentials, source, now)).token).toBe('token');
	});

	test('the block ends when the tenth last failure is fifteen minutes old, and blocked attempts do not prolong it', async () => {
		await codes(10);
		await codes(5, now + 60_000);
		expect(await attempt(now + attemptWindowMs - 1, source, credentials)).toMatchObject({ code: 'sign_in_blocked' });
		expect((await signIn(deps, credentials, source, now + attemptWindowMs)).token).toBe('token');
	});

	test('a hundred failures from many sources block the e-mail from everywhere', async () => {
		const from = (index: number) => `198.51.100.${index % 20}`;
		expect(await codes(99, now, from)).toEqual(Array(99).fill('credentials_refused'));
		expect((await signIn(deps, credentials, source, now)).token).toBe('token');
		expect(await codes(1, now, () => '198.51.100.50')).toEqual(['credentials_refused']);
		expect(await attempt(now, '192.0.2.1', credentials)).toMatchObject({ code: 'sign_in_blocked' });
	});

	test('failures for one e-mail do not block another', async () => {
		await codes(10);
		expect(await attempt(now, source, { ...credentials, email: 'other@plant.example' })).toMatchObject({
			code: 'credentials_refused',
		});
	});
});

describe('the tenant of a sign-in', () => {
	let made: ReturnType<typeof makeSignInDeps>;
	const schema = { kind: 'schema', name: 'plant' } as const;
	const database = { kind: 'database', name: 'series' } as const;
	const refused = { code: 'credentials_refused', payload: {} };

	beforeEach(async () => {
		made = makeSignInDeps();
		await made.deps.users.put(operator);
	});

	const ownersOf = () => Promise.all([schema, database].map((each) => made.deps.owners.find(each)));
	const signInNow = (overrides: Partial<SignInDeps> = {}, sent: Credentials = credentials) =>
		signIn({ ...made.deps, ...overrides }, sent, source, now);
	const writeSchema = (name: string) =>
		saveVariable(
			{ store: made.store, pause: async () => undefined, now: () => 1_000_000, origin: testOrigin },
			name,
			parseVariable(makeBody()),
		);

	test('belongs to the client that signs in with it first', async () => {
		await expect(signInNow({}, { ...credentials, tokenApp: 'wrong' })).rejects.toMatchObject(refused);
		expect(await ownersOf()).toEqual([null, null]);
		for (let again = 0; again < 2; again += 1) await signInNow();
		expect(await ownersOf()).toEqual([3, 3]);
		expect(made.refusals).toEqual([]);
	});

	test.each([
		['schema', schema, [4, null]],
		['database', database, [null, 4]],
	] as const)(
		'is refused like any wrong credentials, with a report, when its %s belongs to another client',
		async (_, taken, left) => {
			await made.deps.owners.set({ ...taken, clientId: 4 });
			await expect(signInNow()).rejects.toMatchObject(refused);
			expect(made.refusals).toEqual([{ reason: 'owned_by_another_client', schema: 'plant', database: 'series', clientId: 3 }]);
			expect(await ownersOf()).toEqual(left);
			expect(made.signed).toEqual([]);
			await made.deps.owners.set({ ...taken, clientId: 3 });
			expect((await signInNow()).token).toBe('token');
		},
	);

	test('is refused when another client takes it at the same moment', async () => {
		const owners = { ...made.deps.owners, find: async () => null };
		await made.deps.owners.set({ ...schema, clientId: 4 });
		await expect(signInNow({ owners })).rejects.toMatchObject(refused);
		expect(made.refusals).toMatchObject([{ reason: 'owned_by_another_client' }]);
	});

	test('is refused where data without an owner are, until it has one', async () => {
		await writeSchema('plant');
		await expect(signInNow({ unownedData: 'refuse' })).rejects.toMatchObject(refused);
		expect(made.refusals).toEqual([{ reason: 'data_without_owner', schema: 'plant', database: 'series', clientId: 3 }]);
		expect(await ownersOf()).toEqual([null, null]);
		await made.deps.owners.set({ ...schema, clientId: 3 });
		expect((await signInNow({ unownedData: 'refuse' })).token).toBe('token');
		expect(await ownersOf()).toEqual([3, 3]);
	});

	test('is taken with its data where the environment is not protected, and without data everywhere', async () => {
		await signInNow({ unownedData: 'refuse' });
		expect(await ownersOf()).toEqual([3, 3]);
		made = makeSignInDeps();
		await made.deps.users.put(operator);
		await writeSchema('plant');
		await signInNow();
		expect(await ownersOf()).toEqual([3, 3]);
	});

	test('unownedSchemas lists the schemas that hold data and belong to nobody', async () => {
		for (const name of ['plant_c', 'plant', 'plant_a']) await writeSchema(name);
		expect(await unownedSchemas(made.deps)).toEqual(['plant', 'plant_a', 'plant_c']);
		await signInNow();
		await made.deps.owners.set({ kind: 'database', name: 'plant_a', clientId: 3 });
		expect(await unownedSchemas(made.deps)).toEqual(['plant_a', 'plant_c']);
	});
});

describe('networkOf', () => {
	test.each([
		['203.0.113.7', '203.0.113.7'],
		['::ffff:203.0.113.7', '203.0.113.7'],
		['::FFFF:CB00:7107', '203.0.113.7'],
		['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
		['2001:DB8:1:2::', '2001:db8:1:2::/64'],
		['2001:db8:1:3::', '2001:db8:1:3::/64'],
		['2001:0db8::0001', '2001:db8:0:0::/64'],
		['::1', '0:0:0:0::/64'],
		['::', '0:0:0:0::/64'],
		['fe80::1%eth0', 'fe80:0:0:0::/64'],
		['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
		['::2:3:4:5:6:7:8', '0:2:3:4::/64'],
		['', ''],
		['not an address', 'not an address'],
	])('%j counts as %j', (address, network) => {
		expect(networkOf(address)).toBe(network);
	});
});
