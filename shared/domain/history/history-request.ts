import * as v from 'valibot';
import { type Calendar, periodFits } from '../calendar/bounds.ts';
import type { WirePeriod } from '../calendar/period-choice.ts';
import { openTimeZone } from '../calendar/time-zone.ts';
import {
	atMost,
	checkIdCount,
	distinct,
	distinctIds,
	eachItem,
	fieldOf,
	finiteNumber,
	idSchema,
	integerFrom,
	listSchema,
	optionalField,
	rule,
} from '../validation/field.ts';
import { messageFor, ValidationIssues } from '../validation/parse.ts';
import { problem } from '../validation/problem.ts';
import { timeSchema } from '../validation/time.ts';
import { durationOf, timeUnits } from '../variable/duration.ts';
import type { Range } from '../variable/window.ts';
import { type HistoryAggregate, historyAggregates } from './history-aggregates.ts';

/** Most variables of one history (shared/http/README.md#limits). */
export const maxHistoryIds = 50;

/** The longest range: 10 years of 366 days. */
const maxRangeMs = 10 * 366 * 86_400_000;

/** How many windows a client may ask for with `points`. */
const minPoints = 20;
const maxPoints = 5000;
const defaultPoints = 500;

/** No name of a zone is longer. */
const maxZoneLength = 64;

const timeOfDay = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** The fields of the body of POST /history. The rules over several fields are in `parseHistoryRequest`. */
export const historyFields = v.object({
	ids: distinctIds(maxHistoryIds, idSchema),
	start: timeSchema,
	end: optionalField(timeSchema),
	period: optionalField(
		v.object({
			count: v.pipe(
				finiteNumber,
				rule<number>((value) => value > 0, problem('not_positive', 'Must be greater than 0.'), { exclusiveMinimum: 0 }),
			),
			unit: v.picklist(timeUnits),
		}),
	),
	points: optionalField(v.pipe(finiteNumber, integerFrom(minPoints, maxPoints))),
	aggregates: v.nullish(
		v.pipe(
			listSchema,
			atMost(historyAggregates.length, 'aggregates'),
			v.nonEmpty(messageFor(problem('no_items', 'At least one aggregate is required.', { items: 'aggregates' }))),
			eachItem(v.picklist(historyAggregates)),
			distinct(historyAggregates.length),
		),
		['own'],
	),
	timeZone: v.nullish(
		v.pipe(
			v.string(),
			v.check(
				(name) => name.length <= maxZoneLength && openTimeZone(name) !== null,
				messageFor(problem('not_a_time_zone', 'Must be the IANA name of a time zone, such as Europe/Madrid or UTC.')),
			),
		),
		'UTC',
	),
	dayStart: v.nullish(
		v.pipe(
			v.string(),
			v.regex(timeOfDay, messageFor(problem('not_a_time_of_day', 'Must be a time of day from 00:00 to 23:59.'))),
		),
		'00:00',
	),
});

/** A parsed request for the histories of variables. */
export interface HistoryRequest {
	/** Distinct, in the order asked for. */
	readonly ids: readonly number[];
	/** Ends at the moment of the request at the latest. */
	readonly range: Range;
	/** The length of the windows, or the most windows there may be. */
	readonly windows: { readonly period: WirePeriod } | { readonly points: number };
	readonly aggregates: readonly HistoryAggregate[];
	readonly calendar: Calendar;
	/** The start of days, as it was sent: `06:30`. */
	readonly dayStart: string;
}

/**
 * Parses the body of POST /history (shared/domain/history/README.md#request).
 * @param now epoch milliseconds; a range ends there at the latest
 * @throws DomainError `too_large` for too many ids, `invalid` with the issues of all fields
 * @example
 * parseHistoryRequest({ ids: [7], start: '2026-11-20T00:00:00Z', period: { count: 1, unit: 'h' }, aggregates: ['min', 'max'] }, Date.now());
 */
export function parseHistoryRequest(input: object, now: number): HistoryRequest {
	checkIdCount(fieldOf(input, 'ids'), maxHistoryIds);
	const issues = new ValidationIssues();
	// Each field is parsed by itself, so that the rules over several fields apply to the valid ones.
	const fieldIn = <Key extends keyof Entries>(key: Key): v.InferOutput<Entries[Key]> | undefined =>
		issues.parseField(historyFields.entries[key], fieldOf(input, key), key);
	const isAbsent = (key: keyof Entries): boolean => (fieldOf(input, key) ?? null) === null;
	const ids = fieldIn('ids');
	const range = rangeOf(fieldIn('start'), isAbsent('end') ? now : fieldIn('end'), now, issues);
	const period = fieldIn('period');
	const points = fieldIn('points');
	const aggregates = fieldIn('aggregates');
	const zone = openTimeZone(fieldIn('timeZone') ?? 'UTC');
	const dayStart = fieldIn('dayStart') ?? '00:00';
	const calendar = zone === null ? undefined : { zone, dayStartMs: dayStartMsOf(dayStart) };

	if (points !== undefined && !isAbsent('period'))
		issues.add('points', problem('period_and_points', 'Send period or points, not both.'));
	if (period !== undefined) checkPeriod(period, calendar, issues);
	issues.throwIfAny();
	if (ids === undefined || range === undefined || aggregates === undefined || calendar === undefined)
		throw new RangeError('A request without issues is incomplete.');
	const windows = period === undefined ? { points: points ?? defaultPoints } : { period };
	return { ids, range, windows, aggregates, calendar, dayStart };
}

type Entries = typeof historyFields.entries;

function rangeOf(start: number | undefined, end: number | undefined, now: number, issues: ValidationIssues): Range | undefined {
	if (start !== undefined && start >= now) issues.add('start', problem('start_not_past', 'Must be before now.'));
	if (start === undefined || end === undefined) return undefined;
	const stop = Math.min(end, now);
	if (start >= stop) issues.add('start', problem('start_not_before_end', 'Must be before end.'));
	else if (stop - start > maxRangeMs)
		issues.add('start', problem('range_too_long', 'Must be at most 10 years (3,660 days) before end.', { limit: 3660 }));
	return { start, stop };
}

/** The milliseconds from midnight to a time of day such as `06:30`. */
function dayStartMsOf(text: string): number {
	const [hours, minutes] = text.split(':').map(Number);
	return (60 * (hours ?? 0) + (minutes ?? 0)) * 60_000;
}

function checkPeriod({ count, unit }: WirePeriod, calendar: Calendar | undefined, issues: ValidationIssues): void {
	const duration = durationOf(count, unit);
	if ('code' in duration) issues.add('period.count', duration);
	else if (calendar !== undefined && !periodFits(duration, calendar))
		issues.add(
			'period',
			problem('period_does_not_fit', 'Must divide 24 h, or be whole days, months or years, with a timeZone or dayStart.'),
		);
}
