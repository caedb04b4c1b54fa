import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { beforeEach, describe, expect, test } from 'vitest';
import { DomainError } from '#domain/errors.ts';
import { claimMs, type Idempotency, keepResponseMs } from '#domain/ports/idempotency.ts';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { variableKey } from '#domain/transaction/read-set.ts';
import { type IdempotencyRecordFactory, runTransaction } from '#domain/transaction/run-transaction.ts';
import { type ApiResponse, ok } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiEvent } from '#http/event.ts';
import { idempotent } from '#http/idempotent.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteIdempotency } from '#infra/local/adapters/sqlite/sqlite-idempotency.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { makeVariable, makeVariableRow } from '#test/support/builders/builders.ts';
import { makeEvent, type RequestParts } from '#test/support/builders/events.ts';
import { testOrigin } from '#test/support/builders/origin.ts';

const route = 'POST /saveVariable';
const start = 1_000_000;

let database: ReturnType<typeof openDatabase>;
let store: SchemaStore;
let idempotency: Idempotency;
let now: number;

beforeEach(() => {
	database = openDatabase(':memory:');
	store = createSqliteSchemaStore(database);
	idempotency = createSqliteIdempotency(database);
	now = start;
});

/** A write whose executions can be counted: each one stores a new variable and returns its id. */
const saveOne = (event: ApiEvent) => async (createRecord: IdempotencyRecordFactory<number>) => {
	const { schema } = callerOf(event);
	const id = await store.nextId(schema);
	return runTransaction(
		{ store, pause: async () => undefined, now: () => 1_000_000, origin: testOrigin },
		schema,
		createRecord,
		async (read) => {
			await read([variableKey(id)]);
			const row = makeVariableRow(id, { variable: makeVariable({ id }) });
			return { changes: [{ key: variableKey(id), row }], answer: id };
		},
	);
};

const responseOf = (id: number): ApiResponse => ok({ data: { id } }, { etag: `"${id}"` });

/** The response to a retry. */
const replayOf = (id: number): ApiResponse => ok({ data: { id } }, { etag: `"${id}"`, 'idempotent-replayed': 'true' });

const eventWithKey = (parts: RequestParts = {}, key = 'key-1', routeKey = route): ApiEvent =>
	makeEvent(routeKey, { body: { name: 'Flow' }, ...parts, headers: { 'idempotency-key': key } });

const send = (event: ApiEvent, write = saveOne(event)): Promise<ApiResponse> =>
	idempotent({ idempotency, newId: randomUUID, now: () => now }, event, write, responseOf);

const executionCount = async (schema = 's'): Promise<number> => (await store.list(schema, 'variable')).length;

const running = expect.objectContaining({ code: 'key_in_use', payload: { reason: 'running' } });
const otherRequest = expect.objectContaining({ code: 'key_in_use', payload: { reason: 'other_request' } });

/** A write that waits until `resume` is called. */
const paused = (event: ApiEvent) => {
	const gate = Promise.withResolvers<void>();
	const write = async (createRecord: IdempotencyRecordFactory<number>) => {
		await gate.promise;
		return saveOne(event)(createRecord);
	};
	return { write, resume: gate.resolve };
};

describe('a retry with the same key', () => {
	test('gets the first response with its headers, and executes nothing', async () => {
		const first = await send(eventWithKey());
		expect(first).toEqual(responseOf(1));
		for (let time = 0; time < 3; time += 1) expect(await send(eventWithKey())).toEqual(replayOf(1));
		expect(await executionCount()).toBe(1);
	});

	test('may send the same body in base64', async () => {
		const event = eventWithKey();
		await send(event);
		const encoded = { ...event, body: Buffer.from(event.body ?? '').toString('base64'), isBase64Encoded: true };
		expect(await send(encoded)).toEqual(replayOf(1));
		expect(await executionCount()).toBe(1);
	});

	test('gets the first response for 24 h, and is executed after that', async () => {
		await send(eventWithKey());
		now = start + keepResponseMs - 1;
		expect(await send(eventWithKey())).toEqual(replayOf(1));
		now = start + keepResponseMs;
		expect(await send(eventWithKey())).toEqual(responseOf(2));
	});

	test('of a write that changed nothing gets a large response without its being stored, until others change the item', async () => {
		const large = 'x'.repeat(5000);
		let unit = 'bar';
		/** Changes nothing while the unit is bar. */
		const write = (createRecord: IdempotencyRecordFactory<number>) =>
			runTransaction(
				{ store, pause: async () => undefined, now: () => now, origin: testOrigin },
				's',
				createRecord,
				async (read) => {
					const stored = (await read([variableKey(1)])).get(variableKey(1));
					const row = makeVariableRow(1, { rowVersion: 2, version: 2, variable: makeVariable({ id: 1, unit }) });
					return { changes: unit === 'bar' && stored !== null ? [] : [{ key: variableKey(1), row }], answer: 1 };
				},
			);
		await write(undefined);
		const sendLarge = () =>
			idempotent({ idempotency, newId: randomUUID, now: () => now }, eventWithKey(), write, () => ok({ data: large }));
		expect(await sendLarge()).toEqual(ok({ data: large }));
		expect(await sendLarge()).toEqual(ok({ data: large }, { 'idempotent-replayed': 'true' }));
		const { stored } = v.parse(
			v.object({ stored: v.number() }),
			database.prepare('SELECT max(length(response)) AS stored FROM idempotency').get(),
		);
		expect(stored).toBeLessThan(100);
		unit = 'm';
		await expect(sendLarge()).rejects.toThrow(
			expect.objectContaining({ code: 'key_in_use', payload: { reason: 'changed_since' } }),
		);
	});

	test('leaves the revision of the schema unchanged', async () => {
		await send(eventWithKey());
		const revision = await store.revision('s');
		await send(eventWithKey());
		expect(await store.revision('s')).toEqual(revision);
	});
});

describe('requests without a key', () => {
	test('are executed each time', async () => {
		const event = makeEvent(route, { body: { name: 'Flow' } });
		expect([await send(event), await send(event)]).toEqual([responseOf(1), responseOf(2)]);
		expect(await executionCount()).toBe(2);
	});
});

describe('concurrent requests with one key', () => {
	test('are executed once, and get an error while the first one runs', async () => {
		const event = eventWithKey();
		const { write, resume } = paused(event);
		const first = send(event, write);
		const others = await Promise.allSettled(Array.from({ length: 19 }, () => send(event)));
		expect(others.map(({ status }) => status)).toEqual(others.map(() => 'rejected'));
		for (const other of others) if (other.status === 'rejected') expect(other.reason).toEqual(running);
		resume();
		expect(await first).toEqual(responseOf(1));
		expect(await send(event)).toEqual(replayOf(1));
		expect(await executionCount()).toBe(1);
	});

	test('get one response or an error, and are executed once', async () => {
		const event = eventWithKey();
		const all = await Promise.allSettled(Array.from({ length: 20 }, () => send(event)));
		const answered = all.filter(({ status }) => status === 'fulfilled');
		expect(answered.length).toBeGreaterThan(0);
		for (const each of all) {
			if (each.status === 'fulfilled') expect([responseOf(1), replayOf(1)]).toContainEqual(each.value);
			else expect(each.reason).toEqual(running);
		}
		expect(await executionCount()).toBe(1);
	});
});

describe('a different request with the same key', () => {
	test.each([
		['another body', { body: { name: 'Level' } }],
		['the same body with other white space', { body: '{ "name": "Flow" }' }],
		['no body', { body: '' }],
		['another query', { query: { other: '1' } }],
	])('is refused and not executed: %s', async (_, parts) => {
		await send(eventWithKey());
		await expect(send(eventWithKey(parts))).rejects.toEqual(otherRequest);
		expect(await executionCount()).toBe(1);
	});

	test('is refused while the first one runs', async () => {
		const event = eventWithKey();
		const { write, resume } = paused(event);
		const first = send(event, write);
		await expect(send(eventWithKey({ body: {} }))).rejects.toEqual(otherRequest);
		resume();
		await first;
	});

	test('is refused when only the id in the path differs', async () => {
		const remove = (id: number) => eventWithKey({ id }, 'key-1', 'POST /deleteVar/{id}');
		await send(remove(1));
		await expect(send(remove(2))).rejects.toEqual(otherRequest);
	});

	test('leaves the first response stored', async () => {
		await send(eventWithKey());
		await expect(send(eventWithKey({ body: {} }))).rejects.toEqual(otherRequest);
		expect(await send(eventWithKey())).toEqual(replayOf(1));
	});
});

describe('a key is separate', () => {
	const claims = { schema: 's', tsdb: 'd', sub: '1' };

	test.each([
		['by schema', eventWithKey({ claims: { ...claims, schema: 't' } })],
		['by user', eventWithKey({ claims: { ...claims, sub: '2' } })],
		['by route', eventWithKey({}, 'key-1', 'POST /saveChart')],
		['by key', eventWithKey({}, 'key-2')],
		['by the case of the key', eventWithKey({}, 'KEY-1')],
	])('%s', async (_, other) => {
		await send(eventWithKey());
		await send(other);
		expect((await executionCount()) + (await executionCount('t'))).toBe(2);
	});

	test('keys are separate even when their joined parts would be equal', async () => {
		await send(eventWithKey({ claims: { ...claims, schema: 's', sub: '1","2' } }));
		await send(eventWithKey({ claims: { ...claims, schema: 's","1', sub: '2' } }));
		expect((await executionCount()) + (await executionCount('s","1'))).toBe(2);
	});
});

describe('a request that fails', () => {
	const refused = new DomainError('not_found', { kind: 'variable', id: 7 });
	const failing = async (): Promise<number> => {
		throw refused;
	};

	test('releases its key: the next request is executed, even with a different body', async () => {
		await expect(send(eventWithKey(), failing)).rejects.toBe(refused);
		expect(await send(eventWithKey({ body: {} }))).toEqual(responseOf(1));
	});

	test('gets its own error when the key cannot be released', async () => {
		const { claim } = idempotency;
		idempotency = { claim, release: async () => Promise.reject(new Error('The store is gone.')) };
		await expect(send(eventWithKey(), failing)).rejects.toBe(refused);
	});

	test('a request that fails after its commit keeps its response: the retry gets it and is not executed', async () => {
		const lost = new DomainError('outcome_unknown', { cause: 'The connection broke.' });
		const event = eventWithKey();
		const write = async (createRecord: IdempotencyRecordFactory<number>): Promise<number> => {
			await saveOne(event)(createRecord);
			throw lost;
		};
		await expect(send(event, write)).rejects.toBe(lost);
		expect(await send(event)).toEqual(replayOf(1));
		expect(await executionCount()).toBe(1);
	});

	test('a request that fails to claim its key is not executed', async () => {
		const down = new DomainError('store_failed', { cause: 'down' });
		idempotency = { ...idempotency, claim: async () => Promise.reject(down) };
		await expect(send(eventWithKey())).rejects.toBe(down);
		expect(await executionCount()).toBe(0);
	});
});

describe('the claim of a crashed request', () => {
	test('expires after exactly one minute', async () => {
		const event = eventWithKey();
		void send(event, paused(event).write);
		now = start + claimMs - 1;
		await expect(send(event)).rejects.toEqual(running);
		now = start + claimMs;
		expect(await send(event)).toEqual(responseOf(1));
		expect(await executionCount()).toBe(1);
	});

	test('stores nothing after another request took it over', async () => {
		const event = eventWithKey();
		const { write, resume } = paused(event);
		const slow = send(event, write);
		now = start + claimMs;
		expect(await send(event)).toEqual(responseOf(1));
		resume();
		await expect(slow).rejects.toEqual(running);
		expect(await send(event)).toEqual(replayOf(1));
		expect(await executionCount()).toBe(1);
	});

	test('is not released by the first request after another one took it over', async () => {
		const event = eventWithKey();
		const [slow, second] = [paused(event), paused(event)];
		const first = send(event, slow.write);
		now = start + claimMs;
		const taken = send(event, second.write);
		slow.resume();
		await expect(first).rejects.toEqual(running);
		await expect(send(event)).rejects.toEqual(running);
		second.resume();
		await taken;
		expect(await executionCount()).toBe(1);
	});
});

describe('a key', () => {
	test.each([['a'], ['!'], ['~'], ['6f0c1a52-8a52-4b8e-9c63-0d9f4d1f4a10'], ['"quoted"'], ['__proto__'], ['x'.repeat(255)]])(
		'accepts %j',
		async (key) => {
			expect(await send(eventWithKey({}, key))).toEqual(responseOf(1));
			expect(await send(eventWithKey({}, key))).toEqual(replayOf(1));
		},
	);

	test.each([[''], [' '], ['a b'], ['a\n'], ['a\t'], ['\u007f'], ['clé'], ['😀'], ['x'.repeat(256)]])(
		'refuses %j and executes nothing',
		async (key) => {
			await expect(send(eventWithKey({}, key))).rejects.toEqual(
				expect.objectContaining({ status: 400, field: 'Idempotency-Key' }),
			);
			expect(await executionCount()).toBe(0);
		},
	);
});
