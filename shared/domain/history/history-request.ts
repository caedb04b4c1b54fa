import * as v from 'valibot';
import type { Calendar } from '../calendar/bounds.ts';
import type { WirePeriod } from '../calendar/period-choice.ts';
import { parseRange, rangeFields } from '../calendar/range-request.ts';
import {
	checkIdCount,
	distinct,
	distinctIds,
	fieldOf,
	finiteNumber,
	idSchema,
	integerFrom,
	listUpTo,
	optionalField,
} from '../validation/field.ts';
import { maxHistoryDays, maxHistoryIds } from '../validation/input-limits.ts';
import { messageFor, ValidationIssues } from '../validation/parse.ts';
import { problem } from '../validation/problem.ts';
import { queryTimeSchema } from '../validation/time.ts';
import { timeUnits } from '../variable/duration.ts';
import type { Range } from '../variable/window.ts';
import { type HistoryAggregate, historyAggregates } from './history-aggregates.ts';

/** The longest range. */
const longest = { days: maxHistoryDays, text: '10 years (3,660 days)' } as const;

/** How many windows a client may ask for with `points`. */
const minPoints = 20;
const maxPoints = 5000;
const defaultPoints = 500;

/** What a client may ask of each window. */
export const historyAggregateSchema = v.picklist(historyAggregates);

/** The fields of the body of POST /history. The rules over several fields are in `parseHistoryRequest`. */
export const historyFields = v.object({
	ids: distinctIds(maxHistoryIds, idSchema),
	...rangeFields,
	points: optionalField(v.pipe(finiteNumber, integerFrom(minPoints, maxPoints))),
	aggregates: v.nullish(
		v.pipe(
			...listUpTo(historyAggregateSchema, historyAggregates.length, 'aggregates'),
			v.nonEmpty(messageFor(problem('no_items', 'At least one aggregate is required.', { items: 'aggregates' }))),
			distinct(historyAggregates.length),
		),
		['own'],
	),
});

/** What is read of each variable: its aggregates in the windows of a range. */
export interface HistoryWindows {
	/** Ends at the moment of the request at the latest. */
	readonly range: Range;
	/** The length of the windows, or the most windows there may be. */
	readonly windows: { readonly period: WirePeriod } | { readonly points: number };
	readonly aggregates: readonly HistoryAggregate[];
	readonly calendar: Calendar;
	/** The start of days, as it was sent: `06:30`. */
	readonly dayStart: string;
}

/** A parsed request for the histories of variables. */
export interface HistoryRequest extends HistoryWindows {
	/** Distinct, in the order asked for. */
	readonly ids: readonly number[];
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
	const ids = fieldIn('ids');
	const rangeRequest = parseRange((key) => fieldOf(input, key), now, longest, issues);
	const points = fieldIn('points');
	const aggregates = fieldIn('aggregates');
	if (points !== undefined && (fieldOf(input, 'period') ?? null) !== null)
		issues.add('points', problem('period_and_points', 'Send period or points, not both.'));
	issues.throwIfAny();
	if (ids === undefined || rangeRequest === undefined || aggregates === undefined)
		throw new RangeError('A request without issues is incomplete.');
	const { range, period, calendar, dayStart } = rangeRequest;
	const windows = period === undefined ? { points: points ?? defaultPoints } : { period };
	return { ids, range, windows, aggregates, calendar, dayStart };
}

/**
 * Parses the range and the period of the history of a draft from the parameters of a query. The period is a number with its unit: `1h`.
 * @param now epoch milliseconds; the range ends there at the latest
 * @returns null when no history is asked for
 * @throws DomainError `invalid` with the issues of all parameters
 * @example
 * parseDraftWindows({ start: '2026-11-20T00:00:00Z', period: '1h' }, Date.now());
 */
export function parseDraftWindows(
	sent: Readonly<Partial<Record<'start' | 'end' | 'period', string | undefined>>>,
	now: number,
): HistoryWindows | null {
	const { start, end, period } = sent;
	if (start === undefined && end === undefined && period === undefined) return null;
	const issues = new ValidationIssues();
	const timeIn = (text: string | undefined, name: string): unknown =>
		text === undefined ? undefined : issues.parseField(queryTimeSchema, text, name);
	const fields = new Map<string, unknown>([
		['start', timeIn(start, 'start')],
		['end', timeIn(end, 'end')],
		['period', issues.parseField(periodTextSchema, period, 'period')],
	]);
	const rangeRequest = parseRange((key) => fields.get(key), now, longest, issues);
	issues.throwIfAny();
	if (rangeRequest?.period === undefined) throw new RangeError('A range without issues is incomplete.');
	const { range, calendar, dayStart } = rangeRequest;
	return { range, windows: { period: rangeRequest.period }, aggregates: ['own'], calendar, dayStart };
}

/** The length of a window in a query: `1h`, `15m`. */
export const periodTextSchema = v.pipe(
	v.string(),
	v.regex(
		new RegExp(`^\\d{1,9}(?:\\.\\d{1,6})?(?:${timeUnits.join('|')})$`),
		`Must be a number and a unit, such as 1h. Units: ${timeUnits.join(', ')}.`,
	),
	v.transform((text) => ({ count: Number.parseFloat(text), unit: text.replace(/^[\d.]+/, '') })),
);

type Entries = typeof historyFields.entries;
