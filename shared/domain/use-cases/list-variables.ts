import type { SchemaStore, VariableRow } from '../ports/schema-store.ts';

/** Every variable of a schema by ascending id, those left out whose deletion is under way. */
export async function listVariables(store: SchemaStore, schema: string): Promise<readonly VariableRow[]> {
	return (await store.list(schema, 'variable')).filter(({ deleting: going }) => !going);
}
