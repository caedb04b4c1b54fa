import { isActive } from '#domain/board/condition.ts';
import type { Schemas } from '#page/core/api.ts';
import { runsOf, valueOrBit, type Windows } from '#page/core/past/windows.ts';

/** A span in which the condition held, or in which no value is known, in epoch milliseconds. */
export interface PastSpan {
	readonly from: number;
	readonly to: number;
}

/** The past of what an alarm watches, compared with its condition. */
export interface WatchedPast extends Windows {
	/** Where the condition held. */
	readonly held: readonly PastSpan[];
	/** Where no value is known. */
	readonly gaps: readonly PastSpan[];
}

/** What of an alarm decides whether its condition holds. */
export type WatchedCondition = Pick<Schemas['AlarmInput'], 'condition' | 'threshold' | 'bit'>;

/** Compares the windows of the alarm's variable with its condition, as the service compares the newest value. */
export function watchedPastOf({ values, bounds }: Windows, alarm: WatchedCondition): WatchedPast {
	const watched = values.map((value) => valueOrBit(value, alarm.bit ?? null));
	const spansOf = (states: readonly boolean[]): readonly PastSpan[] =>
		runsOf(states)
			.filter(({ of: isTrue }) => isTrue)
			.map(({ from, to }) => ({ from: bounds[from] ?? 0, to: bounds[to] ?? 0 }));
	return {
		values: watched,
		bounds,
		held: spansOf(watched.map((value) => value !== null && conditionHolds(alarm, value))),
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
