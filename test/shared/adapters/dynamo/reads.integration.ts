import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { maxRows, type ReferencedBy, type RowCommit, type SchemaStore, type VariableRow } from '#domain/ports/schema-store.ts';
import { makeVariableRow } from '#test/support/builders/builders.ts';
import { adaptersOf, describeDynamo, newDatabase, openAdapters, openLocalDynamo } from '#test/support/servers/dynamo.ts';
import { openFaultyProxy, type ProxiedRequest, type ProxyAction } from '#test/support/servers/faulty-proxy.ts';

const key = (id: number) => ({ kind: 'variable', id }) as const;
const create = (id: number, overrides: Partial<VariableRow> = {}): RowCommit => ({
	key: key(id),
	expected: null,
	put: makeVariableRow(id, overrides),
});
const idsUpTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describeDynamo('reading from DynamoDB Local', () => {
	/** References that make a row about 120 KB. They are the only part of a row without a limit. */
	const manyReferences: ReferencedBy = new Map(idsUpTo(6000).map((id) => [`diagram#${id}`, [0]]));
	const ids = idsUpTo(250);

	describe('a schema of 250 large variables (30 MB)', () => {
		const database = newDatabase();
		const operations: ProxiedRequest[] = [];
		let store: SchemaStore;
		let close = (): void => undefined;
		beforeAll(async () => {
			const direct = await openAdapters({ database });
			for (let first = 0; first < ids.length; first += 25)
				expect(
					await direct.store.commit(
						's',
						ids.slice(first, first + 25).map((id) => create(id, { referencedBy: manyReferences })),
					),
				).toBe('committed');
			const proxy = await openFaultyProxy(inject('dynamoDbEndpoint') ?? '', ({ forward }) => forward());
			({ store } = adaptersOf(openLocalDynamo({ database, endpoint: proxy.url })));
			close = proxy.close;
			operations.splice(0);
			proxy.seen.push = (...proxied) => operations.push(...proxied);
			return () => close();
		});

		const countOf = (operation: string): number => operations.filter((proxied) => proxied.operation === operation).length;

		test('lists all rows in pages of 1 MB', async () => {
			expect((await store.list('s', 'variable')).map(({ variable }) => variable.id)).toEqual(ids);
			expect(countOf('Query')).toBeGreaterThan(20);
		});

		test('gets rows in the order of the keys, null for missing rows, and repeated keys repeatedly', async () => {
			const rows = await store.get('s', [key(251), ...[...ids].reverse().map(key), key(7)]);
			expect(rows.map((row) => row?.variable.id)).toEqual([undefined, ...[...ids].reverse(), 7]);
			expect(rows[1]?.referencedBy.size).toBe(6000);
			// 100 keys are 12 MB. DynamoDB returns at most 16 MB in a response, and may return less.
			expect(countOf('BatchGetItem')).toBeGreaterThan(2);
		});

		test('takes a snapshot, although a transaction reads at most 4 MB', async () => {
			expect([...(await store.snapshot('s', 'all')).variables.keys()]).toEqual(ids);
			const some = await store.snapshot('s', [250, 1, 999, 1]);
			expect([...some.variables.keys()]).toEqual([250, 1]);
			expect(some.revision).toBe(10);
			for (const { operation, body } of operations)
				if (operation === 'TransactGetItems') expect(body.TransactItems[0].Get.Key.id).toEqual({ N: '0' });
		});

		test('refuses rows that are too large for an item or a transaction', async () => {
			const references = (count: number): ReferencedBy => new Map(idsUpTo(count).map((id) => [`diagram#${10_000 + id}`, []]));
			expect(await store.commit('t', [create(1, { referencedBy: references(18_900) })])).toBe('committed');
			await expect(store.commit('t', [create(2, { referencedBy: references(19_100) })])).rejects.toMatchObject({
				code: 'too_large',
				payload: { counted: 'bytes_of_row' },
			});
			const rows = idsUpTo(40).map((id) => create(1000 + id, { referencedBy: manyReferences }));
			await expect(store.commit('s', rows)).rejects.toMatchObject({
				code: 'too_large',
				payload: { counted: 'bytes_of_commit' },
			});
		});
	});

	const closing: (() => void)[] = [];
	afterEach(() => {
		for (const end of closing.splice(0)) end();
	});
	const openBehindProxy = async (actionFor: (proxied: ProxiedRequest) => Promise<ProxyAction> | ProxyAction) => {
		const database = newDatabase();
		const direct = await openAdapters({ database });
		const proxy = await openFaultyProxy(inject('dynamoDbEndpoint') ?? '', actionFor);
		closing.push(proxy.close);
		return { direct, seen: proxy.seen, ...adaptersOf(openLocalDynamo({ database, endpoint: proxy.url })) };
	};

	test('requests unprocessed keys of a batch again until it has all', async () => {
		const { direct, store, seen } = await openBehindProxy(async ({ operation, body, forward }) => {
			if (operation !== 'BatchGetItem') return forward();
			const [[table, requested]] = Object.entries<{ Keys: unknown[] }>(body.RequestItems) as [[string, { Keys: unknown[] }]];
			const { status, body: received } = await forward({
				RequestItems: { [table]: { ...requested, Keys: requested.Keys.slice(0, 3) } },
			});
			const rest = requested.Keys.slice(3);
			return {
				status,
				body: { ...received, UnprocessedKeys: rest.length === 0 ? {} : { [table]: { ...requested, Keys: rest } } },
			};
		});
		await direct.store.commit(
			's',
			idsUpTo(10).map((id) => create(id)),
		);
		expect((await store.get('s', idsUpTo(11).map(key))).map((row) => row?.variable.id)).toEqual([...idsUpTo(10), undefined]);
		expect(seen.map(({ body }) => Object.values<{ Keys: unknown[] }>(body.RequestItems)[0]?.Keys.length)).toEqual([11, 8, 5, 2]);
		expect(seen.every(({ body }) => Object.values<{ ConsistentRead: boolean }>(body.RequestItems)[0]?.ConsistentRead)).toBe(true);
	});

	test('fails when keys stay unprocessed', async () => {
		const { store } = await openBehindProxy(({ body }) => ({
			status: 200,
			body: { Responses: {}, UnprocessedKeys: body.RequestItems },
		}));
		await expect(store.get('s', [key(1), key(2)])).rejects.toMatchObject({ code: 'store_failed' });
	});

	test('gets rows of several tables in one call', async () => {
		const { store } = await openAdapters();
		const panel = {
			kind: 'panel',
			version: 1,
			rowVersion: 1,
			panel: { title: 'P', pumps: [], states: [{ id: 1, name: 'S', varId: 1, type: 'status' }] },
		} as const;
		const chart = {
			kind: 'chart',
			version: 1,
			rowVersion: 1,
			board: { kind: 'chart', content: { id: 1, title: 'C', series: [{ varId: 1 }] } },
		} as const;
		const stored = { ...panel, panel: { ...panel.panel, pumps: [], states: [...panel.panel.states] } };
		const board = {
			...chart,
			board: { ...chart.board, content: { ...chart.board.content, series: [...chart.board.content.series] } },
		};
		await store.commit('s', [
			create(1),
			{ key: { kind: 'panel' }, expected: null, put: stored },
			{ key: { kind: 'chart', id: 1 }, expected: null, put: board },
		]);
		expect(await store.get('s', [{ kind: 'chart', id: 1 }, key(1), { kind: 'panel' }, { kind: 'alarm', id: 1 }])).toEqual([
			board,
			makeVariableRow(1),
			stored,
			null,
		]);
	});

	test('a snapshot of several transactions is of one revision while others write', async () => {
		const { store } = await openAdapters();
		const all = idsUpTo(240);
		for (let first = 0; first < 240; first += 80)
			await store.commit(
				's',
				all.slice(first, first + 80).map((id) => create(id)),
			);
		const { revision: base } = await store.revision('s');
		let writing = true;
		/** The longest time of a snapshot so far: it finds no moment of its own between writes that follow each other faster. */
		let longestMs = 60;
		const snapshot = async (which: Parameters<typeof store.snapshot>[1]) => {
			const startedAt = performance.now();
			const read = await store.snapshot('s', which);
			longestMs = Math.max(longestMs, performance.now() - startedAt);
			return read;
		};
		await snapshot('all');
		// These rows are read in different transactions of a snapshot. They change together, so their rowVersion follows the revision.
		const writer = (async () => {
			for (let rowVersion = 1; writing; rowVersion += 1) {
				const change = (id: number): RowCommit => ({
					key: key(id),
					expected: rowVersion,
					put: makeVariableRow(id, { rowVersion: rowVersion + 1 }),
				});
				expect(await store.commit('s', [change(1), change(120), change(240)])).toBe('committed');
				await new Promise((resolve) => setTimeout(resolve, longestMs));
			}
		})();
		const revisions = new Set<number>();
		for (let round = 0; round < 10 || revisions.size < 4; round += 1)
			for (const which of ['all', all] as const) {
				const { revision, variables } = await snapshot(which);
				revisions.add(revision);
				expect(variables.size).toBe(240);
				for (const id of [1, 120, 240]) expect(variables.get(id)?.rowVersion).toBe(revision - base + 1);
			}
		writing = false;
		await writer;
	});

	test('a snapshot of all variables includes one that plain reads do not show yet', async () => {
		let hidden = 3;
		const { direct, store, seen } = await openBehindProxy(async ({ operation, forward }) => {
			const response = await forward();
			if (operation !== 'Query' || hidden === 0) return response;
			hidden -= 1;
			const { Items, ...rest } = response.body;
			return { ...response, body: { ...rest, Items: Items.slice(0, -1) } };
		});
		await direct.store.commit('s', [create(1), create(2)]);
		expect([...(await store.snapshot('s', 'all')).variables.keys()]).toEqual([1, 2]);
		expect(seen.filter(({ operation }) => operation === 'Query')).toHaveLength(4);
	});

	test('a snapshot of all variables succeeds when the stored count is wrong', async () => {
		const { dynamo, names, store } = await openAdapters();
		await store.commit('s', [create(1), create(2)]);
		await dynamo.client.send(
			new UpdateCommand({
				TableName: names.variables,
				Key: { schema: 's', id: 0 },
				UpdateExpression: 'ADD variables :one',
				ExpressionAttributeValues: { ':one': 1 },
			}),
		);
		expect([...(await store.snapshot('s', 'all')).variables.keys()]).toEqual([1, 2]);
	});

	test('a schema accepts 10,000 variables and not one more, and counts deletions', async () => {
		const { dynamo, names, store } = await openAdapters();
		await store.commit('s', [create(1)]);
		await dynamo.client.send(
			new UpdateCommand({
				TableName: names.variables,
				Key: { schema: 's', id: 0 },
				UpdateExpression: 'SET variables = :count',
				ExpressionAttributeValues: { ':count': maxRows.variable - 2 },
			}),
		);
		expect(await store.commit('s', [create(2), create(3), create(4)])).toBe('full');
		expect(await store.commit('s', [create(2), create(3)])).toBe('committed');
		expect(await store.commit('s', [create(4)])).toBe('full');
		expect(await store.commit('s', [{ key: key(1), expected: 1, put: makeVariableRow(1, { rowVersion: 2 }) }])).toBe('committed');
		expect(await store.commit('s', [{ key: key(1), expected: 2, put: null }, create(4)])).toBe('committed');
		expect(await store.commit('s', [{ key: key(2), expected: 1, put: null }])).toBe('committed');
		expect(await store.commit('s', [create(5)])).toBe('committed');
		expect(await store.commit('s', [create(6)])).toBe('full');
	});

	test('reads an item that is not a row as one that cannot be read', async () => {
		const { dynamo, names, store } = await openAdapters();
		await dynamo.client.send(
			new UpdateCommand({
				TableName: names.variables,
				Key: { schema: 's', id: 1 },
				UpdateExpression: 'SET body = :body',
				ExpressionAttributeValues: { ':body': '{}' },
			}),
		);
		const unread = expect.objectContaining({ rowVersion: 0, unread: { content: { text: 'null' } } });
		expect(await store.get('s', [key(1)])).toEqual([unread]);
		expect(await store.get('s', [key(1), key(2)])).toEqual([unread, null]);
		expect(await store.list('s', 'variable')).toEqual([unread]);
		expect((await store.snapshot('s', [1])).variables).toEqual(new Map([[1, unread]]));
	});
});
