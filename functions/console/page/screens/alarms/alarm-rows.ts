import { compareAlarms, isRaised, isUnacknowledged, type MarkedState, markedStateOf } from '#page/core/alarm-state.ts';
import type { ListedAlarm } from '#page/core/alarms.ts';
import type { Variable } from '#page/core/definitions.ts';
import type { Quality } from '#page/core/readings.ts';
import { isUsable } from '#page/core/shown.ts';
import { formatValue } from '#page/format/number.ts';
import { differingTagTexts } from '#page/i18n/reasons.ts';

/** The filters of the list, in their order. An alarm may pass several. */
export const alarmFilters = ['all', 'unacknowledged', 'active', 'shelved'] as const;

export type AlarmFilter = (typeof alarmFilters)[number];

/** An alarm as the list and its details show it. */
export interface AlarmRow {
	readonly alarm: ListedAlarm;
	readonly state: MarkedState;
	/** The value that was compared; null where there is none. 0 is a value. */
	readonly value: number | null;
	readonly quality: Quality;
	/** Where several sources write: the tags in which they differ, in words; otherwise ''. */
	readonly sources: string;
	/** The unit of value and threshold; '' for a bit, and if the variable is not known. */
	readonly unit: string;
	/** The name of the variable; null where there is none. */
	readonly variable: string | null;
}

/** Returns the rows worst first. */
export function alarmRows(
	alarms: readonly ListedAlarm[],
	variables: ReadonlyMap<number, Variable> | undefined,
): readonly AlarmRow[] {
	return alarms.toSorted(compareAlarms).map((alarm) => rowOf(alarm, variables?.get(alarm.varId)));
}

/** Whether an alarm passes a filter. An alarm that is shelved and active passes both filters. */
export function passesFilter({ alarm }: Pick<AlarmRow, 'alarm'>, filter: AlarmFilter): boolean {
	switch (filter) {
		case 'all':
			return true;
		case 'unacknowledged':
			return isUnacknowledged(alarm);
		case 'active':
			return isRaised(alarm);
		case 'shelved':
			return alarm.shelvedUntil !== null;
	}
}

/** Returns the bit that an alarm watches; null where it watches the whole value. */
export function watchedBit({ bit }: Pick<ListedAlarm, 'bit'>): number | null {
	return bit ?? null;
}

/** Formats the value of a row; null if it has none. A bit is 0 or 1. */
export function rowNumber({ alarm, value }: AlarmRow): string | null {
	if (value === null) return null;
	return watchedBit(alarm) === null ? formatValue(alarm.varId, value) : String(value);
}

function rowOf(alarm: ListedAlarm, variable: Variable | undefined): AlarmRow {
	const { value, quality } = alarm;
	return {
		alarm,
		state: markedStateOf(alarm),
		value: isUsable(quality) ? value : null,
		quality,
		sources: differingTagTexts(alarm.tags ?? []).join(', '),
		unit: watchedBit(alarm) === null ? (variable?.unit ?? '') : '',
		variable: variable?.name ?? null,
	};
}
