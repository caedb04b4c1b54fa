import { type Alarm, isActive } from '../board/alarm.ts';
import type { BoardRow } from '../ports/schema-store.ts';
import { type NewestState, readNewest } from '../reading/newest.ts';
import type { ReadContext, ReadingDeps } from '../reading/read-now.ts';

/** An alarm with its version and its current state. `active` is null when the value is missing or of bad quality. */
export interface AlarmState extends NewestState {
	readonly alarm: Alarm;
	readonly version: number;
	readonly active: boolean | null;
}

/**
 * Returns alarms with their current states, in their order. One batch read gets all values. The condition is evaluated on the newest
 * value, or on one bit of it, when its quality is good or stale (DESIGN.md section 4.5).
 */
export async function alarmStates(
	deps: ReadingDeps,
	schema: string,
	context: ReadContext,
	rows: readonly BoardRow[],
): Promise<readonly AlarmState[]> {
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
