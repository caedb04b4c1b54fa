import { computed, type ReadonlySignal } from '@preact/signals';
import { compareAlarms, contradictsValue, isOpenAlarm, type MarkedState, markedStateOf } from './alarm-state.ts';
import { alarms, type ListedAlarm } from './alarms.ts';
import { useStable } from './use-stable.ts';

/** An alarm that is active or not acknowledged, as a tile shows it. */
export interface TileAlarm extends Pick<ListedAlarm, 'id' | 'name' | 'severity' | 'since' | 'condition' | 'threshold'> {
	readonly state: MarkedState;
	/** Whether its condition holds now, so that the value is beyond the threshold. */
	readonly isBeyond: boolean;
	/** Whether its state is another than the value beside it says. */
	readonly contradictsValue: boolean;
	/** Whether it watches a bit, so that its threshold is not one of the value. */
	readonly isOfBit: boolean;
}

/** The alarms of a variable: the worst one that is open, and the thresholds of all that watch its value. */
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

/** The alarms of what a symbol of a diagram is bound to. */
export interface BindingAlarms extends TileAlarms {
	/** Whether one of them is shelved. */
	readonly isShelved: boolean;
}

/** Returns the alarms of a variable's whole value, or of one of its bits. Call it while rendering: what is shown follows them. */
export function alarmsOfBinding(varId: number, bit: number | null): BindingAlarms {
	const listed = (byVariable.value.get(varId) ?? []).filter((alarm) => (alarm.bit ?? null) === bit);
	return { ...tileAlarmsOf(listed), isShelved: listed.some((alarm) => markedStateOf(alarm) === 'shelved') };
}

/** Returns the worst open alarm of a variable, or null. */
export function worstOf(varId: number): TileAlarm | null {
	return tileAlarmsOf(byVariable.value.get(varId) ?? []).worst;
}

/** What a tile shows of a variable's alarms. */
function tileAlarmsOf(listed: readonly ListedAlarm[]): TileAlarms {
	const [worst = null] = listed.filter(isOpenAlarm).toSorted(compareAlarms);
	return {
		worst: worst === null ? null : tileAlarmOf(worst),
		limits: [...new Set(listed.filter((alarm) => !isOfBit(alarm)).map(({ threshold }) => threshold))],
	};
}

function tileAlarmOf(alarm: ListedAlarm): TileAlarm {
	const { id, name, severity, since, condition, threshold } = alarm;
	const state = markedStateOf(alarm);
	return {
		id,
		name,
		severity,
		state,
		since,
		condition,
		threshold,
		isBeyond: alarm.active === true,
		contradictsValue: contradictsValue(alarm),
		isOfBit: isOfBit(alarm),
	};
}

function isOfBit({ bit }: ListedAlarm): boolean {
	return bit !== null && bit !== undefined;
}
