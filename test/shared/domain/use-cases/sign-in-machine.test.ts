import { beforeEach, describe, expect, test } from 'vitest';
import { constantTimeEqual } from '#adapters/constant-time-equal.ts';
import { machineSecrets } from '#adapters/machine-secrets.ts';
import type { KeyedMachine } from '#domain/access/machine.ts';
import { machineChange } from '#domain/access/machine-change.ts';
import { type MachineSignInDeps, signInMachine } from '#domain/use-cases/sign-in-machine.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteMachines } from '#infra/local/adapters/sqlite/sqlite-machines.ts';
import { createSqliteOwners } from '#infra/local/adapters/sqlite/sqlite-owners.ts';
import { scopes } from '#shared/endpoint.ts';
import { makeMachine } from '#test/support/builders/machines.ts';
import { testOrigin } from '#test/support/builders/origin.ts';

const now = Date.UTC(2026, 10, 21, 12) + 400;
const [first, second] = [machineSecrets.newSecret(), machineSecrets.newSecret()];
const machine = makeMachine({
	expiresAt: now + 86_400_000,
	secrets: [
		{ id: 'one', createdAt: now },
		{ id: 'two', createdAt: now },
	],
	hashes: { one: machineSecrets.hash(first), two: machineSecrets.hash(second) },
});
const invalid = { error: 'invalid_client' };

const source = '203.0.113.7';

describe('the sign-in of a machine', () => {
	let deps: MachineSignInDeps & ReturnType<typeof openStores>;
	let signed: unknown[];
	let reads: number;
	/** Schema, client id, address and refusal of each session that was told. */
	let told: unknown[];
	beforeEach(async () => {
		signed = [];
		reads = 0;
		told = [];
		const stores = openStores();
		deps = {
			...stores,
			machines: {
				...stores.machines,
				find: (clientId) => {
					reads += 1;
					return stores.machines.find(clientId);
				},
			},
			secrets: machineSecrets,
			tell: async (schema, { actor, source: from, refusal }) => {
				told.push([schema, actor.id, from, refusal]);
			},
			constantTimeEqual,
			signer: {
				sign: async (claims) => {
					signed.push(claims);
					return 'token';
				},
			},
			newId: () => 'id',
			random: () => 0,
			token: { issuer: 'https://issuer', audience: 'aud', scopes, lifetimeSeconds: 3600 },
		};
		await stores.owners.claim(
			[
				{ kind: 'schema', name: 's' },
				{ kind: 'database', name: 'd' },
			],
			machine.owner,
		);
	});
	const store = (fields: Partial<KeyedMachine> = {}) => {
		const saved = { ...machine, ...fields };
		return deps.machines.save(saved, null, machineChange({ before: null, after: saved }, testOrigin, now));
	};
	const signIn = (secret = first, scope = '', clientId = machine.clientId) =>
		signInMachine(deps, { clientId, secret, scope }, source, now);

	test('gives a token with the name of the machine, and notes its use', async () => {
		await store();
		expect(await signIn()).toEqual({ token: 'token', expiresInSeconds: 3600, scope: 'read' });
		const iat = Math.floor(now / 1000);
		expect(signed).toEqual([
			{
				iss: 'https://issuer',
				aud: 'aud',
				sub: `machine:${machine.clientId}`,
				name: 'grafana',
				schema: 's',
				tsdb: 'd',
				client: '7',
				scope: 'read',
				iat,
				exp: iat + 3600,
				jti: 'id',
			},
		]);
		expect((await deps.machines.find(machine.clientId))?.lastUsedAt).toBe(now);
	});

	test('takes either secret, until one is taken away', async () => {
		await store();
		for (const secret of [first, second]) expect(await signIn(secret)).toHaveProperty('token');
		const left = { ...machine, secrets: machine.secrets.slice(1), hashes: { two: machine.hashes['two'] ?? '' }, version: 2 };
		await deps.machines.save(left, 1, machineChange({ before: machine, after: left }, testOrigin, now));
		expect([await signIn(first), await signIn(second)]).toEqual([invalid, expect.objectContaining({ token: 'token' })]);
	});

	test('refuses wrong credentials, and reads nothing for what is no secret', async () => {
		await store();
		expect(await signIn(machineSecrets.newSecret())).toEqual(invalid);
		expect(await signIn(first, '', 'zzzzzzzzzzzzzzzzzzzz')).toEqual(invalid);
		expect(reads).toBe(2);
		for (const secret of ['', 'cdl_', `${first.slice(0, -1)}=`]) expect(await signIn(secret)).toEqual(invalid);
		for (const clientId of ['', 'a', `${machine.clientId} `, 'abcdefghij012345678:']) {
			expect(await signIn(first, '', clientId)).toEqual(invalid);
		}
		expect(reads).toBe(2);
		expect(signed).toEqual([]);
	});

	test.each([
		['has expired', { expiresAt: now }],
		['expires within this second', { expiresAt: now + 100 }],
		['belongs to a schema of another client', { owner: 8 }],
		['reads a database that nobody owns', { database: 'd2' }],
	])('refuses a machine that %s', async (_, fields) => {
		await store(fields);
		expect(await signIn()).toEqual(invalid);
	});

	test('refuses a machine whose schema was given to another client since', async () => {
		await store();
		await deps.owners.set({ kind: 'schema', name: 's', clientId: 8 });
		expect(await signIn()).toEqual(invalid);
	});

	test('gives no token beyond the end of the machine', async () => {
		await store({ expiresAt: now + 60_000 });
		expect(await signIn()).toMatchObject({ expiresInSeconds: 60 });
	});

	test.each([
		['viewer', '', 'read'],
		['viewer', 'read', 'read'],
		['viewer', 'service', undefined],
		['operator', '', 'service'],
		['engineer', 'service', 'service'],
		['engineer', 'read', 'read'],
		['engineer', 'read service', 'service'],
		['engineer', 'admin', undefined],
		['engineer', 'read admin', undefined],
	] as const)('a %s that asks for the scope %j gets %j', async (role, asked, granted) => {
		await store({ role });
		expect(await signIn(first, asked)).toEqual(
			granted === undefined ? { error: 'invalid_scope' } : expect.objectContaining({ scope: granted }),
		);
	});

	test('is told with its address, and a refusal with its reason, where the machine is known', async () => {
		await store();
		await signIn();
		await signIn(machineSecrets.newSecret());
		await signIn('no secret');
		await signIn(machineSecrets.newSecret());
		await signIn(first, '', 'zzzzzzzzzzzzzzzzzzzz');
		await signIn(first, 'wider');
		const [owned] = [{ kind: 'schema', name: 's', clientId: machine.owner + 1 } as const];
		await deps.owners.set(owned);
		await signIn();
		expect(told).toEqual([null, 'secret', 'secret', 'tenant'].map((refusal) => ['s', machine.clientId, source, refusal]));
	});

	test.each([
		['expired', { expiresAt: now }],
		['revoked', { secrets: [], hashes: {} }],
	])('of a machine that is %s is told so', async (refusal, fields) => {
		await store(fields);
		await signIn();
		expect(told).toEqual([['s', machine.clientId, source, refusal]]);
	});

	test('gives no token that nothing tells of, and refuses the same where a refusal cannot be told', async () => {
		await store();
		const failing = { ...deps, tell: () => Promise.reject(new Error('busy')) };
		const sent = { clientId: machine.clientId, secret: first, scope: '' };
		await expect(signInMachine(failing, sent, source, now)).rejects.toThrow('busy');
		expect(await signInMachine(failing, { ...sent, secret: machineSecrets.newSecret() }, source, now)).toEqual({
			error: 'invalid_client',
		});
	});

	test('gives the token although the use could not be noted', async () => {
		await store();
		const failing = { ...deps.machines, noteUse: () => Promise.reject(new Error('busy')) };
		const sent = { clientId: machine.clientId, secret: first, scope: '' };
		expect(await signInMachine({ ...deps, machines: failing }, sent, source, now)).toHaveProperty('token');
	});
});

function openStores() {
	const database = openDatabase(':memory:');
	return { machines: createSqliteMachines(database), owners: createSqliteOwners(database) };
}
