import type { Quality } from './readings.ts';
import type { Severity } from './severity.ts';
import type { TileAlarm } from './tile-alarm.ts';

/** The qualities that are not good, in the order in which chips and headings count them. */
export const faults = ['bad', 'missing_reference', 'no_data', 'stale', 'skipped'] as const satisfies readonly Quality[];

/** The ranks of what is wrong with a variable, worst first: alarms of severity 1 and 2, faults of the data, info, nothing. */
const ranks = [
	'critical new',
	'warning new',
	'critical',
	'warning',
	'bad',
	'missing_reference',
	'no_data',
	'stale',
	'skipped',
	'info new',
	'info',
	'good',
] satisfies (Quality | `${Severity}${'' | ' new'}`)[];

/** Returns how bad a variable is, 0 the worst. Without a reading it is not known to be bad. */
export function rankOf(quality: Quality | undefined, alarm: Pick<TileAlarm, 'severity' | 'state'> | null): number {
	const byQuality = ranks.indexOf(quality ?? 'good');
	if (alarm === null) return byQuality;
	// What was not evaluated yet nobody could acknowledge.
	const isNew = alarm.state !== 'active_acknowledged';
	return Math.min(byQuality, ranks.indexOf(`${alarm.severity}${isNew ? ' new' : ''}`));
}
