import type { SchemaStore, VariableRow } from '../ports/schema-store.ts';

/** Every variable of a schema by ascending id, those left out whose deletion is under way. */
export const listVariables = async (store: SchemaStore, schema: string): Promise<readonly VariableRow[]> =>
	(await store.list(schema, 'variable')).filter(({ deleting: going }) => !going);
