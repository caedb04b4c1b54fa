import type { Severity } from './alarm-state.ts';
import type { Quality } from './readings.ts';
import { worstFirst } from './shown.ts';
import type { TileAlarm } from './tile-alarm.ts';

/** The qualities other than good, worst first. Chips and headings count them. */
export const faults = worstFirst.filter((quality) => quality !== 'good');

/** A quality of the data, or the severity of an alarm. ` new`: nobody has acknowledged the alarm. */
type Rank = Quality | `${Severity}${'' | ' new'}`;

/**
 * The ranks of a variable by its worst problem: alarms of severity critical and warning that nobody has acknowledged, those that somebody
 * has, faults of the data, alarms of severity info, no problem.
 */
const ranks: readonly Rank[] = ['critical new', 'warning new', 'critical', 'warning', ...faults, 'info new', 'info', 'good'];

/** Returns the rank of a variable, 0 for the worst. A variable without a reading counts as good. */
export function rankOf(quality: Quality | undefined, alarm: Pick<TileAlarm, 'severity' | 'state'> | null): number {
	const byQuality = ranks.indexOf(quality ?? 'good');
	if (alarm === null) return byQuality;
	// An alarm that was not evaluated yet ranks as unacknowledged: nobody could acknowledge it.
	const isNew = alarm.state !== 'active_acknowledged';
	return Math.min(byQuality, ranks.indexOf(`${alarm.severity}${isNew ? ' new' : ''}`));
}
