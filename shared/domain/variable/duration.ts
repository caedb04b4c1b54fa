/**
 * Durations: fixed ones in whole milliseconds, calendar ones in whole months, UTC (design section 5).
 * `mo` and `y` have no length of their own; where one is needed for comparing or counting, a month counts as 31 d and a
 * year as 366 d, never too short.
 */

const dayMs = 86_400_000;

/** Nominal lengths, for comparing and counting only. */
const monthMs = 31 * dayMs;

const yearMs = 366 * dayMs;

/** The time units of the specification (section 2.4). */
export const timeUnits = ['ms', 's', 'm', 'h', 'd', 'mo', 'y'] as const;

export type TimeUnit = (typeof timeUnits)[number];

interface UnitRow {
	/** Nominal length of one, in milliseconds. */
	readonly ms: number;
	/** For calendar units, how many months one has. */
	readonly months?: number;
}

const units: Readonly<Record<TimeUnit, UnitRow>> = {
	ms: { ms: 1 },
	s: { ms: 1000 },
	m: { ms: 60_000 },
	h: { ms: 3_600_000 },
	d: { ms: dayMs },
	mo: { ms: monthMs, months: 1 },
	y: { ms: yearMs, months: 12 },
};

/** A duration: `ms` is its (for a calendar one: nominal) length; a calendar one also has its count of months. */
export interface Duration {
	readonly ms: number;
	readonly months?: number;
}

/** The longest duration: 100 years (design section 5), a fixed one by their nominal length, a calendar one by its months. */
export const maxDurationMs = 100 * yearMs;

const maxDurationMonths = 1200;

const tooLong = 'Must be at most 100 y, which is 1200 mo or 36600 d.';

/** A duration, or what is wrong with `count` in words. */
export function durationOf(count: number, unit: TimeUnit): Duration | string {
	const row = units[unit];
	if (row.months !== undefined && !Number.isInteger(count)) return `Must be a whole number of ${unit}.`;
	const ms = Math.round(count * row.ms);
	if (ms < 1) return 'Must be at least 1 ms.';
	if (row.months === undefined) return ms > maxDurationMs ? tooLong : { ms };
	const months = count * row.months;
	return months > maxDurationMonths ? tooLong : { ms, months };
}

/** The month that `months` after (or before) the month of January 1970 begins, as epoch milliseconds UTC. */
export function monthStart(months: number): number {
	return new Date(0).setUTCFullYear(1970, months, 1);
}

/** Whole months from January 1970 to the month that `time` lies in, UTC. */
export function monthOf(time: number): number {
	const date = new Date(time);
	return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

/**
 * `time` less `duration`. Calendar subtraction keeps the day and the time of day, and clamps to the month's last day:
 * 31 March - 1 mo is the last of February.
 * @param time epoch milliseconds
 */
export function subtract(time: number, duration: Duration): number {
	if (duration.months === undefined) return time - duration.ms;
	const target = monthOf(time) - duration.months;
	const start = monthStart(target);
	const days = (monthStart(target + 1) - start) / dayMs;
	const day = Math.min(new Date(time).getUTCDate(), days);
	const timeOfDay = ((time % dayMs) + dayMs) % dayMs;
	return start + (day - 1) * dayMs + timeOfDay;
}
