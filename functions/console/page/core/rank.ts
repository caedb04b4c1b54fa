import type { Severity } from './alarm-state.ts';
import type { Quality } from './readings.ts';
import { worstFirst } from './shown.ts';
import type { TileAlarm } from './tile-alarm.ts';

/** The qualities that are not good, worst first, as chips and headings count them. */
export const faults = worstFirst.filter((quality) => quality !== 'good');

type Rank = Quality | `${Severity}${'' | ' new'}`;

/** The ranks of what is wrong with a variable, worst first: alarms of severity 1 and 2, faults of the data, info, nothing. */
const ranks: readonly Rank[] = ['critical new', 'warning new', 'critical', 'warning', ...faults, 'info new', 'info', 'good'];

/** Returns how bad a variable is, 0 the worst. Without a reading it is not known to be bad. */
export function rankOf(quality: Quality | undefined, alarm: Pick<TileAlarm, 'severity' | 'state'> | null): number {
	const byQuality = ranks.indexOf(quality ?? 'good');
	if (alarm === null) return byQuality;
	// An alarm that was not evaluated yet ranks as unacknowledged: nobody could acknowledge it.
	const isNew = alarm.state !== 'active_acknowledged';
	return Math.min(byQuality, ranks.indexOf(`${alarm.severity}${isNew ? ' new' : ''}`));
}
