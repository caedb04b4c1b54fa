import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe } from 'vitest';
import { createDynamoChangeJournal } from '#adapters/dynamo/dynamo-change-journal.ts';
import { addressOf } from '#adapters/dynamo/items.ts';
import { schemaStoreContract } from '#test/contract/schema-store.ts';
import { unreadRowsContract } from '#test/contract/unread-rows.ts';
import { describeDynamo, openAdapters } from '#test/support/servers/dynamo.ts';

describeDynamo('on DynamoDB Local', () => {
	schemaStoreContract('DynamoDB', () => openAdapters());

	describe.each([
		['DynamoDB', ''],
		['DynamoDB, without a row version', ' REMOVE stamp'],
		['DynamoDB, with a row version of another type', ', stamp = :text'],
	])('%s', (name, damage) => {
		unreadRowsContract(name, async () => {
			const { dynamo, names, store } = await openAdapters();
			return {
				store,
				changes: createDynamoChangeJournal(dynamo, names, () => 1_000_000),
				textOf: async (schema, key) =>
					String((await dynamo.client.send(new GetCommand(addressOf(names, schema, key)))).Item?.['body']),
				setText: async (schema, key, text) => {
					await dynamo.client.send(
						new UpdateCommand({
							...addressOf(names, schema, key),
							UpdateExpression: `SET body = :text${damage}`,
							ExpressionAttributeValues: { ':text': text },
						}),
					);
				},
			};
		});
	});
});
