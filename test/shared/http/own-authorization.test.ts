import { expect, test } from 'vitest';
import { constantTimeEqual } from '#adapters/constant-time-equal.ts';
import { machineSecrets } from '#adapters/machine-secrets.ts';
import type { KeyedMachine } from '#domain/access/machine.ts';
import { callerOf } from '#http/caller.ts';
import { createOwnAuthorization } from '#http/own-authorization.ts';
import { makeEvent } from '#test/support/builders/events.ts';

const minuteMs = 60_000;

/** Opens the check with one machine, which counts what is asked of the store. */
const open = (fields: Partial<KeyedMachine> = {}) => {
	const clock = { now: Date.UTC(2026, 10, 21) };
	const { id, secret, hash } = {
		id: 's1',
		secret: 'cdl_demo-only-not-a-secret-00000000000000000000KKFASg',
		hash: machineSecrets.hash,
	};
	const machine: KeyedMachine = {
		clientId: 'DemoGrafanaOfPlantA1',
		schema: 'plant_a',
		database: 'series_a',
		owner: 1,
		name: 'Excel',
		role: 'viewer',
		expiresAt: clock.now + 100 * minuteMs,
		createdBy: 'Ana',
		createdAt: clock.now,
		lastUsedAt: null,
		secrets: [{ id, createdAt: clock.now }],
		version: 1,
		hashes: { [id]: hash(secret) },
		...fields,
	};
	const stored: { machine: KeyedMachine | null } = { machine };
	const told: string[] = [];
	let reads = 0;
	const authorization = createOwnAuthorization({
		authorizer: async (header) => ({ outcome: header === 'Bearer viewer' ? 'forbidden' : 'unauthorized', challenge: 'Bearer' }),
		machines: {
			find: async () => {
				reads += 1;
				return stored.machine;
			},
			noteUse: async () => undefined,
		},
		secrets: machineSecrets,
		owners: { find: async () => 1 },
		sessions: { tell: async (schema, { action, actor }) => void told.push(`${schema} ${actor.name} ${action}`) },
		constantTimeEqual,
		trustedProxy: null,
		now: () => clock.now,
	});
	const ask = (authorizationHeader: string) =>
		authorization(makeEvent('GET /table/readings', { headers: { authorization: authorizationHeader } }));
	const basicOf = (password: string) => `Basic ${Buffer.from(`${machine.clientId}:${password}`).toString('base64')}`;
	return { clock, stored, told, reads: () => reads, ask, basic: basicOf(secret), basicOf };
};

test('a machine is a caller of its schema and database, and its sign-in is told', async () => {
	const { ask, basic, told } = open();
	const event = await ask(basic);
	expect('status' in event ? event : callerOf(event)).toEqual({
		...{ schema: 'plant_a', database: 'series_a', user: 'machine:DemoGrafanaOfPlantA1', email: null },
		actor: { kind: 'machine', id: 'DemoGrafanaOfPlantA1', name: 'Excel' },
	});
	expect(told).toEqual(['plant_a Excel signedIn']);
});

test('credentials are read once a minute: a machine that is deleted may read for the rest of it', async () => {
	const { ask, basic, clock, stored, reads, told } = open();
	const isAllowed = async () => !('status' in (await ask(basic)));
	expect(await isAllowed()).toBe(true);
	stored.machine = null;
	clock.now += minuteMs - 1;
	expect([await isAllowed(), reads(), told.length]).toEqual([true, 1, 1]);
	clock.now += 1;
	expect([await isAllowed(), reads()]).toEqual([false, 2]);
});

test('no machine may read after its end, and refusals are not remembered', async () => {
	const { ask, basic, clock, stored, reads } = open();
	const machine = stored.machine;
	stored.machine = machine === null ? null : { ...machine, expiresAt: clock.now + 1000 };
	expect('status' in (await ask(basic))).toBe(false);
	clock.now += 1000;
	expect(await ask(basic)).toMatchObject({ status: 401 });
	stored.machine = machine;
	expect('status' in (await ask(basic))).toBe(false);
	expect(reads()).toBe(3);
});

test.each(['Basic', 'Basic !', 'basic YQ==', 'Bearer x', '', 'Digest a'])('%j is refused, and asks for Basic', async (header) => {
	const { ask, reads } = open();
	expect(await ask(header)).toMatchObject({
		status: 401,
		body: { message: 'Unauthorized' },
		headers: { 'www-authenticate': 'Basic realm="caudal", charset="UTF-8"' },
	});
	expect(reads()).toBe(0);
});

test('another secret is refused beside the right one, and a token without the scope is 403', async () => {
	const { ask, basic, basicOf } = open();
	await ask(basic);
	expect(await ask(basicOf('cdl_other'))).toMatchObject({ status: 401 });
	expect(await ask('Bearer viewer')).toMatchObject({ status: 403 });
});
