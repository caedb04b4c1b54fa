import { bitOf, isByte } from '#domain/variable/byte.ts';
import { durationOf } from '#domain/variable/duration.ts';
import type { Schemas } from '../api.ts';

/** A value for each window of a past, oldest first; null where there is none. */
export type Column = readonly (number | null)[];

/** The least and the greatest value of each window. */
export interface Band {
	readonly low: Column;
	readonly high: Column;
}

/** Windows [from, to) without a value. `bad`: there are samples, but none can be shown. */
export interface Gap {
	readonly kind: 'no_data' | 'bad';
	readonly from: number;
	readonly to: number;
}

/** A column with the bounds of its windows: n + 1 epoch milliseconds for n values. */
export interface Windows {
	readonly values: Column;
	readonly bounds: readonly number[];
}

/** Windows with the least and the greatest value inside each. `band` is null where the service does not know them, as for a formula. */
export interface BandedWindows extends Windows {
	readonly band: Band | null;
}

type ValuesAndPeriod = Pick<Schemas['VariableHistory'], 'values' | 'period'>;

/**
 * Finds the gaps of a column. All screens use this rule: empty windows are a gap if together they last longer than the variable's own
 * period. So a slowly sampled variable, or a sample that is late by less than a window, makes no gap. Windows whose samples have no value
 * are always a gap.
 * @param bad indices of the windows that have samples without a value
 * @param bounds the bounds of the windows, epoch milliseconds
 * @param ownMs the variable's own period
 * @example
 * // Windows of a minute, a period of a minute.
 * findGaps([1, null, 1], new Set(), bounds, 60_000); // []
 * findGaps([1, null, null, 1], new Set(), bounds, 60_000); // [{ kind: 'no_data', from: 1, to: 3 }]
 */
export function findGaps(column: Column, bad: ReadonlySet<number>, bounds: readonly number[], ownMs: number): readonly Gap[] {
	const kindOfEmpty = (index: number) => (bad.has(index) ? 'bad' : 'no_data');
	const kinds = column.map((value, index) => (value === null ? kindOfEmpty(index) : null));
	return equalRuns(kinds).flatMap(({ of: kind, from, to }) => {
		const isLong = (bounds[to] ?? 0) - (bounds[from] ?? 0) > ownMs;
		return kind === 'bad' || (kind === 'no_data' && isLong) ? [{ kind, from, to }] : [];
	});
}

/** Returns the length of gaps in milliseconds. */
export function gapsMs(gaps: readonly Pick<Gap, 'from' | 'to'>[], bounds: readonly number[]): number {
	return gaps.reduce((sum, { from, to }) => sum + (bounds[to] ?? 0) - (bounds[from] ?? 0), 0);
}

/**
 * Returns the own period of a variable in milliseconds; 0 where it has none, or where the period is counted in months. With 0, every empty
 * window is a gap.
 */
export function ownPeriodMs({ period }: Pick<ValuesAndPeriod, 'period'>): number {
	const duration = period === null ? null : durationOf(period.count, period.unit);
	return duration !== null && 'ms' in duration ? duration.ms : 0;
}

/** Returns the wanted aggregate of a history, or its own aggregate: a calculated variable has only that one. */
export function aggregateColumnOf({ values }: Pick<ValuesAndPeriod, 'values'>, wanted: 'last' | 'mean'): Column {
	const column = values[wanted];
	return hasValue(column) ? column : (values.own ?? []);
}

/**
 * Returns the windows of a history for a line or a strip up to now. Empty windows that are no gap keep the value before them, so null
 * means a gap or no value yet. The range may cut its first and its last window short; a cut window without a sample is left out. The band
 * is widened to contain the value. The value is a mean over the variable's own period, so it may lie outside the least and greatest of a
 * short window.
 * @param wanted `last` asks for the value at the end of each window; without it the variable's own aggregate is taken
 */
export function knownWindows(history: ValuesAndPeriod, bounds: readonly number[], wanted?: 'last'): BandedWindows {
	const column = wanted === undefined ? (history.values.own ?? []) : aggregateColumnOf(history, wanted);
	const [from, to] = wholeWindows(column, bounds);
	const wholeBounds = bounds.slice(from, to + 1);
	const wholeColumn = column.slice(from, to);
	const gaps = findGaps(wholeColumn, noWindows, wholeBounds, ownPeriodMs(history));
	const values = withHeldValues(wholeColumn, gaps);
	const { min, max } = history.values;
	const widened = (limits: Column | undefined, extreme: (a: number, b: number) => number): Column =>
		values.map((value, index) => (value === null ? null : extreme(limits?.[from + index] ?? value, value)));
	const band = hasValue(min) ? { low: widened(min, Math.min), high: widened(max, Math.max) } : null;
	return { values, bounds: wholeBounds, band };
}

/** The indices of the windows with bad samples where a history does not tell them. */
const noWindows: ReadonlySet<number> = new Set();

/** Returns the windows [from, to) that remain without a first and a last window that the range cuts short and that have no sample. */
function wholeWindows(column: Column, bounds: readonly number[]): readonly [number, number] {
	const isEmptyAndShorter = (index: number, neighbour: number): boolean =>
		column.length > 1 && column[index] === null && lengthAt(bounds, index) < lengthAt(bounds, neighbour);
	const last = column.length - 1;
	return [isEmptyAndShorter(0, 1) ? 1 : 0, isEmptyAndShorter(last, last - 1) ? last : column.length];
}

function hasValue(column: Column | undefined): column is Column {
	return column?.some((value) => value !== null) === true;
}

/** Returns the value, or one bit of it as 0 or 1; null where there is none. Bit 0 is the least significant bit of the byte. */
export function valueOrBit(value: number | null, bit: number | null): number | null {
	if (value === null || bit === null) return value;
	return isByte(value) ? bitOf(value, bit) : null;
}

/** Joins equal neighbours to runs [from, to). `of` is the item that is repeated. */
export function equalRuns<Item>(
	items: readonly Item[],
): readonly { readonly of: Item; readonly from: number; readonly to: number }[] {
	const starts = items.flatMap((item, index) => (index === 0 || item !== items[index - 1] ? [{ of: item, from: index }] : []));
	return starts.map((start, index) => ({ ...start, to: starts[index + 1]?.from ?? items.length }));
}

/** Returns the length of a window in milliseconds. */
export function lengthAt(bounds: readonly number[], index: number): number {
	return (bounds[index + 1] ?? 0) - (bounds[index] ?? 0);
}

/** Lets each value hold until the next one, but not into a gap. */
function withHeldValues(column: Column, gaps: readonly Gap[]): Column {
	const starts = new Set(gaps.map(({ from }) => from));
	let held: number | null = null;
	return column.map((value, index) => {
		if (starts.has(index)) held = null;
		held = value ?? held;
		return held;
	});
}
