import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, inject, test } from 'vitest';
import { serializeRow } from '#adapters/stored-row.ts';
import { maxRows, type RowCommit } from '#domain/ports/schema-store.ts';
import { makeBoardRow, makeVariableRow } from '#test/support/builders/builders.ts';
import { adaptersOf, describeDynamo, newDatabase, openAdapters, openLocalDynamo } from '#test/support/servers/dynamo.ts';
import { openFaultyProxy } from '#test/support/servers/faulty-proxy.ts';

const add = (kind: 'chart' | 'diagram' | 'alarm', id: number): RowCommit => ({
	key: { kind, id },
	expected: null,
	put: makeBoardRow(kind, id),
});
const remove = (kind: 'chart' | 'alarm', id: number): RowCommit => ({ key: { kind, id }, expected: 1, put: null });
const uncounted = { chart: null, diagram: null, alarm: null, correction: null, report: null, entry: null };

/** Opens a store with items as the first release writes them: variable 1, charts 2 to 4, alarms 5 and 6, revision 5. */
const openOld = async (database = newDatabase()) => {
	const adapters = await openAdapters({ database });
	const { dynamo, names } = adapters;
	const put = (TableName: string, item: Record<string, unknown>) =>
		dynamo.client.send(new PutCommand({ TableName, Item: { schema: 's', ...item } }));
	await put(names.variables, { id: 0, revision: 5, variables: 1 });
	await put(names.variables, { id: -1, lastId: 6 });
	await put(names.variables, { id: 1, stamp: 1, body: serializeRow(makeVariableRow(1)) });
	for (const id of [2, 3, 4])
		await put(names.boards, { key: `chart#${id}`, stamp: 1, body: serializeRow(makeBoardRow('chart', id)) });
	for (const id of [5, 6])
		await put(names.boards, { key: `alarm#${id}`, stamp: 1, body: serializeRow(makeBoardRow('alarm', id)) });
	return { ...adapters, database };
};

describeDynamo('items of the first release in DynamoDB Local', () => {
	test('are read and written to, and boards are counted when the first one is added', async () => {
		const { store } = await openOld();
		const metadata = { revision: 5, variables: 1, boards: uncounted, lastId: 6, listed: 0, changes: [], marks: [] };
		expect(await store.schemaMetadata('s')).toEqual(metadata);
		expect(await store.list('s', 'chart')).toHaveLength(3);
		expect(await store.commit('s', [remove('alarm', 5)])).toBe('committed');
		expect(await store.schemaMetadata('s')).toMatchObject({ revision: 6, boards: uncounted, listed: 1, changes: [[]] });
		expect(await store.commit('s', [add('chart', 7)])).toBe('committed');
		expect(await store.commit('s', [add('diagram', 8), remove('chart', 2), remove('alarm', 6)])).toBe('committed');
		expect(await store.schemaMetadata('s')).toMatchObject({ revision: 8, boards: { chart: 3, diagram: 1, alarm: null } });
		expect(await store.commit('s', [add('alarm', 9)])).toBe('committed');
		expect((await store.schemaMetadata('s')).boards).toEqual({
			chart: 3,
			diagram: 1,
			alarm: 1,
			correction: null,
			report: null,
			entry: null,
		});
	});

	test('are counted once by 16 saves at once', { timeout: 60_000 }, async () => {
		const { store } = await openOld();
		const saveSoon = async (id: number) => {
			while ((await store.commit('s', [add('chart', id)])) === 'conflict')
				await new Promise((resolve) => setTimeout(resolve, Math.random() * 50));
		};
		await Promise.all(Array.from({ length: 16 }, (_, index) => saveSoon(10 + index)));
		expect((await store.schemaMetadata('s')).boards).toEqual({
			chart: 19,
			diagram: null,
			alarm: null,
			correction: null,
			report: null,
			entry: null,
		});
		expect(await store.list('s', 'chart')).toHaveLength(19);
	});

	test('are counted again when a write lands between the count and its storing', async () => {
		const { store, database } = await openOld();
		let writes = 0;
		const proxy = await openFaultyProxy(inject('dynamoDbEndpoint') ?? '', async ({ operation, forward }) => {
			const response = await forward();
			if (operation === 'Query' && writes === 0) {
				writes += 1;
				await store.commit('s', [remove('chart', 2)]);
			}
			return response;
		});
		const slow = adaptersOf(openLocalDynamo({ database, endpoint: proxy.url })).store;
		expect(await slow.commit('s', [add('chart', 7)])).toBe('committed');
		expect((await store.schemaMetadata('s')).boards.chart).toBe(3);
		proxy.close();
	});

	test('are counted as full where there are too many boards', async () => {
		const { store, dynamo, names } = await openOld();
		await store.commit('s', [add('chart', 7)]);
		const count = { TableName: names.variables, Key: { schema: 's', id: 0 }, UpdateExpression: 'SET chart = :count' };
		await dynamo.client.send(new UpdateCommand({ ...count, ExpressionAttributeValues: { ':count': maxRows.chart + 3 } }));
		expect(await store.commit('s', [add('chart', 8)])).toBe('full');
		expect(await store.commit('s', [remove('chart', 2)])).toBe('committed');
	});

	test('a commit of the first release advances the revision and lists nothing', async () => {
		const { store, dynamo, names } = await openOld();
		await store.commit('s', [remove('chart', 2)]);
		const old = { TableName: names.variables, Key: { schema: 's', id: 0 }, UpdateExpression: 'ADD revision :one' };
		await dynamo.client.send(new UpdateCommand({ ...old, ExpressionAttributeValues: { ':one': 1 } }));
		expect(await store.schemaMetadata('s')).toMatchObject({ revision: 7, listed: 1 });
		await dynamo.client.send(new DeleteCommand({ TableName: names.variables, Key: { schema: 's', id: 0 } }));
		expect(await store.commit('s', [add('chart', 9)])).toBe('committed');
		expect(await store.schemaMetadata('s')).toMatchObject({ revision: 1, boards: { chart: 3 } });
	});
});
