import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { defaultAlarmEventDays } from '../stored-alarm.ts';
import { commitRows } from './commit.ts';
import type { Dynamo } from './dynamo-client.ts';
import { counterAddress, metadataAddress, metadataOf, type SchemaTables } from './items.ts';
import { correctMetadata } from './metadata.ts';
import { getItem } from './read-items.ts';
import { getRows, listRows, readPage } from './read-rows.ts';
import { sendOrFail } from './send.ts';
import { readSnapshot } from './snapshot.ts';

const counterSchema = v.object({ lastId: v.optional(v.number(), 0) });

/** `SchemaStore` in DynamoDB (shared/adapters/dynamo/README.md). `eventDays`: days for which events of alarms stay in the journal. */
export function createDynamoSchemaStore(
	dynamo: Dynamo,
	tables: SchemaTables,
	eventDays: number = defaultAlarmEventDays,
): SchemaStore {
	const readMetadata = async (schema: string) => metadataOf(await getItem(dynamo, metadataAddress(tables, schema)));
	return {
		revision: async (schema) => (await readMetadata(schema)).revision,
		get: (schema, keys) => getRows(dynamo, tables, schema, keys),
		list: (schema, kind) => listRows(dynamo, tables, schema, kind),
		page: (schema, kind, page) => readPage(dynamo, tables, schema, kind, page),
		snapshot: (schema, ids) => readSnapshot(dynamo, tables, schema, ids),
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
		commit: (schema, rows, record, events) => commitRows(dynamo, tables, schema, { rows, record, events }, eventDays),
		schemaMetadata: async (schema) => {
			const metadata = await readMetadata(schema);
			const { lastId } = v.parse(counterSchema, (await getItem(dynamo, counterAddress(tables, schema))) ?? {});
			return { ...metadata, lastId };
		},
		correctMetadata: (schema, correction) => correctMetadata(dynamo, tables, schema, correction),
	};
}
