import { type Alarm, isActive } from '../board/alarm.ts';
import type { SchemaStore } from '../ports/schema-store.ts';
import { type NewestState, readNewest } from '../reading/newest.ts';
import type { ReadContext, ReadingDeps } from '../reading/read-now.ts';

/** An alarm with its version and its current state. `active` is null when the value is missing or of bad quality. */
export interface AlarmState extends NewestState {
	readonly alarm: Alarm;
	readonly version: number;
	readonly active: boolean | null;
}

/**
 * Returns every alarm of a schema by ascending id with its current state. One batch read gets all values. The condition is evaluated
 * on the newest value, or on one bit of it, when its quality is good or stale (DESIGN.md section 4.5).
 */
export async function listAlarms(
	deps: ReadingDeps & { readonly store: SchemaStore },
	schema: string,
	context: ReadContext,
): Promise<readonly AlarmState[]> {
	const rows = await deps.store.list(schema, 'alarm');
	const alarms = rows.flatMap(({ board, version }) => {
		if (board.kind !== 'alarm') return [];
		const { varId, bit } = board.content;
		return [{ varId, bit, alarm: board.content, version }];
	});
	const states = await readNewest(deps, schema, context, alarms);
	return states.map(([{ alarm, version }, { value, quality }]) => {
		const isTrusted = quality === 'good' || quality === 'stale';
		const active = isTrusted && value !== null ? isActive(alarm, value) : null;
		return { alarm, version, active, value, quality };
	});
}
