import * as v from 'valibot';
import type { Row, RowKey } from '#domain/ports/schema-store.ts';
import { keyText } from '#domain/transaction/read-set.ts';
import { serializeRow } from '../stored-row.ts';

/** The names under which the tables of a schema's rows are deployed. */
export interface SchemaTables {
	readonly variables: string;
	readonly panels: string;
	readonly boards: string;
	readonly idempotency: string;
}

/** An item's key, as the SDK takes it. */
export type ItemKey = Readonly<Record<string, string | number>>;

/** Where an item is. */
export interface ItemAddress {
	readonly TableName: string;
	readonly Key: ItemKey;
}

/** Ids that are no variables, in the table of variables: the schema's revision with its count of variables, and the last id given. */
const headId = 0;

const counterId = -1;

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

export function metadataAddress(tables: SchemaTables, schema: string): ItemAddress {
	return {
		TableName: tables.variables,
		Key: { schema, id: headId },
	};
}

/** The counter is an item of its own: a plain add is refused while a transaction holds its item (design section 6). */
export function counterAddress(tables: SchemaTables, schema: string): ItemAddress {
	return {
		TableName: tables.variables,
		Key: { schema, id: counterId },
	};
}

/** A row as it is stored beside its key. */
export function itemOf(row: Row): { readonly stamp: number; readonly body: string } {
	return {
		stamp: row.rowVersion,
		body: serializeRow(row),
	};
}

/** A stored row, whatever its table. `id` and `key` are the sort key, where the table has one. */
export const storedRowSchema = v.object({
	stamp: v.number(),
	body: v.string(),
	id: v.optional(v.number()),
	key: v.optional(v.string()),
});

/** The head item; a schema never written to has none. */
const headSchema = v.object({ revision: v.optional(v.number(), 0), variables: v.optional(v.number(), 0) });

export type Metadata = v.InferOutput<typeof headSchema>;

export function metadataOf(item: unknown): Metadata {
	return v.parse(headSchema, item ?? {});
}
