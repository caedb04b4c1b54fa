import { beforeEach, describe, expect, test } from 'vitest';
import { DomainError } from '#domain/errors.ts';
import type { IdentityProvider } from '#domain/ports/identity-provider.ts';
import { failureWindowMs } from '#domain/ports/sign-in-failures.ts';
import type { TokenClaims } from '#domain/ports/token-signer.ts';
import { type Credentials, type SignInDeps, signIn } from '#domain/use-cases/sign-in.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteSignInFailures } from '#infra/local/adapters/sqlite/sqlite-sign-in-failures.ts';
import { createSqliteUsers } from '#infra/local/adapters/sqlite/sqlite-users.ts';

const now = Date.UTC(2026, 10, 21, 12);
const credentials: Credentials = { email: 'Op@Plant.example', tokenApp: 'secret', schemaName: 'plant', tsdb_name: 'series' };
const source = '203.0.113.7';

describe('signIn', () => {
	let calls: string[];
	let signed: TokenClaims[];
	let provider: IdentityProvider;
	let deps: SignInDeps;

	beforeEach(async () => {
		calls = [];
		signed = [];
		provider = {
			getUser: async (id) => (id === 7 ? { email: 'op@plant.example', token_apps: 'secret' } : null),
			getSchemaProduct: async (clientId, productId) =>
				clientId === 3 ? [{ schema_name: 'plant', tsdb_name: 'series', product_id: productId, client_id: 3 }] : [],
			listProductxUserxClient: async () => [{ id_product: 5 }],
		};
		const database = openDatabase(':memory:');
		const users = createSqliteUsers(database);
		await users.put({ id: 7, email: 'op@plant.example', firstName: 'Op', lastName: 'Erator', clientId: 3 });
		deps = {
			users,
			failures: createSqliteSignInFailures(database),
			identityProvider: {
				getUser: (id) => {
					calls.push(`getUser ${id}`);
					return provider.getUser(id);
				},
				getSchemaProduct: (client, product) => {
					calls.push(`schemas ${client} ${product}`);
					return provider.getSchemaProduct(client, product);
				},
				listProductxUserxClient: (user, client) => {
					calls.push(`products ${user} ${client}`);
					return provider.listProductxUserxClient(user, client);
				},
			},
			signer: {
				sign: async (claims) => {
					signed.push(claims);
					return 'token';
				},
			},
			constantTimeEqual: (a, b) => a === b,
			newId: () => 'unique',
			productId: 5,
			token: { issuer: 'https://issuer', audience: 'aud', scope: 'service', lifetimeSeconds: 3600 },
		};
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
				scope: 'service',
				iat,
				exp: iat + 3600,
				jti: 'unique',
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

	test('ten failures from one source block only that source, without a call to the provider', async () => {
		expect(await codes(10)).toEqual(Array(10).fill('credentials_refused'));
		calls.length = 0;
		const blocked = await attempt(now + 1000, source, credentials);
		expect(blocked).toMatchObject({ code: 'sign_in_blocked', payload: { retryAfterMs: failureWindowMs - 1000 } });
		expect(calls).toEqual([]);
		expect((await signIn(deps, credentials, '198.51.100.1', now + 1000)).token).toBe('token');
	});

	test('the block ends when the tenth last failure is fifteen minutes old, and blocked attempts do not prolong it', async () => {
		await codes(10);
		await codes(5, now + 60_000);
		expect(await attempt(now + failureWindowMs - 1, source, credentials)).toMatchObject({ code: 'sign_in_blocked' });
		expect((await signIn(deps, credentials, source, now + failureWindowMs)).token).toBe('token');
	});

	test('a hundred failures from many sources block the e-mail from everywhere', async () => {
		const from = (index: number) => `198.51.100.${index % 20}`;
		expect(await codes(99, now, from)).toEqual(Array(99).fill('credentials_refused'));
		expect((await signIn(deps, credentials, source, now)).token).toBe('token');
		expect(await codes(1)).toEqual(['credentials_refused']);
		expect(await attempt(now, '192.0.2.1', credentials)).toMatchObject({ code: 'sign_in_blocked' });
	});

	test('failures for one e-mail do not block another', async () => {
		await codes(10);
		expect(await attempt(now, source, { ...credentials, email: 'other@plant.example' })).toMatchObject({
			code: 'credentials_refused',
		});
	});
});
