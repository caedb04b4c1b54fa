import { type Alarm, isActive } from '../board/alarm.ts';
import { type NewestState, readNewest } from '../reading/newest.ts';
import type { ReadContext, ReadingDeps } from './read-variables.ts';

/** An alarm now: whether its condition holds, null where the value cannot be trusted to tell. */
export interface AlarmState extends NewestState {
	readonly active: boolean | null;
}

/**
 * The state of every alarm at one moment, in their order, from one batch read: the condition on the newest value, or on the
 * bit of it that the alarm picks, where its quality is good or stale.
 */
export async function readAlarms(
	deps: ReadingDeps,
	schema: string,
	moment: ReadContext,
	alarms: readonly Alarm[],
): Promise<readonly AlarmState[]> {
	const states = await readNewest(deps, schema, moment, alarms);
	return alarms.map((alarm, index) => {
		const state = states[index] ?? { value: null, quality: 'missing_reference' };
		const known = state.value !== null && (state.quality === 'good' || state.quality === 'stale');
		return { ...state, active: known && state.value !== null ? isActive(alarm, state.value) : null };
	});
}
