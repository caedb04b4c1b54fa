import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { DomainError } from '#domain/errors.ts';
import { claimMs, type Idempotency, keepAnswerMs } from '#domain/ports/idempotency.ts';
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

const route = 'POST /saveVariable';
const start = 1_000_000;

let store: SchemaStore;
let idempotency: Idempotency;
let now: number;

beforeEach(() => {
	const database = openDatabase(':memory:');
	store = createSqliteSchemaStore(database);
	idempotency = createSqliteIdempotency(database);
	now = start;
});

/** A save that anybody can count: each execution stores a variable more, and answers its id. */
const saveOne = (event: ApiEvent) => async (receipted: IdempotencyRecordFactory<number>) => {
	const { schema } = callerOf(event);
	const id = await store.nextId(schema);
	return runTransaction({ store, pause: async () => undefined }, schema, receipted, async (read) => {
		await read([variableKey(id)]);
		const row = makeVariableRow(id, { variable: makeVariable({ id }) });
		return { changes: [{ key: variableKey(id), row }], answer: id };
	});
};

const answerOf = (id: number): ApiResponse => ok({ data: { id } }, { etag: `"${id}"` });

const keyed = (parts: RequestParts = {}, key = 'key-1', routeKey = route): ApiEvent =>
	makeEvent(routeKey, { body: { name: 'Flow' }, ...parts, headers: { 'idempotency-key': key } });

const send = (event: ApiEvent, write = saveOne(event)): Promise<ApiResponse> =>
	idempotent({ idempotency, newId: randomUUID, now: () => now }, event, callerOf(event), write, answerOf);

const executed = async (schema = 's'): Promise<number> => (await store.list(schema, 'variable')).length;

const running = expect.objectContaining({ code: 'key_in_use', payload: { why: 'running' } });
const otherRequest = expect.objectContaining({ code: 'key_in_use', payload: { why: 'other_request' } });

/** A write that waits in the middle of its execution until it is let go. */
const held = (event: ApiEvent) => {
	const gate = Promise.withResolvers<void>();
	const write = async (receipted: IdempotencyRecordFactory<number>) => {
		await gate.promise;
		return saveOne(event)(receipted);
	};
	return { write, letGo: gate.resolve };
};

describe('a request sent again with its key', () => {
	test('is answered as the first, headers too, and executes nothing', async () => {
		const first = await send(keyed());
		expect(first).toEqual(answerOf(1));
		for (let time = 0; time < 3; time += 1) expect(await send(keyed())).toEqual(first);
		expect(await executed()).toBe(1);
	});

	test('is the same request whether or not its body comes in base64', async () => {
		const event = keyed();
		await send(event);
		const encoded = { ...event, body: Buffer.from(event.body ?? '').toString('base64'), isBase64Encoded: true };
		expect(await send(encoded)).toEqual(answerOf(1));
		expect(await executed()).toBe(1);
	});

	test('is answered as the first until 24 h have passed, and then is a new one', async () => {
		await send(keyed());
		now = start + keepAnswerMs - 1;
		expect(await send(keyed())).toEqual(answerOf(1));
		now = start + keepAnswerMs;
		expect(await send(keyed())).toEqual(answerOf(2));
	});

	test('changes nothing at all, not even the revision', async () => {
		await send(keyed());
		const revision = await store.revision('s');
		await send(keyed());
		expect(await store.revision('s')).toBe(revision);
	});
});

describe('without a key', () => {
	test('each request is executed', async () => {
		const event = makeEvent(route, { body: { name: 'Flow' } });
		expect([await send(event), await send(event)]).toEqual([answerOf(1), answerOf(2)]);
		expect(await executed()).toBe(2);
	});
});

describe('requests at once with one key', () => {
	test('are executed once: those that come while the first runs are told so', async () => {
		const event = keyed();
		const { write, letGo } = held(event);
		const first = send(event, write);
		const others = await Promise.allSettled(Array.from({ length: 19 }, () => send(event)));
		expect(others.map(({ status }) => status)).toEqual(others.map(() => 'rejected'));
		for (const other of others) if (other.status === 'rejected') expect(other.reason).toEqual(running);
		letGo();
		expect(await first).toEqual(answerOf(1));
		expect(await send(event)).toEqual(answerOf(1));
		expect(await executed()).toBe(1);
	});

	test('20 of them in any order are answered the same or told that one runs, and leave one execution', async () => {
		const event = keyed();
		const all = await Promise.allSettled(Array.from({ length: 20 }, () => send(event)));
		const answered = all.filter(({ status }) => status === 'fulfilled');
		expect(answered.length).toBeGreaterThan(0);
		for (const each of all) {
			if (each.status === 'fulfilled') expect(each.value).toEqual(answerOf(1));
			else expect(each.reason).toEqual(running);
		}
		expect(await executed()).toBe(1);
	});
});

describe('another request with the same key', () => {
	test.each([
		['another body', { body: { name: 'Level' } }],
		['the same body written otherwise', { body: '{ "name": "Flow" }' }],
		['no body', { body: '' }],
		['another query', { query: { other: '1' } }],
	])('is refused, and not executed: %s', async (_, parts) => {
		await send(keyed());
		await expect(send(keyed(parts))).rejects.toEqual(otherRequest);
		expect(await executed()).toBe(1);
	});

	test('is refused so while the first still runs', async () => {
		const event = keyed();
		const { write, letGo } = held(event);
		const first = send(event, write);
		await expect(send(keyed({ body: {} }))).rejects.toEqual(otherRequest);
		letGo();
		await first;
	});

	test('is refused where only the id in the path differs', async () => {
		const remove = (id: number) => keyed({ id }, 'key-1', 'POST /deleteVar/{id}');
		await send(remove(1));
		await expect(send(remove(2))).rejects.toEqual(otherRequest);
	});

	test('does not take the first answer away', async () => {
		await send(keyed());
		await expect(send(keyed({ body: {} }))).rejects.toEqual(otherRequest);
		expect(await send(keyed())).toEqual(answerOf(1));
	});
});

describe('keys are apart', () => {
	const claims = { schema: 's', tsdb: 'd', sub: '1' };

	test.each([
		['by schema', keyed({ claims: { ...claims, schema: 't' } })],
		['by user', keyed({ claims: { ...claims, sub: '2' } })],
		['by route', keyed({}, 'key-1', 'POST /saveChart')],
		['by key', keyed({}, 'key-2')],
		['by the case of the key', keyed({}, 'KEY-1')],
	])('%s', async (_, other) => {
		await send(keyed());
		await send(other);
		expect((await executed()) + (await executed('t'))).toBe(2);
	});

	test('however the parts could be run together', async () => {
		await send(keyed({ claims: { ...claims, schema: 's', sub: '1","2' } }));
		await send(keyed({ claims: { ...claims, schema: 's","1', sub: '2' } }));
		expect((await executed()) + (await executed('s","1'))).toBe(2);
	});
});

describe('a request that fails', () => {
	const refused = new DomainError('not_found', { field: 'id', message: 'None.' });
	const failing = async (): Promise<number> => {
		throw refused;
	};

	test('gives its key up: the next is executed, even with another body', async () => {
		await expect(send(keyed(), failing)).rejects.toBe(refused);
		expect(await send(keyed({ body: {} }))).toEqual(answerOf(1));
	});

	test('is told of its own error where the key cannot be given up', async () => {
		const { claim } = idempotency;
		idempotency = { claim, release: async () => Promise.reject(new Error('The store is gone.')) };
		await expect(send(keyed(), failing)).rejects.toBe(refused);
	});

	test('after its commit, the outcome unknown, keeps its answer: the next is answered and not executed', async () => {
		const lost = new DomainError('outcome_unknown', { cause: 'The connection broke.' });
		const event = keyed();
		const write = async (receipted: IdempotencyRecordFactory<number>): Promise<number> => {
			await saveOne(event)(receipted);
			throw lost;
		};
		await expect(send(event, write)).rejects.toBe(lost);
		expect(await send(event)).toEqual(answerOf(1));
		expect(await executed()).toBe(1);
	});

	test('where the key cannot be claimed, is not executed', async () => {
		const down = new DomainError('store_failed', { cause: 'down' });
		idempotency = { ...idempotency, claim: async () => Promise.reject(down) };
		await expect(send(keyed())).rejects.toBe(down);
		expect(await executed()).toBe(0);
	});
});

describe('the claim of a request that crashed', () => {
	test('holds for a minute, to the millisecond, and then lapses', async () => {
		const event = keyed();
		void send(event, held(event).write);
		now = start + claimMs - 1;
		await expect(send(event)).rejects.toEqual(running);
		now = start + claimMs;
		expect(await send(event)).toEqual(answerOf(1));
		expect(await executed()).toBe(1);
	});

	test('once lapsed and taken over, stores nothing any more, and does not take the answer away', async () => {
		const event = keyed();
		const { write, letGo } = held(event);
		const slow = send(event, write);
		now = start + claimMs;
		const answer = await send(event);
		letGo();
		await expect(slow).rejects.toEqual(running);
		expect(await send(event)).toEqual(answer);
		expect(await executed()).toBe(1);
	});

	test('once lapsed and taken over, is not given up by the first for the second', async () => {
		const event = keyed();
		const [slow, second] = [held(event), held(event)];
		const first = send(event, slow.write);
		now = start + claimMs;
		const taken = send(event, second.write);
		slow.letGo();
		await expect(first).rejects.toEqual(running);
		await expect(send(event)).rejects.toEqual(running);
		second.letGo();
		await taken;
		expect(await executed()).toBe(1);
	});
});

describe('a key', () => {
	test.each([['a'], ['!'], ['~'], ['6f0c1a52-8a52-4b8e-9c63-0d9f4d1f4a10'], ['"quoted"'], ['__proto__'], ['x'.repeat(255)]])(
		'%j is taken',
		async (key) => {
			expect(await send(keyed({}, key))).toEqual(answerOf(1));
			expect(await send(keyed({}, key))).toEqual(answerOf(1));
		},
	);

	test.each([[''], [' '], ['a b'], ['a\n'], ['a\t'], ['\u007f'], ['clé'], ['😀'], ['x'.repeat(256)]])(
		'%j is refused, and nothing executed',
		async (key) => {
			await expect(send(keyed({}, key))).rejects.toEqual(expect.objectContaining({ status: 400, field: 'Idempotency-Key' }));
			expect(await executed()).toBe(0);
		},
	);
});
