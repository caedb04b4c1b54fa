import * as v from 'valibot';
import type { ValidationIssues } from '../validation/parse.ts';
import { messageFor } from '../validation/parse.ts';
import { problem } from '../validation/problem.ts';
import { dateSchema, isDate } from '../validation/time.ts';
import type { Range } from '../variable/window.ts';
import type { Calendar } from './bounds.ts';
import { dateOfDay, startOfDate } from './days.ts';

/** Days by the first and the last of their local dates. */
export interface Days {
	readonly from: string;
	readonly to: string;
}

/** Words for days, by the date of the day of the request. Weeks begin on Mondays. */
const wordDays = {
	today: (today: string): Days => ({ from: today, to: today }),
	yesterday: (today: string): Days => lastDays(1, today),
	'this-week': (today: string): Days => weekOf(today),
	'last-week': (today: string): Days => weekOf(dateAfter(today, { days: -7 })),
	'this-month': (today: string): Days => monthOf(today, 0),
	'last-month': (today: string): Days => monthOf(today, -1),
	'this-year': (today: string): Days => yearOf(Number(today.slice(0, 4))),
	'last-year': (today: string): Days => yearOf(Number(today.slice(0, 4)) - 1),
} as const;

/** The words for days that have no number in them. */
export const dayWords: readonly string[] = Object.keys(wordDays);

/** Some whole days that are over: `last-7-days`. */
const lastDaysForm = /^last-([1-9]\d{0,3})-days$/;

/** Days as they are sent: a date, one of `dayWords`, or `last-7-days`. */
export const daysSchema = v.pipe(
	v.string(),
	v.check(
		(text) => isDate(text) || Object.hasOwn(wordDays, text) || lastDaysForm.test(text),
		messageFor(problem('not_a_date', `Must be a date such as 2026-11-20, ${dayWords.join(', ')}, or last-7-days.`)),
	),
);

/** The parameters of a query for a range of days. */
export const dayRangeFields = { date: v.optional(daysSchema), from: v.optional(dateSchema), to: v.optional(dateSchema) };

/** Days that were asked for: by `date`, or by their first and last date. Without both: yesterday. */
export type AskedDays = v.InferOutput<v.ObjectSchema<typeof dayRangeFields, undefined>>;

/** Adds an issue where days are asked for in two ways, or only the last one is. */
export function checkAskedDays({ date, from, to }: AskedDays, issues: ValidationIssues): void {
	if (date !== undefined && (from !== undefined || to !== undefined))
		issues.add('date', problem('date_and_range', 'Send date, or from and to, not both.'));
	else if (from === undefined && to !== undefined) issues.add('from', problem('required', 'Is required with to.'));
}

/**
 * Returns the days that were asked for. From a first date alone they are until today.
 * @param now epoch milliseconds
 * @example
 * daysOf({ date: 'last-month' }, calendar, Date.now()); // { from: '2026-10-01', to: '2026-10-31' }
 */
export function daysOf({ date = 'yesterday', from, to }: AskedDays, calendar: Calendar, now: number): Days {
	const today = dateOfDay(now, calendar);
	if (from !== undefined) return { from, to: to ?? today };
	const [, count] = lastDaysForm.exec(date) ?? [];
	if (count !== undefined) return lastDays(Number(count), today);
	const word = Object.entries(wordDays).find(([name]) => name === date);
	return word === undefined ? { from: date, to: date } : word[1](today);
}

/** Returns the time from the beginning of the first day to the end of the last one. */
export function rangeOfDays({ from, to }: Days, calendar: Calendar): Range {
	return { start: startOfDate(from, calendar), stop: startOfDate(dateAfter(to, { days: 1 }), calendar) };
}

const lastDays = (count: number, today: string): Days => ({
	from: dateAfter(today, { days: -count }),
	to: dateAfter(today, { days: -1 }),
});

function weekOf(date: string): Days {
	// Sunday is 0, so Monday is 6 days before it.
	const monday = dateAfter(date, { days: -((new Date(date).getUTCDay() + 6) % 7) });
	return { from: monday, to: dateAfter(monday, { days: 6 }) };
}

/** Returns the month of a date, or one that is some months later. */
function monthOf(date: string, months: number): Days {
	const from = dateAfter(`${date.slice(0, 7)}-01`, { months });
	return { from, to: dateAfter(dateAfter(from, { months: 1 }), { days: -1 }) };
}

const yearOf = (year: number): Days => ({ from: `${year}-01-01`, to: `${year}-12-31` });

/** Returns the date that is some days or months after another one; negative: before it. */
export function dateAfter(date: string, { days = 0, months = 0 }: { readonly days?: number; readonly months?: number }): string {
	const moved = new Date(date);
	moved.setUTCMonth(moved.getUTCMonth() + months, moved.getUTCDate() + days);
	return moved.toISOString().slice(0, 10);
}
