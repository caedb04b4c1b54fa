import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { defaultJournalDays, type JournalDays } from '../stored-change.ts';
import { commitRows } from './commit.ts';
import type { Dynamo } from './dynamo-client.ts';
import { createDynamoSchemaReader, readMetadata } from './dynamo-schema-reader.ts';
import { counterAddress, type SchemaTables } from './items.ts';
import { correctMetadata } from './metadata.ts';
import { getItem } from './read-items.ts';
import { sendOrFail } from './send.ts';

const counterSchema = v.object({ lastId: v.optional(v.number(), 0) });

/** `SchemaStore` in DynamoDB (shared/adapters/dynamo/README.md). `days`: how many days entries stay in the journals. */
export function createDynamoSchemaStore(
	dynamo: Dynamo,
	tables: SchemaTables,
	days: JournalDays = defaultJournalDays,
): SchemaStore {
	return {
		...createDynamoSchemaReader(dynamo, tables),
		nextId: async (schema) => {
			const update = new UpdateCommand({
				...counterAddress(tables, schema),
				UpdateExpression: 'ADD #lastId :one',
				ExpressionAttributeNames: { '#lastId': 'lastId' },
				ExpressionAttributeValues: { ':one': 1 },
				ReturnValues: 'UPDATED_NEW',
			});
			// A retry after a lost response skips an id, which is allowed.
			const { Attributes: updated } = await sendOrFail(dynamo, update);
			return v.parse(v.number(), updated?.['lastId']);
		},
		commit: (schema, rows, record, journals) => commitRows(dynamo, tables, schema, { rows, record, journals }, days),
		schemaMetadata: async (schema) => {
			const metadata = await readMetadata(dynamo, tables, schema);
			const { lastId } = v.parse(counterSchema, (await getItem(dynamo, counterAddress(tables, schema))) ?? {});
			return { ...metadata, lastId };
		},
		correctMetadata: (schema, correction) => correctMetadata(dynamo, tables, schema, correction),
	};
}
