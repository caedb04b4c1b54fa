import type { Correction } from '../board/correction.ts';
import { type BoardRow, idOfRow, type SchemaReader } from '../ports/schema-store.ts';
import { keyText, variableKey } from '../transaction/read-set.ts';
import { boardKeysOf } from '../transaction/usages.ts';

/**
 * Returns the stored corrections of variables by ascending id, found by the references in the rows of the variables.
 * @throws DomainError `store_failed`
 */
export async function correctionRowsOf(
	store: Pick<SchemaReader, 'get'>,
	schema: string,
	varIds: readonly number[],
): Promise<readonly BoardRow[]> {
	return (await readCorrections(store, schema, varIds)).rows;
}

/** The corrections of variables. */
export interface Corrections {
	/** By variable, each list by ascending id. Variables without one are left out. */
	readonly corrections: ReadonlyMap<number, readonly Correction[]>;
	/** The variables with a correction that cannot be read: nobody knows their numbers. */
	readonly uncountable: ReadonlySet<number>;
}

/** Returns the corrections of variables. @throws DomainError `store_failed` */
export async function correctionsOf(
	store: Pick<SchemaReader, 'get'>,
	schema: string,
	varIds: readonly number[],
): Promise<Corrections> {
	const { variables, rows } = await readCorrections(store, schema, varIds);
	const corrections = rows.flatMap(({ board }) => (board.kind === 'correction' ? [board.content] : []));
	const unread = rows.flatMap((row) => (row.unread === undefined ? [] : [keyText({ kind: 'correction', id: idOfRow(row) })]));
	const uncountable = variables.filter(({ referencedBy }) => unread.some((key) => referencedBy.has(key))).map(idOfRow);
	return { corrections: Map.groupBy(corrections, ({ varId }) => varId), uncountable: new Set(uncountable) };
}

/** Reads variables, and the corrections that their rows refer to by ascending id. */
async function readCorrections(store: Pick<SchemaReader, 'get'>, schema: string, varIds: readonly number[]) {
	const variables = (await store.get(schema, varIds.map(variableKey))).filter((row) => row !== null);
	const keys = variables.flatMap(({ referencedBy }) => boardKeysOf(referencedBy)).filter(({ kind }) => kind === 'correction');
	const rows: readonly (BoardRow | null)[] = keys.length === 0 ? [] : await store.get(schema, keys);
	return { variables, rows: rows.filter((row) => row !== null).sort((a, b) => idOfRow(a) - idOfRow(b)) };
}
