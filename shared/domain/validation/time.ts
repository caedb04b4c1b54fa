import * as v from 'valibot';
import { minuteMs } from '../milliseconds.ts';
import { finiteNumber, integerFrom, rule } from './field.ts';
import { withKeywords } from './keywords.ts';
import { messageFor } from './parse.ts';
import { problem } from './problem.ts';

/** Positive numbers below this are taken for seconds since 1970. As milliseconds they would be times before March 1973. */
const leastEpochMs = 100_000_000_000;

/** The last millisecond of the year 9999, the last that ISO-8601 writes with four digits of a year. */
const maxTimeMs = 253_402_300_799_999;

/** The day, `T`, hours and minutes, then seconds with a fraction where they are given, then `Z` or an offset. */
const iso =
	/^(?<day>\d{4}-\d\d-\d\d)T(?<clock>\d\d:\d\d)(?::(?<second>\d\d)(?:\.(?<fraction>\d{1,9}))?)?(?:Z|(?<sign>[+-])(?<offsetHours>\d\d):(?<offsetMinutes>\d\d))$/;

const notEpochMs = problem('not_epoch_ms', `Must be whole epoch milliseconds from 0 to ${maxTimeMs}.`, {
	minimum: 0,
	maximum: maxTimeMs,
});

const epochSeconds = problem('epoch_seconds', 'Must be epoch milliseconds; this looks like seconds: multiply it by 1000.');

const epochMs = v.pipe(
	finiteNumber,
	integerFrom(0, maxTimeMs, notEpochMs),
	// 0 is the same time in both units. Values that the rule before refuses pass here, so that they get only one error.
	rule<number>((value) => !Number.isInteger(value) || value <= 0 || value >= leastEpochMs, epochSeconds),
);

/**
 * A time of a request: ISO-8601 with `Z` or an offset, from 1970 to 9999, or whole epoch milliseconds. Becomes epoch milliseconds,
 * rounded down. Epoch seconds are refused.
 */
export const timeSchema = v.pipe(
	v.union([
		v.pipe(
			v.string(),
			v.check(
				(text) => isWithinLimits(parseIsoTime(text)),
				messageFor(
					problem('not_a_time', 'Must be a time such as 2026-11-21T10:00:00Z or 2026-11-21T11:00:00+01:00, from 1970 to 9999.'),
				),
			),
		),
		epochMs,
	]),
	withKeywords(
		v.transform((value: string | number) => (typeof value === 'string' ? parseIsoTime(value) : value)),
		{},
	),
);

/** A time as `timeSchema` takes it, or a local date, which stays text: only a calendar says when its day begins. */
export const timeOrDateSchema = v.pipe(
	v.union([
		v.pipe(
			v.string(),
			v.check(
				(text) => isDate(text) || isWithinLimits(parseIsoTime(text)),
				messageFor(problem('not_a_time', 'Must be a date such as 2026-11-20, or a time such as 2026-11-21T10:00:00Z.')),
			),
		),
		epochMs,
	]),
	withKeywords(
		v.transform((value: string | number) => (typeof value === 'string' && !isDate(value) ? parseIsoTime(value) : value)),
		{},
	),
);

/** A local date as it is sent: `2026-11-20`. */
export const dateSchema = v.pipe(
	v.string(),
	v.check(isDate, messageFor(problem('not_a_date', 'Must be a date such as 2026-11-20.'))),
);

/**
 * The same in a parameter of a query, where all is text. Text of digits only is epoch milliseconds. A `+` that was not written as
 * `%2B` arrives as a blank (application/x-www-form-urlencoded); before an offset it is read as it was meant.
 */
export const queryTimeSchema = v.pipe(
	v.string(),
	v.transform((text) => (/^\d+$/.test(text) ? Number(text) : text.replace(/(?<=\d) (?=\d\d:\d\d$)/, '+'))),
	timeSchema,
);

/**
 * Parses a time in ISO-8601 with `Z` or an offset; seconds and their fraction may be left out.
 * @returns epoch milliseconds, rounded down; NaN for other text and for a day or an hour that does not exist
 * @example
 * parseIsoTime('2026-11-21T11:00+01:00'); // Date.UTC(2026, 10, 21, 10)
 */
export function parseIsoTime(text: string): number {
	const groups = iso.exec(text)?.groups;
	if (groups === undefined) return Number.NaN;
	const { day, clock, second = '00', fraction = '', sign, offsetHours = '0', offsetMinutes = '0' } = groups;
	const utc = `${day}T${clock}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
	const utcMs = Date.parse(utc);
	// Date.parse reads 30 February as 2 March and 24:00 as the next day, so the result is compared with the text.
	if (Number.isNaN(utcMs) || new Date(utcMs).toISOString() !== utc) return Number.NaN;
	if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return Number.NaN;
	const offsetMs = (60 * Number(offsetHours) + Number(offsetMinutes)) * minuteMs;
	return sign === '-' ? utcMs + offsetMs : utcMs - offsetMs;
}

/** Returns whether text is a date that exists, such as `2026-11-20`. */
export function isDate(text: string): boolean {
	// A date that does not exist becomes another one, or none, so it does not come back.
	return /^[1-9]\d{3}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true;
}

function isWithinLimits(timeMs: number): boolean {
	return timeMs >= 0 && timeMs <= maxTimeMs;
}
