import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import {
	maxVariables,
	type ReferencedBy,
	type RowCommit,
	type SchemaStore,
	type VariableRow,
} from '#domain/ports/schema-store.ts';
import { makeVariableRow } from '#test/support/builders/builders.ts';
import { adaptersOf, describeDynamo, newDatabase, openAdapters, openLocalDynamo } from '#test/support/servers/dynamo.ts';
import { type Fate, openFaultyProxy, type Passing } from '#test/support/servers/faulty-proxy.ts';

const key = (id: number) => ({ kind: 'variable', id }) as const;
const create = (id: number, overrides: Partial<VariableRow> = {}): RowCommit => ({
	key: key(id),
	expected: null,
	put: makeVariableRow(id, overrides),
});
const idsUpTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describeDynamo('reading from DynamoDB Local', () => {
	/** Of each variable some 120 KB, in the only part of a row that can grow without bounds. */
	const manyUses: ReferencedBy = new Map(idsUpTo(6000).map((id) => [`diagram#${id}`, [0]]));
	const ids = idsUpTo(250);

	describe('a schema of 250 large variables, 30 MB together', () => {
		const database = newDatabase();
		const operations: Passing[] = [];
		let store: SchemaStore;
		let close = (): void => undefined;
		beforeAll(async () => {
			const direct = await openAdapters({ database });
			for (let first = 0; first < ids.length; first += 25)
				expect(
					await direct.store.commit(
						's',
						ids.slice(first, first + 25).map((id) => create(id, { referencedBy: manyUses })),
					),
				).toBe('committed');
			const proxy = await openFaultyProxy(inject('dynamoDbEndpoint') ?? '', ({ forward }) => forward());
			({ store } = adaptersOf(openLocalDynamo({ database, endpoint: proxy.url })));
			close = proxy.close;
			operations.splice(0);
			proxy.seen.push = (...passing) => operations.push(...passing);
			return () => close();
		});

		const asked = (operation: string): number => operations.filter((passing) => passing.operation === operation).length;

		test('lists them all, a page of 1 MB at a time', async () => {
			expect((await store.list('s', 'variable')).map(({ variable }) => variable.id)).toEqual(ids);
			expect(asked('Query')).toBeGreaterThan(20);
		});

		test('gets them in the order asked for, those that are not there null, those asked for twice twice', async () => {
			const rows = await store.get('s', [key(251), ...[...ids].reverse().map(key), key(7)]);
			expect(rows.map((row) => row?.variable.id)).toEqual([undefined, ...[...ids].reverse(), 7]);
			expect(rows[1]?.referencedBy.size).toBe(6000);
			// Of 100 keys 12 MB: DynamoDB gives at most 16 MB an answer, and less whenever it likes.
			expect(asked('BatchGetItem')).toBeGreaterThan(2);
		});

		test('takes a snapshot of them, although a transaction reads 4 MB', async () => {
			expect([...(await store.snapshot('s', 'all')).variables.keys()]).toEqual(ids);
			const some = await store.snapshot('s', [250, 1, 999, 1]);
			expect([...some.variables.keys()]).toEqual([250, 1]);
			expect(some.revision).toBe(10);
			for (const { operation, body } of operations)
				if (operation === 'TransactGetItems') expect(body.TransactItems[0].Get.Key.id).toEqual({ N: '0' });
		});

		test('refuses more than a transaction or an item carries, naming what is too much', async () => {
			const uses = (count: number): ReferencedBy => new Map(idsUpTo(count).map((id) => [`diagram#${10_000 + id}`, []]));
			expect(await store.commit('t', [create(1, { referencedBy: uses(18_900) })])).toBe('committed');
			await expect(store.commit('t', [create(2, { referencedBy: uses(19_100) })])).rejects.toMatchObject({
				code: 'too_large',
				payload: { what: 'bytes to store in one row' },
			});
			const rows = idsUpTo(40).map((id) => create(1000 + id, { referencedBy: manyUses }));
			await expect(store.commit('s', rows)).rejects.toMatchObject({
				code: 'too_large',
				payload: { what: 'bytes to store at once' },
			});
		});
	});

	const closing: (() => void)[] = [];
	afterEach(() => {
		for (const end of closing.splice(0)) end();
	});
	const behind = async (fateOf: (passing: Passing) => Promise<Fate> | Fate) => {
		const database = newDatabase();
		const direct = await openAdapters({ database });
		const proxy = await openFaultyProxy(inject('dynamoDbEndpoint') ?? '', fateOf);
		closing.push(proxy.close);
		return { direct, seen: proxy.seen, ...adaptersOf(openLocalDynamo({ database, endpoint: proxy.url })) };
	};

	test('asks again for the keys that a batch left unprocessed, until it has them all', async () => {
		const { direct, store, seen } = await behind(async ({ operation, body, forward }) => {
			if (operation !== 'BatchGetItem') return forward();
			const [[table, asked]] = Object.entries<{ Keys: unknown[] }>(body.RequestItems) as [[string, { Keys: unknown[] }]];
			const { status, body: answer } = await forward({ RequestItems: { [table]: { ...asked, Keys: asked.Keys.slice(0, 3) } } });
			const rest = asked.Keys.slice(3);
			return { status, body: { ...answer, UnprocessedKeys: rest.length === 0 ? {} : { [table]: { ...asked, Keys: rest } } } };
		});
		await direct.store.commit(
			's',
			idsUpTo(10).map((id) => create(id)),
		);
		expect((await store.get('s', idsUpTo(11).map(key))).map((row) => row?.variable.id)).toEqual([...idsUpTo(10), undefined]);
		expect(seen.map(({ body }) => Object.values<{ Keys: unknown[] }>(body.RequestItems)[0]?.Keys.length)).toEqual([11, 8, 5, 2]);
		expect(seen.every(({ body }) => Object.values<{ ConsistentRead: boolean }>(body.RequestItems)[0]?.ConsistentRead)).toBe(true);
	});

	test('gives up on keys that stay unprocessed', async () => {
		const { store } = await behind(({ body }) => ({ status: 200, body: { Responses: {}, UnprocessedKeys: body.RequestItems } }));
		await expect(store.get('s', [key(1), key(2)])).rejects.toMatchObject({ code: 'store_failed' });
	});

	test('gets rows of every table at once', async () => {
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

	test('a snapshot is of one revision while writers are at work, however many transactions it takes', async () => {
		const { store } = await openAdapters();
		const all = idsUpTo(240);
		for (let first = 0; first < 240; first += 80)
			await store.commit(
				's',
				all.slice(first, first + 80).map((id) => create(id)),
			);
		const base = await store.revision('s');
		let writing = true;
		// Rows of different transactions of a snapshot, always changed together: with every revision their stamps grow by one.
		const writer = (async () => {
			for (let stamp = 1; writing; stamp += 1) {
				const change = (id: number): RowCommit => ({
					key: key(id),
					expected: stamp,
					put: makeVariableRow(id, { rowVersion: stamp + 1 }),
				});
				expect(await store.commit('s', [change(1), change(120), change(240)])).toBe('committed');
				await new Promise((resolve) => setTimeout(resolve, 60));
			}
		})();
		const revisions = new Set<number>();
		for (let round = 0; round < 10; round += 1)
			for (const which of ['all', all] as const) {
				const { revision, variables } = await store.snapshot('s', which);
				revisions.add(revision);
				expect(variables.size).toBe(240);
				for (const id of [1, 120, 240]) expect(variables.get(id)?.rowVersion).toBe(revision - base + 1);
			}
		writing = false;
		await writer;
		expect(revisions.size).toBeGreaterThan(3);
	});

	test('a snapshot of all has the variable that plain reads do not see yet', async () => {
		let hidden = 3;
		const { direct, store, seen } = await behind(async ({ operation, forward }) => {
			const answer = await forward();
			if (operation !== 'Query' || hidden === 0) return answer;
			hidden -= 1;
			const { Items, ...rest } = answer.body;
			return { ...answer, body: { ...rest, Items: Items.slice(0, -1) } };
		});
		await direct.store.commit('s', [create(1), create(2)]);
		expect([...(await store.snapshot('s', 'all')).variables.keys()]).toEqual([1, 2]);
		expect(seen.filter(({ operation }) => operation === 'Query')).toHaveLength(4);
	});

	test('a snapshot of all believes its own readings where the head’s count stays wrong', async () => {
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

	test('a schema takes 10,000 variables and not one more, and counts deletions', async () => {
		const { dynamo, names, store } = await openAdapters();
		await store.commit('s', [create(1)]);
		await dynamo.client.send(
			new UpdateCommand({
				TableName: names.variables,
				Key: { schema: 's', id: 0 },
				UpdateExpression: 'SET variables = :count',
				ExpressionAttributeValues: { ':count': maxVariables - 2 },
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

	test('fails on an item that is not a row, and says nothing of it', async () => {
		const { dynamo, names, store } = await openAdapters();
		await dynamo.client.send(
			new UpdateCommand({
				TableName: names.variables,
				Key: { schema: 's', id: 1 },
				UpdateExpression: 'SET body = :body',
				ExpressionAttributeValues: { ':body': '{}' },
			}),
		);
		await expect(store.get('s', [key(1)])).rejects.toThrow();
		await expect(store.get('s', [key(1), key(2)])).rejects.toThrow();
		await expect(store.list('s', 'variable')).rejects.toThrow();
		await expect(store.snapshot('s', [1])).rejects.toThrow();
	});
});
