import type { Correction } from '../board/correction.ts';
import type { Report } from '../board/report.ts';
import { boundsOf, type Calendar } from '../calendar/bounds.ts';
import { dateOfDay, startOfDay, timeOfDayMs } from '../calendar/days.ts';
import { openTimeZone } from '../calendar/time-zone.ts';
import { dayMs } from '../milliseconds.ts';
import type { ReportDays } from '../ports/report-days.ts';
import type { SpanReader } from '../ports/span-reader.ts';
import { seriesKeyOf } from '../ports/topic-catalog.ts';
import { correctionsOfDay, type DayBasis } from '../report/day-basis.ts';
import { sourceOf } from '../report/line-definition.ts';
import type { StoredLine } from '../report/stored-day.ts';
import { correctionsOf } from '../totals/corrections-of.ts';
import { createEvaluator } from '../totals/evaluate-lines.ts';
import { type DefinedLines, defineLines, readWindows, type TotalsDeps } from '../totals/read-windows.ts';
import { totalsLineOf } from '../totals/totals-request.ts';
import type { Range } from '../variable/window.ts';

/** The dependencies of counting the days of reports. */
export interface ReportDeps extends TotalsDeps {
	readonly spans: SpanReader;
	readonly days: ReportDays;
}

/** The schema of a report, and the time-series database on which its days are counted. */
export interface ReportTenant {
	readonly schema: string;
	readonly database: string;
}

/** A report with the variables and corrections that are needed to count its days. */
export interface OpenedReport extends ReportTenant {
	readonly report: Report;
	readonly calendar: Calendar;
	readonly defined: DefinedLines;
	/** By variable, each list by ascending id. */
	readonly corrections: ReadonlyMap<number, readonly Correction[]>;
}

/** Reads the variables of a report and their corrections. @throws DomainError the errors of the store */
export async function openReport(
	deps: Pick<ReportDeps, 'definitions' | 'store'>,
	tenant: ReportTenant,
	report: Report,
): Promise<OpenedReport> {
	const { schema } = tenant;
	const calendar = calendarOf(report);
	const defined = await defineLines(
		deps,
		schema,
		report.lines.map((line) => totalsLineOf(line, calendar.zone)),
	);
	const varIds = [...new Set(defined.found.map(({ line }) => line.varId))];
	return { ...tenant, report, calendar, defined, corrections: await correctionsOf(deps.store, schema, varIds) };
}

/** Returns the calendar of a report. */
export function calendarOf({ timeZone, dayStart }: Pick<Report, 'timeZone' | 'dayStart'>): Calendar {
	const zone = openTimeZone(timeZone);
	if (zone === null) throw new RangeError('A parsed report has a time zone.');
	return { zone, dayStartMs: timeOfDayMs(dayStart) };
}

/** Returns the bounds of the days of a range; the first and the last day may be cut. */
export function daysIn(range: Range, calendar: Calendar): readonly number[] {
	return boundsOf(range, oneDay, calendar);
}

const oneDay = { ms: dayMs } as const;

/**
 * Returns the present basis of whole consecutive days. One request counts the samples of all their series by day.
 * @param bounds n + 1 starts of days
 * @throws DomainError as `SpanReader.readSpans`
 */
export async function readBases(
	{ spans }: Pick<ReportDeps, 'spans'>,
	{ report, calendar, defined, database, corrections }: OpenedReport,
	bounds: readonly number[],
): Promise<readonly DayBasis[]> {
	const [first = 0] = bounds;
	// The day before the first one is counted, too: its samples may decide the first number (`DayBasis`).
	const counted = [startOfDay(first - 1, calendar), ...bounds];
	// A series that several lines read is counted once.
	const series = new Map(
		defined.found.flatMap(({ variable }) =>
			[...variable.varsTsdb.values()].map(({ calc_topic: topic, calc_field: field }) => [
				seriesKeyOf({ topic, field }),
				{ topic, field },
			]),
		),
	);
	const keys = [...series.values()].map((each) => ({ ...each, bounds: counted, aggregates: ['count' as const] }));
	const results = await spans.readSpans(database, keys);
	// A series that cannot be counted has none, which becomes null below.
	const counts = results.map((result) => ('fault' in result ? [] : (result.columns.get('count')?.values ?? [])));
	const variables = new Map(defined.found.map(({ line, variable }) => [line.key, variable]));
	const lines = report.lines.map((line) => ({ line, source: sourceOf(variables.get(line.key)) }));
	const all = [...corrections.values()].flat().sort((a, b) => a.id - b.id);
	return bounds.slice(1).map((to, index) => {
		const from = bounds[index] ?? to;
		return {
			date: dateOfDay(from, calendar),
			from,
			to,
			database,
			lines,
			timeZone: calendar.zone.name,
			dayStart: report.dayStart,
			corrections: correctionsOfDay(all, { from, to }),
			series: keys.map(({ topic, field }, position) => {
				// The counts begin with the day before the first one, so that of day `index` is at `index + 1`.
				const byDay = counts[position] ?? [];
				return { topic, field, before: byDay[index] ?? null, own: byDay[index + 1] ?? null };
			}),
		};
	});
}

/** Counts the lines of consecutive windows anew. @throws DomainError as `readWindows` */
export async function countLines(
	deps: TotalsDeps,
	{ schema, database, defined, corrections }: OpenedReport,
	bounds: readonly number[],
) {
	const { windows } = await readWindows(deps, { schema, database }, defined, bounds, async () => corrections);
	return windows;
}

/** Returns the lines of a day with the states that were counted, and their numbers. */
export function storedLines({ defined }: OpenedReport, { lines }: DayBasis, states: CountedStates): readonly StoredLine[] {
	const values = createEvaluator(defined.lines)(states);
	return lines.flatMap((each) => {
		// Counting gives every line a state and a number, which the types do not say.
		const [state, value] = [states.get(each.line.key), values.get(each.line.key)];
		return state === undefined || value === undefined ? [] : [{ ...each, state, value }];
	});
}

/** The states of all lines in a day. */
type CountedStates = Awaited<ReturnType<typeof countLines>>[number];
