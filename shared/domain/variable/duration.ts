import { dayMs, hourMs, minuteMs, secondMs } from '../milliseconds.ts';
import { type Problem, problem } from '../validation/problem.ts';

// Fixed durations are whole milliseconds, calendar durations whole months, both UTC (shared/domain/variable/README.md#durations).

const monthMs = 31 * dayMs;
const yearMs = 366 * dayMs;

/** A duration. A calendar duration also has its number of `months`. */
export interface Duration {
	/** Length in milliseconds; for months and years: the maximum length, for comparing and counting only. */
	readonly ms: number;
	readonly months?: number;
}

const units = {
	ms: { ms: 1 },
	s: { ms: secondMs },
	m: { ms: minuteMs },
	h: { ms: hourMs },
	d: { ms: dayMs },
	mo: { ms: monthMs, months: 1 },
	y: { ms: yearMs, months: 12 },
} as const satisfies Readonly<Record<string, Duration>>;

/** A time unit of a query. `m` is minutes, `mo` months. */
export type TimeUnit = keyof typeof units;

/** The time units of a query. */
export const timeUnits: readonly TimeUnit[] = Object.keys(units).filter((unit): unit is TimeUnit => unit in units);

/** The longest duration: 100 years. */
export const maxDurationMs = 100 * yearMs;
const maxDurationMonths = 1200;
const tooLong = problem('duration_too_long', 'Must be at most 100 y, which is 1200 mo or 36600 d.');

/**
 * Creates a duration.
 * @returns the duration, or what is wrong with `count`
 * @example
 * durationOf(90, 's'); // { ms: 90_000 }
 * durationOf(2, 'y'); // { ms: 63_244_800_000, months: 24 }
 * durationOf(1.5, 'mo'); // { code: 'duration_not_whole', message: 'Must be a whole number of mo.', params: { unit: 'mo' } }
 */
export function durationOf(count: number, unit: TimeUnit): Duration | Problem {
	const unitLength: Duration = units[unit];
	if (unitLength.months !== undefined && !Number.isInteger(count))
		return problem('duration_not_whole', `Must be a whole number of ${unit}.`, { unit });
	const ms = Math.round(count * unitLength.ms);
	if (ms < 1) return problem('duration_too_short', 'Must be at least 1 ms.');
	if (unitLength.months === undefined) return ms > maxDurationMs ? tooLong : { ms };
	const months = count * unitLength.months;
	return months > maxDurationMonths ? tooLong : { ms, months };
}

/** Returns the start of a month in epoch milliseconds UTC; `months` counts from January 1970 and may be negative. */
export function monthStart(months: number): number {
	// A number of months beyond 11, or below 0, moves to another year.
	return new Date(0).setUTCFullYear(1970, months, 1);
}

/** Returns the number of whole months from January 1970 to the month of `time` (epoch milliseconds), UTC. */
export function monthOf(time: number): number {
	const date = new Date(time);
	return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

/**
 * Subtracts a duration from a time (epoch milliseconds). A calendar subtraction keeps the day of the month and the time of day,
 * and takes the last day of a month that is too short.
 * @example
 * subtract(Date.parse('2024-03-31T10:00:00Z'), { ms: 2_678_400_000, months: 1 }); // 2024-02-29T10:00:00Z
 */
export function subtract(time: number, duration: Duration): number {
	if (duration.months === undefined) return time - duration.ms;
	const target = monthOf(time) - duration.months;
	const start = monthStart(target);
	const days = (monthStart(target + 1) - start) / dayMs;
	const day = Math.min(new Date(time).getUTCDate(), days);
	// Before 1970 the remainder is negative.
	const timeOfDay = ((time % dayMs) + dayMs) % dayMs;
	return start + (day - 1) * dayMs + timeOfDay;
}
