import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { boardKinds } from '#domain/board/board-kinds.ts';
import type { SchemaImports } from '#domain/ports/schema-imports.ts';
import { type ConditionalAction, sendTransaction } from './conditional-write.ts';
import type { Dynamo } from './dynamo-client.ts';
import { counterAddress, type ItemAddress, metadataAddress, type SchemaTables } from './items.ts';
import { getItem } from './read-items.ts';
import { sendConditional } from './send.ts';

const markedSchema = v.object({ importing: v.optional(v.string()) });

/** `SchemaImports` in DynamoDB. The mark is the attribute `importing` of a schema's metadata item. */
export function createDynamoSchemaImports(dynamo: Dynamo, tables: SchemaTables): SchemaImports {
	return {
		current: async (schema) =>
			v.parse(markedSchema, (await getItem(dynamo, metadataAddress(tables, schema))) ?? {}).importing ?? null,
		begin: async (schema, { importId: importing, revision, lastId }) => {
			const counts = Object.fromEntries(['variables', ...boardKinds].map((name) => [name, 0]));
			const metadata = { ...counts, revision, listed: 0, changes: [], importing };
			const actions = [newItem(metadataAddress(tables, schema), metadata), newItem(counterAddress(tables, schema), { lastId })];
			return (await sendTransaction(dynamo, actions)) === 'committed';
		},
		end: async (schema, importId) => {
			const update = new UpdateCommand({
				...metadataAddress(tables, schema),
				UpdateExpression: 'REMOVE #importing',
				ConditionExpression: '#importing = :importId',
				ExpressionAttributeNames: { '#importing': 'importing' },
				ExpressionAttributeValues: { ':importId': importId },
			});
			// DynamoDB refuses this when the mark is gone already. An earlier attempt whose answer was lost may have removed it.
			await sendConditional(dynamo, update);
		},
	};
}

/** Returns the action that creates an item, on condition that there is none. */
function newItem({ TableName, Key }: ItemAddress, attributes: Readonly<Record<string, unknown>>): ConditionalAction<'conflict'> {
	const condition = { ConditionExpression: 'attribute_not_exists(#schema)', ExpressionAttributeNames: { '#schema': 'schema' } };
	return { action: { Put: { TableName, Item: { ...Key, ...attributes }, ...condition } }, refusal: 'conflict' };
}
