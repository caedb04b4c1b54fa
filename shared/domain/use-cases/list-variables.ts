import type { SchemaStore, VariableRow } from '../ports/schema-store.ts';

/** Returns every variable of a schema by ascending id, except variables whose deletion is in progress. */
export async function listVariables(store: SchemaStore, schema: string): Promise<readonly VariableRow[]> {
	return (await store.list(schema, 'variable')).filter(({ deleting }) => !deleting);
}
