import type { ListedAlarm } from '#page/core/alarms.ts';
import type { Variable } from '#page/core/definitions.ts';
import type { Quality } from '#page/core/readings.ts';
import { severityNumbers } from '#page/core/severity.ts';
import { isUsable } from '#page/core/shown.ts';

/** The groups of the list, in the order of the filters. Each alarm is in one. */
export const alarmGroups = ['active', 'unknown', 'normal'] as const;

export type AlarmGroup = (typeof alarmGroups)[number];

/** An alarm as the list and its details show it. */
export interface AlarmRow {
	readonly alarm: ListedAlarm;
	readonly group: AlarmGroup;
	/** The value that was compared; null where there is none. 0 is a value. */
	readonly value: number | null;
	readonly quality: Quality;
	/** The unit of value and threshold; '' for a bit, and where the variable is not known. */
	readonly unit: string;
	/** The name of the variable; null where there is none. */
	readonly variable: string | null;
}

/** Returns the rows worst first: active, then unknown, then not active; in each by severity, then by id. */
export function alarmRows(
	alarms: readonly ListedAlarm[],
	variables: ReadonlyMap<number, Variable> | undefined,
): readonly AlarmRow[] {
	return alarms
		.map((alarm) => rowOf(alarm, variables?.get(alarm.varId)))
		.toSorted(
			(a, b) =>
				alarmGroups.indexOf(a.group) - alarmGroups.indexOf(b.group) ||
				severityNumbers[a.alarm.severity] - severityNumbers[b.alarm.severity] ||
				a.alarm.id - b.alarm.id,
		);
}

/** Returns the bit that an alarm watches; null where it watches the whole value. */
export function watchedBit({ bit }: Pick<ListedAlarm, 'bit'>): number | null {
	return bit ?? null;
}

function rowOf(alarm: ListedAlarm, variable: Variable | undefined): AlarmRow {
	const { active, value, quality } = alarm;
	return {
		alarm,
		group: active === null ? 'unknown' : active ? 'active' : 'normal',
		value: isUsable(quality) ? value : null,
		quality,
		unit: watchedBit(alarm) === null ? (variable?.unit ?? '') : '',
		variable: variable?.name ?? null,
	};
}
