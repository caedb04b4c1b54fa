import { DescribeTableCommand, DescribeTimeToLiveCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { createTables } from '#infra/local/adapters/create-dynamo-tables.ts';
import { tables } from '#shared/tables.ts';
import { describeDynamo, openLocalDynamo } from '#test/support/servers/dynamo.ts';

describeDynamo('creating tables', () => {
	const wanted = Object.entries(tables).map(([name, table]) => ({ name, ...table }));

	test('makes each as the contract has it, and leaves what is there', async () => {
		const dynamo = openLocalDynamo();
		await createTables(dynamo, wanted.slice(0, 2));
		await Promise.all([createTables(dynamo, wanted), createTables(dynamo, wanted)]);
		await createTables(dynamo, wanted);
		const { TableNames = [] } = await dynamo.client.send(new ListTablesCommand({}));
		expect([...TableNames].sort()).toEqual(Object.keys(tables).sort());
		for (const table of wanted) {
			const { Table: made } = await dynamo.client.send(new DescribeTableCommand({ TableName: table.name }));
			const keys = [table.partitionKey, ...('sortKey' in table ? [table.sortKey] : [])];
			expect(made?.KeySchema?.map(({ AttributeName }) => AttributeName)).toEqual(keys.map(({ name }) => name));
			for (const { name, type } of keys)
				expect(made?.AttributeDefinitions).toContainEqual({ AttributeName: name, AttributeType: type });
			const { TimeToLiveDescription: ttl } = await dynamo.client.send(new DescribeTimeToLiveCommand({ TableName: table.name }));
			expect(ttl?.AttributeName).toBe('ttlAttribute' in table ? table.ttlAttribute : undefined);
		}
	});
});
