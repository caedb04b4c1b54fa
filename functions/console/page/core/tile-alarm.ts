import { computed, type ReadonlySignal } from '@preact/signals';
import { compareAlarms, contradictsValue, isForNoData, isOpenAlarm, type MarkedState, markedStateOf } from './alarm-state.ts';
import { alarms, type ListedAlarm } from './alarms.ts';
import { useStable } from './use-stable.ts';

/** An alarm that is active or not acknowledged, as a tile shows it. */
export interface TileAlarm extends Pick<ListedAlarm, 'id' | 'name' | 'severity' | 'since' | 'condition' | 'threshold'> {
	readonly state: MarkedState;
	/** Whether its condition holds now: the value is beyond the threshold. */
	readonly isBeyond: boolean;
	/** Whether its state disagrees with the value that is shown beside it. */
	readonly contradictsValue: boolean;
	/** Whether it was raised for lack of data, and its condition does not hold. */
	readonly isForNoData: boolean;
	/** Whether it watches a bit. Then its threshold cannot be compared with the value of the variable. */
	readonly isOfBit: boolean;
}

/** What a tile shows of the alarms of its variable. */
export interface TileAlarms {
	/** The worst open alarm; null without one. */
	readonly worst: TileAlarm | null;
	/** The different thresholds of the alarms that watch the value, open or not. */
	readonly limits: readonly number[];
}

/** The alarms by the id of their variable. */
const byVariable = computed(() => Map.groupBy(alarms.value ?? [], ({ varId }) => varId));

/** Follows the alarms of a variable. The signal changes only when the tile has to show something else, not with every poll. */
export function useTileAlarms(varId: number): ReadonlySignal<TileAlarms> {
	return useStable(() => tileAlarmsOf(byVariable.value.get(varId) ?? []), [varId]);
}

/** The alarms of the variable or bit that a symbol of a diagram shows. */
export interface BindingAlarms extends TileAlarms {
	/** Whether one of them is shelved. */
	readonly isShelved: boolean;
}

/** Returns the alarms of a variable's whole value, or of one of its bits. If it is called while rendering, the component follows the alarms. */
export function alarmsOfBinding(varId: number, bit: number | null): BindingAlarms {
	const listed = (byVariable.value.get(varId) ?? []).filter((alarm) => (alarm.bit ?? null) === bit);
	return { ...tileAlarmsOf(listed), isShelved: listed.some((alarm) => markedStateOf(alarm) === 'shelved') };
}

/** Returns the worst open alarm of a variable, of its value or of a bit; null without one. */
export function worstAlarmOf(varId: number): TileAlarm | null {
	return tileAlarmsOf(byVariable.value.get(varId) ?? []).worst;
}

/** Returns the alarms of a variable as a tile shows them. */
function tileAlarmsOf(listed: readonly ListedAlarm[]): TileAlarms {
	const [worst = null] = listed.filter(isOpenAlarm).toSorted(compareAlarms);
	return {
		worst: worst === null ? null : tileAlarmOf(worst),
		limits: [...new Set(listed.filter((alarm) => !isOfBit(alarm)).map(({ threshold }) => threshold))],
	};
}

function tileAlarmOf(alarm: ListedAlarm): TileAlarm {
	const { id, name, severity, since, condition, threshold } = alarm;
	return {
		id,
		name,
		severity,
		since,
		condition,
		threshold,
		state: markedStateOf(alarm),
		isBeyond: alarm.active === true,
		contradictsValue: contradictsValue(alarm),
		isForNoData: isForNoData(alarm),
		isOfBit: isOfBit(alarm),
	};
}

function isOfBit({ bit }: ListedAlarm): boolean {
	return bit !== null && bit !== undefined;
}
