import { DescribeTableCommand, DescribeTimeToLiveCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { createTables } from '#infra/local/adapters/create-dynamo-tables.ts';
import { type TableDefinition, tables } from '#shared/tables.ts';
import { describeDynamo, openLocalDynamo } from '#test/support/servers/dynamo.ts';

describeDynamo('creating tables', () => {
	const expected = Object.entries(tables).map(([name, table]: [string, TableDefinition]) => ({ name, ...table }));

	test('creates the tables of tables.ts and leaves existing ones', async () => {
		const dynamo = openLocalDynamo();
		await createTables(dynamo, expected.slice(0, 2));
		await Promise.all([createTables(dynamo, expected), createTables(dynamo, expected)]);
		await createTables(dynamo, expected);
		const { TableNames = [] } = await dynamo.client.send(new ListTablesCommand({}));
		expect([...TableNames].sort()).toEqual(Object.keys(tables).sort());
		for (const table of expected) {
			const { Table: created } = await dynamo.client.send(new DescribeTableCommand({ TableName: table.name }));
			const keys = [table.partitionKey, ...(table.sortKey === undefined ? [] : [table.sortKey])];
			expect(created?.KeySchema?.map(({ AttributeName }) => AttributeName)).toEqual(keys.map(({ name }) => name));
			for (const { name, type } of keys)
				expect(created?.AttributeDefinitions).toContainEqual({ AttributeName: name, AttributeType: type });
			const { TimeToLiveDescription: ttl } = await dynamo.client.send(new DescribeTimeToLiveCommand({ TableName: table.name }));
			expect(ttl?.AttributeName).toBe(table.ttlAttribute);
			expect(created?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName)).toEqual(table.indexes?.map(({ name }) => name));
		}
	});
});
