import { isActive } from '#domain/board/alarm.ts';
import type { Schemas } from '#page/core/api.ts';
import { lineOf } from '#page/core/past.ts';

/** A span in which the condition held, or in which no value is known, in epoch milliseconds. */
export interface HourSpan {
	readonly from: number;
	readonly to: number;
}

/** The last hour of an alarm. */
export interface AlarmHour {
	/** The values at the ends of the windows, oldest first; null where none is known. A bit is 0 or 1. */
	readonly values: readonly (number | null)[];
	readonly bounds: readonly number[];
	/** Where the condition held. */
	readonly held: readonly HourSpan[];
	/** Where no value is known. */
	readonly gaps: readonly HourSpan[];
}

/** What of an alarm decides whether its condition holds. */
export type WatchedCondition = Pick<Schemas['AlarmInput'], 'condition' | 'threshold' | 'bit'>;

/** Compares the history of the alarm's variable with its condition, as the service compares the newest value. */
export function alarmHourOf(
	{ values, period }: Pick<Schemas['VariableHistory'], 'values' | 'period'>,
	bounds: readonly number[],
	alarm: WatchedCondition,
): AlarmHour {
	const last = values.last ?? [];
	const column = last.some((value) => value !== null) ? last : (values.own ?? []);
	const line = lineOf({ values: { own: column }, period }, bounds).map((value) => watchedValue(value, alarm.bit ?? null));
	return {
		values: line,
		bounds,
		held: spansOf(line, bounds, (value) => value !== null && conditionHolds(alarm, value)),
		gaps: spansOf(line, bounds, (value) => value === null),
	};
}

/** Returns the number that an alarm compares: the value, or 0 or 1 for a bit of a byte; null where there is none. */
export function watchedValue(value: number | null, bit: number | null): number | null {
	if (value === null || bit === null) return value;
	return Number.isInteger(value) && value >= 0 && value <= 255 ? (value >> bit) & 1 : null;
}

/** Whether the condition holds for a value. */
export function conditionHolds(
	{ condition, threshold }: Pick<WatchedCondition, 'condition' | 'threshold'>,
	value: number,
): boolean {
	return isActive({ condition, threshold }, value);
}

/** Joins neighbouring windows of which something is true. */
function spansOf(
	values: readonly (number | null)[],
	bounds: readonly number[],
	isTrue: (value: number | null) => boolean,
): readonly HourSpan[] {
	const spans: HourSpan[] = [];
	for (const [index, value] of values.entries()) {
		if (!isTrue(value)) continue;
		const [from = 0, to = 0] = bounds.slice(index, index + 2);
		const previous = spans.at(-1);
		if (previous?.to === from) spans.splice(-1, 1, { from: previous.from, to });
		else spans.push({ from, to });
	}
	return spans;
}
