import { computed, type ReadonlySignal } from '@preact/signals';
import { alarms, type ListedAlarm } from '#page/core/alarms.ts';
import { type Severity, severityNumbers } from '#page/core/severity.ts';
import type { MarkedState } from '#page/parts/alarm-mark.tsx';
import { useStable } from './use-stable.ts';

/** An active alarm as a tile shows it. */
export interface TileAlarm {
	readonly id: number;
	readonly name: string;
	readonly severity: Severity;
	readonly state: Extract<MarkedState, `active_${string}` | `returned_${string}`>;
	readonly condition: ListedAlarm['condition'];
	readonly threshold: number;
	/** Whether it watches a bit, so that its threshold is not one of the value. */
	readonly isOfBit: boolean;
}

/** The alarms of a variable: the worst active one, and the thresholds of all that watch its value. */
export interface TileAlarms {
	readonly worst: TileAlarm | null;
	readonly limits: readonly number[];
}

/** The alarms by variable. */
const byVariable = computed(() => Map.groupBy(alarms.value ?? [], ({ varId }) => varId));

/** Follows the alarms of a variable. The signal changes only with what a tile shows, not with the value at every poll. */
export function useTileAlarms(varId: number): ReadonlySignal<TileAlarms> {
	return useStable(() => tileAlarmsOf(byVariable.value.get(varId) ?? []), [varId]);
}

/** Returns the worst active alarm of a variable, or null. */
export function worstOf(varId: number): TileAlarm | null {
	return tileAlarmsOf(byVariable.value.get(varId) ?? []).worst;
}

/** Returns what a tile shows of a variable's alarms. */
export function tileAlarmsOf(listed: readonly ListedAlarm[]): TileAlarms {
	const [worst = null] = listed
		.filter(({ active }) => active === true)
		.toSorted((a, b) => severityNumbers[a.severity] - severityNumbers[b.severity] || a.id - b.id);
	return {
		worst: worst === null ? null : tileAlarmOf(worst),
		limits: [...new Set(listed.filter((alarm) => !isOfBit(alarm)).map(({ threshold }) => threshold))],
	};
}

function tileAlarmOf(alarm: ListedAlarm): TileAlarm {
	const { id, name, severity, condition, threshold } = alarm;
	return { id, name, severity, state: 'active_acknowledged', condition, threshold, isOfBit: isOfBit(alarm) };
}

function isOfBit({ bit }: ListedAlarm): boolean {
	return bit !== null && bit !== undefined;
}
