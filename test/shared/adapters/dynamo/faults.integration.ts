import { afterEach, describe, expect, inject, test } from 'vitest';
import { jitteredPause } from '#adapters/jittered-pause.ts';
import { DomainError } from '#domain/errors.ts';
import type { RowCommit } from '#domain/ports/schema-store.ts';
import { runTransaction } from '#domain/transaction/run-transaction.ts';
import { makeVariableRow } from '#test/support/builders/builders.ts';
import { adaptersOf, describeDynamo, newDatabase, openAdapters, openLocalDynamo } from '#test/support/servers/dynamo.ts';
import { cancelled, type Fate, fault, openFaultyProxy, type Passing } from '#test/support/servers/faulty-proxy.ts';

const key = (id: number) => ({ kind: 'variable', id }) as const;
const create = (id: number): RowCommit => ({ key: key(id), expected: null, put: makeVariableRow(id) });
/** Attempts end the repeating, never the clock: an attempt that a deadline cuts short would be of unknown outcome. */
const patient = { requestTimeoutMs: 1000, deadlineMs: 30_000, callMs: 30_000, maxAttempts: 5 };
/** The clock ends the repeating. */
const hasty = { requestTimeoutMs: 300, deadlineMs: 1500, callMs: 4000 };
const codeOf = (promise: Promise<unknown>): Promise<string> =>
	promise.then(
		(value) => `answered ${JSON.stringify(value)}`,
		(error: unknown) => (error instanceof DomainError ? error.code : String(error)),
	);

describeDynamo('DynamoDB that fails', () => {
	const closing: (() => void)[] = [];
	afterEach(() => {
		for (const close of closing.splice(0)) close();
	});

	/** The adapters behind a proxy, and the same database without it. `fateOf` is given how many came before of its operation. */
	const behind = async (fateOf: (passing: Passing, before: number) => Promise<Fate> | Fate, limits: object = patient) => {
		const database = newDatabase();
		const direct = await openAdapters({ database });
		const counts = new Map<string, number>();
		const proxy = await openFaultyProxy(inject('dynamoDbEndpoint') ?? '', (passing) => {
			const before = counts.get(passing.operation) ?? 0;
			counts.set(passing.operation, before + 1);
			return fateOf(passing, before);
		});
		closing.push(proxy.close);
		return { direct, ...adaptersOf(openLocalDynamo({ database, endpoint: proxy.url, limits })), seen: proxy.seen };
	};
	const firstOnly = (fate: (passing: Passing) => Promise<Fate> | Fate) => (passing: Passing, before: number) =>
		before === 0 ? fate(passing) : passing.forward();

	describe('a commit whose answer is lost', () => {
		test.each([
			['closed', 'close'],
			['kept waiting', 'silence'],
			['broken off', 'half an answer'],
			['a fault of the server', fault('InternalServerError', 500)],
			['another attempt under way', fault('TransactionInProgressException')],
		] as const)('is applied once, and known to be: %s', async (_, fate) => {
			const { store, idempotency, direct, seen } = await behind(
				firstOnly(async ({ operation, forward }) => {
					const answer = await forward();
					return operation === 'TransactWriteItems' ? fate : answer;
				}),
			);
			const claim = { key: 'k', token: 't' };
			await idempotency.claim(claim, 'body', 1000);
			expect(await store.commit('s', [create(1)], { claim, response: '1', keepUntil: 9e12 })).toBe('committed');
			expect(await direct.store.revision('s')).toBe(1);
			expect(await direct.store.list('s', 'variable')).toHaveLength(1);
			expect(await direct.idempotency.claim({ ...claim, token: 'u' }, 'body', 1001)).toEqual({ state: 'done', response: '1' });
			const tokens = seen
				.filter(({ operation }) => operation === 'TransactWriteItems')
				.map(({ body }) => body.ClientRequestToken);
			expect(tokens).toHaveLength(2);
			expect(new Set(tokens).size).toBe(1);
		});

		test('every time, is unknown', async () => {
			const { store, direct } = await behind(async ({ forward }): Promise<Fate> => {
				await forward();
				return 'close';
			});
			expect(await codeOf(store.commit('s', [create(1)]))).toBe('outcome_unknown');
			expect(await direct.store.revision('s')).toBe(1);
		});

		test.each([
			['conflicts with other transactions', cancelled('TransactionConflict', 'None')],
			['is throttled', fault('ThrottlingException')],
			['is refused', fault('AccessDeniedException')],
		])('and which then %s, is unknown', async (_, fate) => {
			const { store, direct } = await behind(async ({ forward }, before) => {
				if (before > 0) return fate;
				await forward();
				return 'close';
			});
			expect(await codeOf(store.commit('s', [create(1)]))).toBe('outcome_unknown');
			expect(await direct.store.revision('s')).toBe(1);
		});

		test('and which never arrived, is committed by its second attempt', async () => {
			const { store, direct } = await behind(firstOnly(() => 'close'));
			expect(await store.commit('s', [create(1)])).toBe('committed');
			expect(await direct.store.revision('s')).toBe(1);
		});
	});

	describe('a commit that certainly was not applied', () => {
		test.each([
			['conflicts with another transaction', cancelled('TransactionConflict', 'None')],
			['is throttled within the transaction', cancelled('None', 'ThrottlingError')],
			['is throttled', fault('ThrottlingException')],
			['exceeds a throughput', fault('ProvisionedThroughputExceededException')],
		])('is sent again when it %s, and is a conflict when it always does', async (_, fate) => {
			const once = await behind(firstOnly(() => fate));
			expect(await once.store.commit('s', [create(1)])).toBe('committed');
			expect(once.seen).toHaveLength(2);
			const always = await behind(() => fate);
			expect(await always.store.commit('s', [create(1)])).toBe('conflict');
			expect(always.seen.length).toBeGreaterThan(3);
			expect(await always.direct.store.revision('s')).toBe(0);
		});

		test.each([
			['is invalid', fault('ValidationException')],
			['is not allowed', fault('AccessDeniedException')],
			['has no table', fault('ResourceNotFoundException')],
			['is cancelled as invalid', cancelled('ValidationError', 'None')],
		])('fails at once where it %s', async (_, fate) => {
			const { store, seen } = await behind(() => fate);
			expect(await codeOf(store.commit('s', [create(1)]))).toBe('store_failed');
			expect(seen).toHaveLength(1);
		});

		test('tells a row’s conflict from a full schema and a lost claim, whichever come together', async () => {
			const failed = 'ConditionalCheckFailed';
			const receipt = { claim: { key: 'k', token: 't' }, response: '1', keepUntil: 1 };
			for (const [codes, outcome] of [
				[['None', failed, 'None', 'None'], 'conflict'],
				[[failed, 'None', failed, failed], 'conflict'],
				[['TransactionConflict', failed, 'None', 'None'], 'conflict'],
				[['None', 'None', failed, failed], 'full'],
				[['None', 'None', 'None', failed], 'claim_lost'],
			] as const) {
				const { store, seen } = await behind(() => cancelled(...codes));
				expect(await store.commit('s', [create(1), create(2)], receipt)).toBe(outcome);
				expect(seen).toHaveLength(1);
			}
		});
	});

	test('where nothing listens, every call fails, and writes nothing', async () => {
		const closed = await openFaultyProxy('', () => 'close');
		closed.close();
		const { store, idempotency, users, failures } = adaptersOf(openLocalDynamo({ endpoint: closed.url, limits: patient }));
		const calls = [
			store.commit('s', [create(1)]),
			store.revision('s'),
			store.get('s', [key(1)]),
			store.get('s', [key(1), key(2)]),
			store.list('s', 'variable'),
			store.snapshot('s', [1]),
			store.snapshot('s', 'all'),
			store.nextId('s'),
			idempotency.claim({ key: 'k', token: 't' }, 'body', 1000),
			idempotency.release({ key: 'k', token: 't' }),
			users.find('a@x'),
			failures.recent('a@x', 0, 1),
		];
		expect(new Set(await Promise.all(calls.map(codeOf)))).toEqual(new Set(['store_failed']));
	}, 10_000);

	test.each(['silence', 'half an answer'] as const)('with %s, every call fails within the deadline', async (fate) => {
		const { store, idempotency, seen } = await behind(() => fate, hasty);
		const began = performance.now();
		expect(
			await Promise.all(
				[
					store.commit('s', [create(1)]),
					store.revision('s'),
					store.get('s', [key(1), key(2)]),
					store.list('s', 'variable'),
					store.snapshot('s', 'all'),
					idempotency.claim({ key: 'k', token: 't' }, 'body', 1000),
				].map(codeOf),
			),
		).toEqual(['outcome_unknown', ...Array(5).fill('store_failed')]);
		expect(performance.now() - began).toBeLessThan(hasty.callMs + 2000);
		expect(seen.filter(({ operation }) => operation === 'TransactWriteItems').length).toBeGreaterThan(1);
	});

	test('a claim whose answer is lost is the request’s own', async () => {
		const { idempotency } = await behind(
			firstOnly(async ({ forward }): Promise<Fate> => {
				await forward();
				return 'close';
			}),
		);
		expect(await idempotency.claim({ key: 'k', token: 't' }, 'body', 1000)).toEqual({ state: 'claimed' });
		expect(await idempotency.claim({ key: 'k', token: 'u' }, 'body', 1001)).toEqual({ state: 'running' });
	});

	test('reads are repeated through throttling and conflicts', async () => {
		const { store } = await behind(({ operation, forward }, before) => {
			if (before > 1) return forward();
			return operation === 'TransactGetItems' ? cancelled('TransactionConflict') : fault('ThrottlingException');
		});
		expect(await store.commit('s', [create(1), create(2)])).toBe('committed');
		expect(await store.revision('s')).toBe(1);
		expect(await store.get('s', [key(1), key(2)])).toHaveLength(2);
		expect((await store.snapshot('s', 'all')).variables.size).toBe(2);
	});

	test('64 writers at once on different rows of one schema all get through, where one transaction at a time holds the head', async () => {
		// DynamoDB Local knows no TransactionConflict: DynamoDB refuses a transaction that meets another on an item.
		let held = false;
		let refused = 0;
		const { direct, ...opened } = await behind(async ({ operation, body, forward }) => {
			if (operation !== 'TransactWriteItems') return forward();
			if (held) {
				refused += 1;
				return cancelled(
					...body.TransactItems.map((_: unknown, index: number) => (index === 1 ? 'TransactionConflict' : 'None')),
				);
			}
			held = true;
			try {
				return await forward();
			} finally {
				held = false;
			}
		}, {});
		const ids = Array.from({ length: 64 }, (_, index) => index + 1);
		const deps = { store: opened.store, pause: jitteredPause };
		const answers = await Promise.all(
			ids.map((id) =>
				runTransaction(deps, 's', undefined, async (read) => {
					await read([key(id)]);
					return { changes: [{ key: key(id), row: makeVariableRow(id) }], answer: id };
				}),
			),
		);
		expect(answers).toEqual(ids);
		expect(refused).toBeGreaterThan(0);
		expect(await direct.store.revision('s')).toBe(64);
		expect((await direct.store.list('s', 'variable')).map(({ variable }) => variable.id)).toEqual(ids);
	});
});
