import { DomainError } from '../errors.ts';
import type { PanelRow, SchemaStore } from '../ports/schema-store.ts';

/** The schema's panel. Throws `not_found` before any save. */
export async function getPanel(store: SchemaStore, schema: string): Promise<PanelRow> {
	const [row] = await store.get(schema, [{ kind: 'panel' }]);
	if (row === null || row === undefined)
		throw new DomainError('not_found', { field: 'request', message: 'No panel is saved yet: save one with POST /bombs.' });
	return row;
}
