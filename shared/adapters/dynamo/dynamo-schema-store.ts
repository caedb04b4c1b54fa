import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { commitRows } from './commit.ts';
import type { Dynamo } from './dynamo-client.ts';
import { counterAddress, metadataAddress, metadataOf, type SchemaTables } from './items.ts';
import { correctMetadata, readMetadata } from './metadata.ts';
import { getRows, listRows } from './read-rows.ts';
import { sendOrFail } from './send.ts';
import { readSnapshot } from './snapshot.ts';

const counterSchema = v.object({ lastId: v.number() });

/**
 * `SchemaStore` in DynamoDB (design section 6). Beside what the port says, `snapshot` throws `write_contention` where writes keep
 * coming between its reads, and `commit` throws `too_large` for more than the 4 MB of a transaction.
 */
export function createDynamoSchemaStore(dynamo: Dynamo, tables: SchemaTables): SchemaStore {
	return {
		revision: async (schema) => {
			const { Item: head } = await sendOrFail(dynamo, (options) =>
				dynamo.client.send(
					new GetCommand({
						...metadataAddress(tables, schema),
						ConsistentRead: true,
						ProjectionExpression: '#revision',
						ExpressionAttributeNames: { '#revision': 'revision' },
					}),
					options,
				),
			);
			return metadataOf(head).revision;
		},
		get: (schema, keys) => getRows(dynamo, tables, schema, keys),
		list: (schema, kind) => listRows(dynamo, tables, schema, kind),
		snapshot: (schema, ids) => readSnapshot(dynamo, tables, schema, ids),
		// Applied twice where an answer was lost: a gap, which is fine.
		nextId: async (schema) => {
			const { Attributes: counter } = await sendOrFail(dynamo, (options) =>
				dynamo.client.send(
					new UpdateCommand({
						...counterAddress(tables, schema),
						UpdateExpression: 'ADD #lastId :one',
						ExpressionAttributeNames: { '#lastId': 'lastId' },
						ExpressionAttributeValues: { ':one': 1 },
						ReturnValues: 'UPDATED_NEW',
					}),
					options,
				),
			);
			return v.parse(counterSchema, counter).lastId;
		},
		commit: (schema, rows, receipt) => commitRows(dynamo, tables, schema, rows, receipt),
		schemaMetadata: (schema) => readMetadata(dynamo, tables, schema),
		correctMetadata: (schema, correction) => correctMetadata(dynamo, tables, schema, correction),
	};
}
