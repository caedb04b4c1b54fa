import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import {
	idOfRow,
	type ListedKind,
	maxPageBytes,
	type PageRequest,
	type RowKey,
	type RowKinds,
	type RowOf,
	type RowPage,
} from '#domain/ports/schema-store.ts';
import { keyText, variableKey } from '#domain/transaction/read-set.ts';
import { pageOf, rowOfKind, type StoredText } from '../stored-row.ts';
import type { Dynamo } from './dynamo-client.ts';
import { getItems } from './get-items.ts';
import { addressOf, type SchemaTables, type StoredRow, storedRowSchema, storedTextOf } from './items.ts';
import { getItem, readPages } from './read-items.ts';

/** `SchemaStore.get`: a GetItem for one row, BatchGetItem for more. */
export async function getRows<Key extends RowKey>(
	dynamo: Dynamo,
	tables: SchemaTables,
	schema: string,
	keys: readonly Key[],
): Promise<readonly (RowOf<Key> | null)[]> {
	// BatchGetItem refuses a key that is named twice.
	const addresses = [...new Map(keys.map((key) => [keyText(key), addressOf(tables, schema, key)])).values()];
	const [only] = addresses;
	const items = only !== undefined && addresses.length === 1 ? [await getItem(dynamo, only)] : await getItems(dynamo, addresses);
	const rows = items.flatMap((item) => (item === undefined ? [] : [v.parse(storedRowSchema, item)]));
	const byKey = new Map(rows.map((row) => [sortKeyOf(row), row]));
	return keys.map((key) => {
		const kind: Key['kind'] = key.kind;
		const row = byKey.get(sortKeyOf(addressOf(tables, schema, key).Key));
		return row === undefined
			? null
			: rowOfKind(kind, { schema, id: key.kind === 'panel' ? 0 : key.id, stamp: row.stamp }, row.body);
	});
}

/** `SchemaStore.list`. */
export async function listRows<Kind extends ListedKind>(
	dynamo: Dynamo,
	tables: SchemaTables,
	schema: string,
	kind: Kind,
): Promise<readonly RowKinds[Kind][]> {
	const items = await readPages(dynamo, (page) => new QueryCommand({ ...queryOfKind(tables, schema, kind), ...page }));
	const rows = textsOf(schema, items).map(({ body, ...at }) => rowOfKind(kind, at, body));
	// Keys of boards are text, and `chart#10` sorts before `chart#9`.
	return rows.sort((a, b) => idOfRow(a) - idOfRow(b));
}

/** `SchemaStore.page`. */
export async function readPage<Kind extends ListedKind>(
	dynamo: Dynamo,
	tables: SchemaTables,
	schema: string,
	kind: Kind,
	{ after, limit }: PageRequest,
): Promise<RowPage<Kind>> {
	// One row more shows whether another page follows.
	const query = { ...queryOfKind(tables, schema, kind), Limit: limit + 1 };
	// A query may start after a key that is not stored. But the key must meet the query's condition, which the id 0 of variables does not.
	const first = after === 0 ? undefined : addressOf(tables, schema, keyOfListed(kind, after)).Key;
	const items = await readPages(
		dynamo,
		({ ExclusiveStartKey = first, ...page }) => new QueryCommand({ ...query, ...page, ExclusiveStartKey }),
		{ isEnough: (read) => read.length > limit || bytesOf(textsOf(schema, read)) > maxPageBytes },
	);
	return pageOf(kind, limit, textsOf(schema, items));
}

/** Returns the query for a schema's items that are rows of a kind. */
export function queryOfKind(tables: SchemaTables, schema: string, kind: ListedKind): QueryCommandInput {
	return kind === 'variable'
		? {
				TableName: tables.variables,
				// Ids below 1 are the metadata and the counter.
				KeyConditionExpression: '#schema = :schema AND #id >= :first',
				ExpressionAttributeNames: { '#schema': 'schema', '#id': 'id' },
				ExpressionAttributeValues: { ':schema': schema, ':first': 1 },
			}
		: {
				TableName: tables.boards,
				KeyConditionExpression: '#schema = :schema AND begins_with(#key, :prefix)',
				ExpressionAttributeNames: { '#schema': 'schema', '#key': 'key' },
				ExpressionAttributeValues: { ':schema': schema, ':prefix': `${kind}#` },
			};
}

/** Returns the sort key of a schema's row: a variable's id, a board's key text, and undefined for the panel. */
const sortKeyOf = ({ id, key }: Readonly<Record<string, unknown>> | StoredRow): unknown => id ?? key;

const textsOf = (schema: string, items: readonly unknown[]): readonly StoredText[] =>
	items.flatMap((item) => storedTextOf(schema, item) ?? []);

const bytesOf = (texts: readonly StoredText[]): number => texts.reduce((sum, { body }) => sum + body.length, 0);

const keyOfListed = (kind: ListedKind, id: number): RowKey => (kind === 'variable' ? variableKey(id) : { kind, id });
