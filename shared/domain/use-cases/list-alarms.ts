import type { Alarm } from '../board/alarm.ts';
import type { SchemaStore } from '../ports/schema-store.ts';

/** An alarm as stored, with the version that clients see. */
export interface StoredAlarm {
	readonly alarm: Alarm;
	readonly version: number;
}

/** Every alarm of a schema by ascending id. */
export async function listAlarms(store: SchemaStore, schema: string): Promise<readonly StoredAlarm[]> {
	const rows = await store.list(schema, 'alarm');
	return rows.flatMap(({ board, version }) => (board.kind === 'alarm' ? [{ alarm: board.content, version }] : []));
}
