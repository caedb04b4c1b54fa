import type { Correction } from '../board/correction.ts';
import { type BoardRow, idOfRow, type SchemaReader } from '../ports/schema-store.ts';
import { variableKey } from '../transaction/read-set.ts';
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
	const variables = await store.get(schema, varIds.map(variableKey));
	const keys = variables
		.flatMap((row) => boardKeysOf(row?.referencedBy ?? new Map()))
		.filter(({ kind }) => kind === 'correction');
	if (keys.length === 0) return [];
	const rows = await store.get(schema, keys);
	return rows.filter((row) => row !== null).sort((a, b) => idOfRow(a) - idOfRow(b));
}

/** Returns the corrections of variables by variable, each list by ascending id. Variables without one are left out. */
export async function correctionsOf(
	store: Pick<SchemaReader, 'get'>,
	schema: string,
	varIds: readonly number[],
): Promise<ReadonlyMap<number, readonly Correction[]>> {
	const rows = await correctionRowsOf(store, schema, varIds);
	const corrections = rows.flatMap(({ board }) => (board.kind === 'correction' ? [board.content] : []));
	return Map.groupBy(corrections, ({ varId }) => varId);
}
