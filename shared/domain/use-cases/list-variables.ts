import type { VariableRow } from '../ports/schema-store.ts';

/** Returns the variables that a listing shows: all except those whose deletion is in progress. */
export function listedVariables(rows: readonly VariableRow[]): readonly VariableRow[] {
	return rows.filter(({ deleting }) => !deleting);
}
