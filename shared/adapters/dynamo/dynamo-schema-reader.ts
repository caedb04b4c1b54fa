import type { SchemaReader } from '#domain/ports/schema-store.ts';
import type { Dynamo } from './dynamo-client.ts';
import { type MetadataItem, metadataAddress, metadataOf, type SchemaTables } from './items.ts';
import { readPack } from './packs.ts';
import { getItem } from './read-items.ts';
import { getRows, listRows, readPage } from './read-rows.ts';
import { readSnapshot } from './snapshot.ts';

/**
 * `SchemaReader` in DynamoDB (shared/adapters/dynamo/README.md). A file of its own, so that functions that only read do not load the code
 * of writes.
 */
export function createDynamoSchemaReader(dynamo: Dynamo, tables: SchemaTables): SchemaReader {
	return {
		revision: (schema) => readMetadata(dynamo, tables, schema),
		packed: (schema, ids) => readPack(dynamo, tables, schema, ids),
		get: (schema, keys) => getRows(dynamo, tables, schema, keys),
		list: (schema, kind) => listRows(dynamo, tables, schema, kind),
		page: (schema, kind, page) => readPage(dynamo, tables, schema, kind, page),
		snapshot: (schema, ids) => readSnapshot(dynamo, tables, schema, ids),
	};
}

/** Reads the metadata of a schema, strongly consistent; zeros for a schema without commits. */
export async function readMetadata(dynamo: Dynamo, tables: SchemaTables, schema: string): Promise<MetadataItem> {
	return metadataOf(await getItem(dynamo, metadataAddress(tables, schema)));
}
