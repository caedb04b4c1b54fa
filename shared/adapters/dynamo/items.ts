import * as v from 'valibot';
import { perBoardKind } from '#domain/board/board-kinds.ts';
import type { Row, RowKey } from '#domain/ports/schema-store.ts';
import { keyText, parseBoardKey } from '#domain/transaction/read-set.ts';
import { changesOf, listedChangesSchema } from '../listed-changes.ts';
import { type StoredText, serializeRow } from '../stored-row.ts';

/** The deployed names of the tables that a commit of a schema writes to. */
export interface SchemaTables {
	readonly variables: string;
	readonly panels: string;
	readonly boards: string;
	readonly alarmEvents: string;
	readonly changes: string;
	readonly idempotency: string;
}

/** The table and key of an item. */
export interface ItemAddress {
	readonly TableName: string;
	readonly Key: Readonly<Record<string, string | number>>;
}

/**
 * A stored row, whatever its table. `id` or `key` is the sort key where the table has one. An item without a text is a row that cannot be read. One
 * that lost its `stamp` has that of its text, so that its entries in the journal go on from it.
 */
export const storedRowSchema = v.pipe(
	v.object({
		stamp: v.fallback(v.optional(v.number()), undefined),
		body: v.fallback(v.string(), ''),
		id: v.optional(v.number()),
		key: v.optional(v.string()),
	}),
	v.transform(({ stamp, body, ...key }) => ({ ...key, body, stamp: stamp ?? Number(/"stamp":(\d{1,15})/.exec(body)?.[1] ?? 0) })),
);

/** A parsed item of a row. */
export type StoredRow = v.InferOutput<typeof storedRowSchema>;

/** The number of boards of a kind; null: it was not counted yet. */
const countSchema = v.optional(v.nullable(v.number()), null);

/**
 * The item that counts a schema's commits and rows, and lists the variables that each of its last commits changed
 * (shared/adapters/dynamo/README.md#metadata). It does not exist before the first commit. Items of the first release have only
 * `revision` and `variables`.
 */
const metadataSchema = v.pipe(
	v.object({
		revision: v.optional(v.number(), 0),
		variables: v.optional(v.number(), 0),
		...perBoardKind(() => countSchema),
		/** The number of entries that `changes` ever got. Old ones are removed. */
		listed: v.optional(v.number(), 0),
		// Without the list, readers read anew what they need.
		changes: v.fallback(v.optional(listedChangesSchema, []), []),
	}),
	v.transform(({ revision, variables, listed, changes, ...boards }) => ({
		...{ revision, variables, listed, boards },
		...changesOf(changes),
	})),
);

/** The contents of a schema's metadata item. */
export type MetadataItem = v.InferOutput<typeof metadataSchema>;

/** Returns the address of a row. */
export function addressOf(tables: SchemaTables, schema: string, key: RowKey): ItemAddress {
	switch (key.kind) {
		case 'variable':
			return { TableName: tables.variables, Key: { schema, id: key.id } };
		case 'panel':
			return { TableName: tables.panels, Key: { schema } };
		default:
			return { TableName: tables.boards, Key: { schema, key: keyText(key) } };
	}
}

/** Returns the address of a schema's metadata item, stored as variable 0. */
export function metadataAddress(tables: Pick<SchemaTables, 'variables'>, schema: string): ItemAddress {
	return { TableName: tables.variables, Key: { schema, id: 0 } };
}

/**
 * Returns the address of the item that holds the last id, stored as variable -1. It is an item of its own, because DynamoDB
 * refuses a plain update while a transaction holds the item (shared/adapters/dynamo/README.md#tables).
 */
export function counterAddress(tables: SchemaTables, schema: string): ItemAddress {
	return { TableName: tables.variables, Key: { schema, id: -1 } };
}

/** Returns the attributes of a row's item beside its key. */
export function itemOf(row: Row): { readonly stamp: number; readonly body: string } {
	return { stamp: row.rowVersion, body: serializeRow(row) };
}

/**
 * Returns the condition that an item has the version that was read; null: it does not exist. An item that lost its number fulfils it
 * until it is written, because every write stores one.
 * @param names of the attributes that hold the version and a part of the key
 */
export function stampCondition(expected: number | null, { stamp, key } = { stamp: 'stamp', key: 'schema' }) {
	const isNew = expected === null;
	const hasVersion = '#stamp = :expected OR (attribute_exists(#key) AND NOT attribute_type(#stamp, :number))';
	return {
		ConditionExpression: isNew ? 'attribute_not_exists(#stamp)' : hasVersion,
		ExpressionAttributeNames: { '#stamp': stamp, ...(isNew ? {} : { '#key': key }) },
		...(isNew ? {} : { ExpressionAttributeValues: { ':expected': expected, ':number': 'N' } }),
	};
}

/** Returns the text of a row with where it is stored; undefined for an item whose key is that of no row. */
export function storedTextOf(schema: string, item: unknown): StoredText | undefined {
	const { stamp, body, id, key } = v.parse(storedRowSchema, item);
	const at = key === undefined ? (id ?? 0) : parseBoardKey(key)?.id;
	return at === undefined ? undefined : { schema, id: at, stamp, body };
}

/** Parses a metadata item. When there is none, nothing is counted or changed yet. */
export function metadataOf(item: unknown): MetadataItem {
	return v.parse(metadataSchema, item ?? {});
}
