/**
 * Computes the expected result of a read by brute force over the samples. It shares no code with the product's windows and has its
 * own calendar, so that both cannot be wrong in the same way.
 */
import type { PointFault, SeriesKey, SeriesResult } from '#domain/ports/time-series.ts';

/** A sample that a test writes. */
export interface WrittenSample {
	readonly tagSet: string;
	readonly timeNs: bigint;
	readonly value: number | bigint | boolean | string;
}

const nsPerMs = 1_000_000n;
const dayMs = 86_400_000;

const floorDiv = (a: bigint, b: bigint): bigint => a / b - (a % b < 0n ? 1n : 0n);
/** Converts nanoseconds to milliseconds, rounded down. */
export const floorMs = (timeNs: bigint): number => Number(floorDiv(timeNs, nsPerMs));

/** A date of the proleptic Gregorian calendar; `month` counts from 0. */
interface Day {
	readonly year: number;
	readonly month: number;
	readonly day: number;
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const monthLength = (year: number, month: number): number => (month === 1 && isLeap(year) ? 29 : (monthLengths[month] ?? 0));

/** Days from 1970-01-01, counted year by year and month by month. */
const daysOf = ({ year, month, day }: Day): number => {
	let days = day - 1;
	for (let at = 1970; at < year; at += 1) days += isLeap(at) ? 366 : 365;
	for (let at = year; at < 1970; at += 1) days -= isLeap(at) ? 366 : 365;
	for (let at = 0; at < month; at += 1) days += monthLength(year, at);
	return days;
};

const dayOf = (timeMs: number): Day => {
	let [year, month, left] = [1970, 0, Math.floor(timeMs / dayMs)];
	for (; left < 0; left += isLeap(year) ? 366 : 365) year -= 1;
	for (; left >= (isLeap(year) ? 366 : 365); year += 1) left -= isLeap(year) ? 366 : 365;
	for (; left >= monthLength(year, month); month += 1) left -= monthLength(year, month);
	return { year, month, day: left + 1 };
};

/** Returns midnight of the first day of a month; `months` counts from January 1970. */
const firstOfMonth = (months: number): number => {
	const year = 1970 + Math.floor(months / 12);
	return daysOf({ year, month: months - (year - 1970) * 12, day: 1 }) * dayMs;
};

/** Returns the number of months from January 1970 to the month of `timeMs`. */
const monthIndex = (timeMs: number): number => {
	const { year, month } = dayOf(timeMs);
	return (year - 1970) * 12 + month;
};

const before = (timeMs: number, lookback: SeriesKey['lookback']): number => {
	if (lookback.months === undefined) return timeMs - lookback.ms;
	const { day } = dayOf(timeMs);
	const index = monthIndex(timeMs) - lookback.months;
	const length = (firstOfMonth(index + 1) - firstOfMonth(index)) / dayMs;
	return firstOfMonth(index) + (Math.min(day, length) - 1) * dayMs + (timeMs - Math.floor(timeMs / dayMs) * dayMs);
};

type WindowedKey = Exclude<SeriesKey, { readonly read: 'newest' }>;

/** The windows of a read: where the first one starts, and where the window that holds an instant ends. */
interface ExpectedWindows {
	readonly start: number;
	readonly endOf: (timeMs: number) => number;
}

const historyWindowsOf = ({ lookback, period: { ms, months } }: WindowedKey, now: number): ExpectedWindows => {
	const startOf = (index: number): number => (months === undefined ? index * ms : firstOfMonth(index * months));
	const indexOf = (timeMs: number): number => Math.floor(months === undefined ? timeMs / ms : monthIndex(timeMs) / months);
	return {
		start: startOf(indexOf(before(now, lookback))),
		endOf: (timeMs) => Math.min(startOf(indexOf(timeMs) + 1), now),
	};
};

/** The windows of a trailing read are counted back from now: the first is 1. */
const trailingWindowsOf = ({ lookback, period: { ms, months } }: WindowedKey, now: number): ExpectedWindows => {
	const startOf = (back: number): number =>
		months === undefined ? now - back * ms : before(now, { ms: ms * back, months: months * back });
	const endOf = (timeMs: number): number => {
		let back = months === undefined ? Math.ceil((now - timeMs) / ms) : 1;
		while (timeMs < startOf(back)) back += 1;
		return startOf(back - 1);
	};
	return { start: before(now, lookback), endOf };
};

const numberOf = (value: WrittenSample['value']): number => (typeof value === 'boolean' ? (value ? 1 : 0) : Number(value));
const isBeyond = (value: bigint): boolean => value > 2n ** 53n || value < -(2n ** 53n);

/** Returns the value of the samples of one window, or of the newest sample alone, in order of time. */
export const aggregated = (
	samples: readonly WrittenSample[],
	aggregate: 'last' | 'mean',
): { value: number } | { fault: PointFault } => {
	if (new Set(samples.map(({ tagSet }) => tagSet)).size > 1) return { fault: 'several_series' };
	const chosen = aggregate === 'last' ? samples.slice(-1) : samples;
	if (chosen.some(({ value }) => typeof value === 'string')) return { fault: 'not_numeric' };
	const integers = chosen.flatMap(({ value }) => (typeof value === 'bigint' ? [value] : []));
	if (integers.length > 0) {
		const sum = integers.reduce((total, value) => total + value, 0n);
		if (isBeyond(sum / BigInt(integers.length))) return { fault: 'precision' };
		return { value: Number(sum) / integers.length };
	}
	return { value: chosen.reduce((total, { value }) => total + numberOf(value) / chosen.length, 0) };
};

const toSeries = (
	points: readonly { readonly time: number; readonly samples: readonly WrittenSample[] }[],
	aggregate: 'last' | 'mean',
) => {
	const values = points.map(({ samples }) => aggregated(samples, aggregate));
	return {
		times: points.map(({ time }) => time),
		values: values.map((value) => ('value' in value ? value.value : null)),
		faults: new Map(values.flatMap((value, index) => ('fault' in value ? [[index, value.fault] as const] : []))),
	};
};

/** Returns the stored samples by time. Of two writes to one instant and tag set, the later one is stored. */
export const stored = (written: readonly WrittenSample[]): readonly WrittenSample[] => {
	const byInstant = new Map(written.map((sample) => [`${sample.timeNs} ${sample.tagSet}`, sample]));
	return [...byInstant.values()].sort((a, b) => (a.timeNs < b.timeNs ? -1 : a.timeNs > b.timeNs ? 1 : 0));
};

/** Returns the expected result of reading `key`. `written` are the samples of its topic and field as written, all of one type. */
export const expectedSeries = (written: readonly WrittenSample[], key: SeriesKey, now: number): SeriesResult => {
	const visible = stored(written).filter(({ timeNs }) => timeNs < BigInt(now) * nsPerMs);
	if (key.read === 'newest') {
		const inRange = visible.filter(({ timeNs }) => timeNs >= BigInt(before(now, key.lookback)) * nsPerMs);
		const newest = inRange.at(-1);
		if (newest === undefined) return { times: [], values: [], faults: new Map(), newestAt: null };
		const time = floorMs(newest.timeNs);
		const samples = inRange.filter(({ timeNs }) => timeNs === newest.timeNs);
		return { ...toSeries([{ time, samples }], 'last'), newestAt: time };
	}
	const { start, endOf } = (key.read === 'history' ? historyWindowsOf : trailingWindowsOf)(key, now);
	const inRange = visible.filter(({ timeNs }) => floorMs(timeNs) >= start);
	if (inRange.some(({ value }) => typeof value === 'string')) return { fault: 'not_numeric' };
	const byWindow = Map.groupBy(inRange, ({ timeNs }) => endOf(floorMs(timeNs)));
	const points = [...byWindow.entries()].map(([time, samples]) => ({ time, samples }));
	const newest = inRange.at(-1);
	return {
		...toSeries(key.read === 'history' ? points : points.slice(-1), key.aggregate),
		newestAt: newest === undefined ? null : floorMs(newest.timeNs),
	};
};
