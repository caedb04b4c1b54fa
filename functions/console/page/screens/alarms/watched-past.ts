import { isActive } from '#domain/board/condition.ts';
import type { Schemas } from '#page/core/api.ts';
import { type BandedWindows, equalRuns, valueOrBit } from '#page/core/past/windows.ts';

/** A span in which the condition held, or in which no value is known, in epoch milliseconds. */
export interface PastSpan {
	readonly from: number;
	readonly to: number;
}

/** The past values of the variable or bit that an alarm watches, compared with its condition. */
export interface WatchedPast extends BandedWindows {
	/** Spans of consecutive windows at whose end the condition held. */
	readonly held: readonly PastSpan[];
	/** Whether the condition also held within a window, but not at its end. */
	readonly heldAtTimes: boolean;
	/** Spans in which no value is known. */
	readonly gaps: readonly PastSpan[];
}

/** The fields of an alarm that decide whether its condition holds. */
export type WatchedCondition = Pick<Schemas['AlarmInput'], 'condition' | 'threshold' | 'bit'>;

/** Compares each window of the alarm's variable with the condition, as the service compares the newest value. Bits have no band. */
export function watchedPastOf({ values, bounds, band }: BandedWindows, alarm: WatchedCondition): WatchedPast {
	const watched = values.map((value) => valueOrBit(value, alarm.bit ?? null));
	const spansOf = (states: readonly boolean[]): readonly PastSpan[] =>
		equalRuns(states)
			.filter(({ of: isTrue }) => isTrue)
			.map(({ from, to }) => ({ from: bounds[from] ?? 0, to: bounds[to] ?? 0 }));
	const holds = watched.map((value) => value !== null && conditionHolds(alarm, value));
	const watchedBand = (alarm.bit ?? null) === null ? band : null;
	const extremesAt = (index: number) =>
		[watchedBand?.low[index], watchedBand?.high[index]].filter((value) => typeof value === 'number');
	return {
		values: watched,
		bounds,
		band: watchedBand,
		held: spansOf(holds),
		heldAtTimes: watched.some(
			(_, index) => holds[index] !== true && extremesAt(index).some((value) => conditionHolds(alarm, value)),
		),
		gaps: spansOf(watched.map((value) => value === null)),
	};
}

/** Whether the condition holds for a value. */
export function conditionHolds(
	{ condition, threshold }: Pick<WatchedCondition, 'condition' | 'threshold'>,
	value: number,
): boolean {
	return isActive({ condition, threshold }, value);
}
