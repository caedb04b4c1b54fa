import { afterEach, describe, expect, inject, test } from 'vitest';
import { jitteredPause } from '#adapters/jittered-pause.ts';
import { DomainError } from '#domain/errors.ts';
import type { RowCommit } from '#domain/ports/schema-store.ts';
import { runTransaction } from '#domain/transaction/run-transaction.ts';
import { makeVariableRow } from '#test/support/builders/builders.ts';
import { testOrigin } from '#test/support/builders/origin.ts';
import { adaptersOf, describeDynamo, newDatabase, openAdapters, openLocalDynamo } from '#test/support/servers/dynamo.ts';
import {
	awsError,
	canceledTransaction,
	openFaultyProxy,
	type ProxiedRequest,
	type ProxyAction,
} from '#test/support/servers/faulty-proxy.ts';

const key = (id: number) => ({ kind: 'variable', id }) as const;
const create = (id: number): RowCommit => ({ key: key(id), expected: null, put: makeVariableRow(id) });
/** The number of attempts ends the retries, never the deadline, which would leave the outcome of an attempt unknown. */
const attemptLimits = { requestTimeoutMs: 1000, deadlineMs: 30_000, callMs: 30_000, maxAttempts: 5 };
/** The deadline ends the retries. */
const timeLimits = { requestTimeoutMs: 300, deadlineMs: 1500, callMs: 4000 };
const codeOf = (promise: Promise<unknown>): Promise<string> =>
	promise.then(
		(value) => `resolved to ${JSON.stringify(value)}`,
		(error: unknown) => (error instanceof DomainError ? error.code : String(error)),
	);

describeDynamo('faults of DynamoDB', () => {
	const closing: (() => void)[] = [];
	afterEach(() => {
		for (const close of closing.splice(0)) close();
	});

	/**
	 * Opens adapters behind a proxy, and others for the same database without it.
	 * @param actionFor also receives the number of earlier requests of the same operation
	 */
	const openBehindProxy = async (
		actionFor: (proxied: ProxiedRequest, before: number) => Promise<ProxyAction> | ProxyAction,
		limits: object = attemptLimits,
		time: { readonly timeLeftMs?: () => number } = {},
	) => {
		const database = newDatabase();
		const direct = await openAdapters({ database });
		const counts = new Map<string, number>();
		const proxy = await openFaultyProxy(inject('dynamoDbEndpoint') ?? '', (proxied) => {
			const before = counts.get(proxied.operation) ?? 0;
			counts.set(proxied.operation, before + 1);
			return actionFor(proxied, before);
		});
		closing.push(proxy.close);
		return { direct, ...adaptersOf(openLocalDynamo({ database, endpoint: proxy.url, limits, ...time })), seen: proxy.seen };
	};
	const firstOnly =
		(action: (proxied: ProxiedRequest) => Promise<ProxyAction> | ProxyAction) => (proxied: ProxiedRequest, before: number) =>
			before === 0 ? action(proxied) : proxied.forward();

	describe('a commit whose response is lost', () => {
		test.each([
			['a closed connection', 'close'],
			['no response', 'silence'],
			['half a response', 'half a response'],
			['a server error', awsError('InternalServerError', 500)],
			['an earlier attempt in progress', awsError('TransactionInProgressException')],
		] as const)('is applied once and reported as committed: %s', async (_, action) => {
			const { store, idempotency, direct, seen } = await openBehindProxy(
				firstOnly(async ({ operation, forward }) => {
					const response = await forward();
					return operation === 'TransactWriteItems' ? action : response;
				}),
			);
			const claim = { key: 'k', token: 't' };
			await idempotency.claim(claim, 'body', 1000);
			expect(await store.commit('s', [create(1)], { claim, response: '1', keepUntil: 9e12 })).toBe('committed');
			expect(await direct.store.revision('s')).toMatchObject({ revision: 1 });
			expect(await direct.store.list('s', 'variable')).toHaveLength(1);
			expect(await direct.idempotency.claim({ ...claim, token: 'u' }, 'body', 1001)).toEqual({ state: 'done', response: '1' });
			const tokens = seen
				.filter(({ operation }) => operation === 'TransactWriteItems')
				.map(({ body }) => body.ClientRequestToken);
			expect(tokens).toHaveLength(2);
			expect(new Set(tokens).size).toBe(1);
		});

		test('has an unknown outcome when every response is lost', async () => {
			const { store, direct } = await openBehindProxy(async ({ forward }): Promise<ProxyAction> => {
				await forward();
				return 'close';
			});
			expect(await codeOf(store.commit('s', [create(1)]))).toBe('outcome_unknown');
			expect(await direct.store.revision('s')).toMatchObject({ revision: 1 });
		});

		test.each([
			['a conflict with other transactions', canceledTransaction('TransactionConflict', 'None')],
			['throttling', awsError('ThrottlingException')],
			['a refusal', awsError('AccessDeniedException')],
		])('has an unknown outcome when the next attempt fails: %s', async (_, action) => {
			const { store, direct } = await openBehindProxy(async ({ forward }, before) => {
				if (before > 0) return action;
				await forward();
				return 'close';
			});
			expect(await codeOf(store.commit('s', [create(1)]))).toBe('outcome_unknown');
			expect(await direct.store.revision('s')).toMatchObject({ revision: 1 });
		});

		test('is committed by its second attempt when the first one never arrived', async () => {
			const { store, direct } = await openBehindProxy(firstOnly(() => 'close'));
			expect(await store.commit('s', [create(1)])).toBe('committed');
			expect(await direct.store.revision('s')).toMatchObject({ revision: 1 });
		});
	});

	describe('a commit that was not applied', () => {
		test.each([
			['conflicts with another transaction', canceledTransaction('TransactionConflict', 'None')],
			['is throttled within the transaction', canceledTransaction('None', 'ThrottlingError')],
			['is throttled', awsError('ThrottlingException')],
			['exceeds a throughput', awsError('ProvisionedThroughputExceededException')],
		])('is retried when it %s, and is a conflict when every attempt fails so', async (_, action) => {
			const once = await openBehindProxy(firstOnly(() => action));
			expect(await once.store.commit('s', [create(1)])).toBe('committed');
			expect(once.seen).toHaveLength(2);
			const always = await openBehindProxy(() => action);
			expect(await always.store.commit('s', [create(1)])).toBe('conflict');
			expect(always.seen.length).toBeGreaterThan(3);
			expect(await always.direct.store.revision('s')).toMatchObject({ revision: 0 });
		});

		test.each([
			['is invalid', awsError('ValidationException')],
			['is not allowed', awsError('AccessDeniedException')],
			['has no table', awsError('ResourceNotFoundException')],
			['is cancelled as invalid', canceledTransaction('ValidationError', 'None')],
		])('fails at once when it %s', async (_, action) => {
			const { store, seen } = await openBehindProxy(() => action);
			expect(await codeOf(store.commit('s', [create(1)]))).toBe('store_failed');
			expect(seen).toHaveLength(1);
		});

		test('distinguishes a conflict of a row, a full schema and a lost claim in any combination', async () => {
			const failed = 'ConditionalCheckFailed';
			const record = { claim: { key: 'k', token: 't' }, response: '1', keepUntil: 1 };
			for (const [codes, outcome] of [
				[['None', failed, 'None', 'None'], 'conflict'],
				[[failed, 'None', failed, failed], 'conflict'],
				[['TransactionConflict', failed, 'None', 'None'], 'conflict'],
				[['None', 'None', failed, failed], 'full'],
				[['None', 'None', 'None', failed], 'claim_lost'],
			] as const) {
				// The metadata item that refuses the commit has a short list of changes and the most variables.
				const { store, seen } = await openBehindProxy(({ operation }) => {
					if (operation === 'TransactWriteItems') return canceledTransaction(...codes);
					if (operation === 'GetItem') return { status: 200, body: { Item: { variables: { N: '10000' } } } };
					return { status: 400, body: { __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException' } };
				});
				expect(await store.commit('s', [create(1), create(2)], record)).toBe(outcome);
				const details = outcome === 'full' ? ['UpdateItem', 'GetItem'] : [];
				expect(seen.map(({ operation }) => operation)).toEqual(['TransactWriteItems', ...details]);
			}
		});
	});

	test('every call fails with store_failed when the connection is refused', async () => {
		const closed = await openFaultyProxy('', () => 'close');
		closed.close();
		const { store, idempotency, users, owners, attempts } = adaptersOf(
			openLocalDynamo({ endpoint: closed.url, limits: attemptLimits }),
		);
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
			owners.claim([{ kind: 'schema', name: 's' }], 1),
			attempts.count({ email: 'a@x', source: null }, { id: '1', at: 0 }, 1),
		];
		expect(new Set(await Promise.all(calls.map(codeOf)))).toEqual(new Set(['store_failed']));
	}, 10_000);

	test.each(['silence', 'half a response'] as const)('every call fails within the deadline: %s', async (action) => {
		const { store, idempotency, seen } = await openBehindProxy(() => action, timeLimits);
		const startedAt = performance.now();
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
		expect(performance.now() - startedAt).toBeLessThan(timeLimits.callMs + 10_000);
		expect(seen.filter(({ operation }) => operation === 'TransactWriteItems').length).toBeGreaterThan(1);
	});

	test('a write in a brown-out fails before the time of its request is over, and releases its claim', async () => {
		/** The time of the request for DynamoDB, and the time that each of its requests takes by this clock. */
		const [requestMs, perRequestMs] = [25_000, 900];
		let usedMs = 0;
		const { store, idempotency, direct, seen } = await openBehindProxy(
			({ operation, forward }) => {
				usedMs += perRequestMs;
				return operation === 'TransactWriteItems' ? awsError('ThrottlingException') : forward();
			},
			{},
			{ timeLeftMs: () => requestMs - usedMs },
		);
		const claim = { key: 'k', token: 't' };
		await idempotency.claim(claim, 'body', 1000);
		const write = runTransaction(
			{ store, pause: jitteredPause, now: () => 1_000_000, origin: testOrigin },
			's',
			undefined,
			async (read) => {
				await read([key(1)]);
				return { changes: [{ key: key(1), row: makeVariableRow(1) }], answer: 1 };
			},
		);
		expect(await codeOf(write)).toBe('store_failed');
		expect(usedMs).toBeGreaterThan(requestMs - perRequestMs);
		expect(usedMs).toBeLessThan(requestMs + perRequestMs);
		const sent = seen.length;
		expect(await codeOf(store.snapshot('s', 'all'))).toBe('store_failed');
		expect(seen).toHaveLength(sent);
		await idempotency.release(claim);
		expect(await direct.idempotency.claim({ ...claim, token: 'u' }, 'body', 1001)).toEqual({ state: 'claimed' });
	}, 30_000);

	test('a claim whose response is lost still belongs to its request', async () => {
		const { idempotency } = await openBehindProxy(
			firstOnly(async ({ forward }): Promise<ProxyAction> => {
				await forward();
				return 'close';
			}),
		);
		expect(await idempotency.claim({ key: 'k', token: 't' }, 'body', 1000)).toEqual({ state: 'claimed' });
		expect(await idempotency.claim({ key: 'k', token: 'u' }, 'body', 1001)).toEqual({ state: 'running' });
	});

	test('reads are retried after throttling and conflicts', async () => {
		const { store } = await openBehindProxy(({ operation, forward }, before) => {
			if (before > 1) return forward();
			return operation === 'TransactGetItems' ? canceledTransaction('TransactionConflict') : awsError('ThrottlingException');
		});
		expect(await store.commit('s', [create(1), create(2)])).toBe('committed');
		expect(await store.revision('s')).toMatchObject({ revision: 1 });
		expect(await store.get('s', [key(1), key(2)])).toHaveLength(2);
		expect((await store.snapshot('s', 'all')).variables.size).toBe(2);
	});

	test('commits 64 concurrent writes to different rows of one schema, although each locks the schema’s metadata', async () => {
		// DynamoDB refuses a transaction while another one uses one of its items. DynamoDB Local does not, so the proxy does.
		let isLocked = false;
		let refused = 0;
		const { direct, ...opened } = await openBehindProxy(async ({ operation, body, forward }) => {
			if (operation !== 'TransactWriteItems') return forward();
			if (isLocked) {
				refused += 1;
				return canceledTransaction(
					...body.TransactItems.map((_: unknown, index: number) => (index === 1 ? 'TransactionConflict' : 'None')),
				);
			}
			isLocked = true;
			try {
				return await forward();
			} finally {
				isLocked = false;
			}
		}, {});
		const ids = Array.from({ length: 64 }, (_, index) => index + 1);
		const deps = { store: opened.store, pause: jitteredPause, now: () => 1_000_000, origin: testOrigin };
		const results = await Promise.all(
			ids.map((id) =>
				runTransaction(deps, 's', undefined, async (read) => {
					await read([key(id)]);
					return { changes: [{ key: key(id), row: makeVariableRow(id) }], answer: id };
				}),
			),
		);
		expect(results).toEqual(ids);
		expect(refused).toBeGreaterThan(0);
		expect(await direct.store.revision('s')).toMatchObject({ revision: 64 });
		expect((await direct.store.list('s', 'variable')).map(({ variable }) => variable.id)).toEqual(ids);
	});
});
