import { type Correction, overlaps } from '../board/correction.ts';
import type { Report, ReportLine } from '../board/report.ts';
import { boundsOf, type Calendar } from '../calendar/bounds.ts';
import { rangeOfDays } from '../calendar/day-range.ts';
import { calendarOf, dateOfDay, startOfDay } from '../calendar/days.ts';
import { DomainError } from '../errors.ts';
import { dayMs } from '../milliseconds.ts';
import type { ReportDays } from '../ports/report-days.ts';
import type { BoardRow, SchemaReader } from '../ports/schema-store.ts';
import type { SpanReader } from '../ports/span-reader.ts';
import { countingNumbers, type EnteredNumber } from '../totals/fold-entered.ts';
import { type CountableLines, defineLines, type TotalsDeps, windowBounds } from '../totals/read-windows.ts';
import { type TotalsLine, totalsLineOf } from '../totals/totals-request.ts';
import { periodOf } from '../variable/query.ts';
import { seriesKeyOf, seriesOfQuery } from '../variable/series-of-query.ts';
import type { Variable } from '../variable/variable.ts';
import type { Range } from '../variable/window.ts';
import { periodLengths, type ReportPeriod } from './report-period.ts';
import type { ReportRequest } from './report-request.ts';
import type { StoredDay, UnreadDay } from './stored-day.ts';

/** The dependencies of counting the days of reports. */
export interface ReportDeps extends TotalsDeps {
	readonly store: Pick<SchemaReader, 'get' | 'list'>;
	readonly spans: SpanReader;
	readonly days: ReportDays;
}

/** The schema of a report, and the time-series database on which its days are counted. */
export interface ReportTenant {
	readonly schema: string;
	readonly database: string;
}

/** A report with the days of a range. */
export interface LoadedDays extends ReportTenant {
	readonly report: Report;
	readonly calendar: Calendar;
	/** Its lines with what is needed to count them. */
	readonly defined: CountableLines;
	/** Consecutive. The range may cut the first and the last. */
	readonly days: readonly LoadedDay[];
}

/** A report with the days of a range and its windows. */
export interface LoadedReport extends LoadedDays, Pick<BoardRow, 'unread'> {
	readonly period: ReportPeriod;
	/** n + 1 epoch milliseconds: window i is from bounds[i] to bounds[i + 1]. */
	readonly bounds: readonly number[];
}

/** A day of a range: `whole` with what decides its numbers, or the part of it that is in the range. Such a part is never stored. */
export type LoadedDay = CutDay<'cut'> | WholeDay<'whole', StoredDay | UnreadDay | null>;

/** The part of a day that is in a range, such as that of the present day. */
export interface CutDay<Kind extends string> {
	readonly kind: Kind;
	readonly from: number;
	readonly to: number;
}

/** A whole day that is over. */
export interface WholeDay<Kind extends string, Row = StoredDay | null> extends CutDay<Kind> {
	/** What decides its numbers now. */
	readonly basis: DayBasis;
	/** The stored row, which may have been counted on another database; null: there is none. */
	readonly row: Row;
}

/** Everything that decides the numbers of a day. In place of the samples themselves, it has their counts. */
export interface DayBasis
	extends Pick<StoredDay, 'date' | 'from' | 'to' | 'timeZone' | 'dayStart' | 'database' | 'series' | 'corrections' | 'entries'> {
	/** The same list for all days of a range. */
	readonly lines: readonly { readonly line: ReportLine; readonly source: string }[];
}

/**
 * How far before a day its samples and corrections may decide the day's first number, in milliseconds: the signal holds, and differences
 * begin there.
 */
const beforeMs = dayMs;

/**
 * Reads a report with the windows and the days of a range.
 * @throws DomainError `not_found`, `invalid` where dates make no range, `too_large` when there are too many windows, and the errors of the
 *   ports
 */
export async function loadReport(
	deps: ReportDeps,
	tenant: ReportTenant,
	{ id, rangeIn, period }: ReportRequest,
): Promise<LoadedReport> {
	const { report, ...unread } = await findReport(deps, tenant.schema, id);
	const calendar = calendarOf(report);
	const range = rangeIn(calendar);
	const bounds = windowBounds(range, periodLengths[period], calendar);
	return { ...(await loadDays(deps, tenant, report, range)), ...unread, period, bounds };
}

/** A stored report; where it cannot be read, its stand-in without lines. */
interface FoundReport extends Pick<BoardRow, 'unread'> {
	readonly report: Report;
}

/** Returns a stored report. @throws DomainError `not_found`, and the errors of the store */
export async function findReport({ store }: Pick<TotalsDeps, 'store'>, schema: string, id: number): Promise<FoundReport> {
	const key = { kind: 'report', id } as const;
	const [row]: readonly (BoardRow | null)[] = await store.get(schema, [key]);
	if (row?.board.kind !== 'report') throw new DomainError('not_found', key);
	return { report: row.board.content, ...(row.unread === undefined ? {} : { unread: row.unread }) };
}

/**
 * Returns the lines of a report, those that are entered with the numbers that count (shared/domain/report/ENTRIES.md).
 * @throws DomainError `store_failed`
 */
async function reportLines(
	{ store }: Pick<ReportDeps, 'store'>,
	schema: string,
	report: Report,
	calendar: Calendar,
): Promise<readonly TotalsLine[]> {
	const lines = report.lines.map((line) => totalsLineOf(line, calendar));
	if (!lines.some(({ kind }) => kind === 'entered')) return lines;
	const rows = await store.list(schema, 'entry');
	const entries = rows.flatMap(({ board, unread }) =>
		board.kind === 'entry' && unread === undefined && board.content.reportId === report.id ? [board.content] : [],
	);
	return lines.map((line) => {
		if (line.kind !== 'entered') return line;
		const numbers = entries
			.filter(({ key }) => key === line.key)
			.map(({ id, value, low = value, high = value, ...days }): EnteredNumber => {
				const { start, stop } = rangeOfDays(days, calendar);
				return { id, from: start, to: stop, value, low, high };
			});
		return { ...line, numbers: countingNumbers(numbers) };
	});
}

/**
 * Reads the days of a range: one call counts the samples of their series, another returns the stored rows.
 * @param range ends now at the latest, so every whole day is over
 * @throws DomainError the errors of the ports
 */
export async function loadDays(deps: ReportDeps, tenant: ReportTenant, report: Report, range: Range): Promise<LoadedDays> {
	const calendar = calendarOf(report);
	const lines = await reportLines(deps, tenant.schema, report, calendar);
	const loaded = { ...tenant, report, calendar, defined: await defineLines(deps, tenant.schema, lines) };
	const bounds = boundsOf(range, { ms: dayMs }, calendar);
	const parts = bounds.slice(1).map((to, index) => ({ kind: 'cut', from: bounds[index] ?? to, to }) as const);
	const whole = parts.filter(
		({ from, to }) => startOfDay(from, calendar) === from && startOfDay(from, calendar, { daysLater: 1 }) === to,
	);
	const bases = await readBases(deps, loaded, whole);
	const [first, last] = [bases[0], bases.at(-1)];
	if (first === undefined || last === undefined) return { ...loaded, days: parts };
	const rows = await deps.days.list({ schema: tenant.schema, reportId: report.id }, first.date, last.date);
	const [basisByStart, rowByDate] = [
		new Map(bases.map((each) => [each.from, each])),
		new Map(rows.map((each) => [each.date, each])),
	];
	const days = parts.map((part): LoadedDay => {
		const basis = basisByStart.get(part.from);
		return basis === undefined ? part : { ...part, kind: 'whole', basis, row: rowByDate.get(basis.date) ?? null };
	});
	return { ...loaded, days };
}

/**
 * Returns what decides the numbers of consecutive whole days. One request counts the samples of all their series by day.
 * @throws DomainError as `SpanReader.readSpans`
 */
async function readBases(
	{ spans }: Pick<ReportDeps, 'spans'>,
	{ report, calendar, defined, database }: Omit<LoadedDays, 'days'>,
	days: readonly { readonly from: number; readonly to: number }[],
): Promise<readonly DayBasis[]> {
	const [first] = days;
	if (first === undefined) return [];
	// The day before the first one is counted, too: its samples may decide the first number (`beforeMs`).
	const ends = [startOfDay(first.from - 1, calendar), first.from, ...days.map(({ to }) => to)];
	// Changes and increases take the sample at the end of a day, so that the days that are counted are (a, b].
	const bounds = ends.map((end) => end + 1);
	// A series that several lines read is counted once.
	const queries = defined.found.flatMap(({ variable }) => [...variable.varsTsdb.values()]);
	const series = queries.map(seriesOfQuery);
	const keys = [...new Map(series.map((each) => [seriesKeyOf(each), each])).values()].map((each) => ({
		...each,
		bounds,
		aggregates: ['count' as const],
	}));
	const results = await spans.readSpans(database, keys);
	// A series that cannot be counted has none, which becomes null below.
	const counts = results.map((result) => ('fault' in result ? [] : (result.columns.get('count')?.values ?? [])));
	const variables = new Map(defined.found.map(({ line, variable }) => [line.key, variable]));
	const lines = report.lines.map((line) => ({ line, source: sourceOf(variables.get(line.key)) }));
	const corrections = [...defined.corrections.values()].flat().sort((a, b) => a.id - b.id);
	const entered = defined.lines.flatMap((line) =>
		line.kind === 'entered' ? line.numbers.map((number) => ({ key: line.key, ...number })) : [],
	);
	return days.map(({ from, to }, index) => ({
		date: dateOfDay(from, calendar),
		from,
		to,
		database,
		lines,
		timeZone: calendar.zone.name,
		dayStart: report.dayStart,
		corrections: corrections.filter((correction) => mayDecide(correction, from, to)),
		...(entered.length === 0 ? {} : { entries: entered.filter((number) => number.from < to && from < number.to) }),
		series: keys.map(({ bounds: _bounds, aggregates: _aggregates, ...each }, position) => {
			// The counts begin with the day before the first one, so that of day `index` is at `index + 1`.
			const byDay = counts[position] ?? [];
			return { ...each, before: byDay[index] ?? null, own: byDay[index + 1] ?? null };
		}),
	}));
}

/** Returns as text what is read of a variable (`sourceSchema`); empty without a variable. Its name, unit and lookback are left out. */
function sourceOf(variable: Variable | undefined): string {
	if (variable === undefined) return '';
	const queries = [...variable.varsTsdb].map(([name, query]) => {
		// The name of a query matters in a formula only, and the period only for `last`, whose hold follows from it.
		const { calc_type_period: aggregate } = query;
		const series = seriesOfQuery(query);
		return { name: variable.calc ? name : '', ...series, aggregate, periodMs: aggregate === 'last' ? periodOf(query).ms : 0 };
	});
	return JSON.stringify({ queries, equation: variable.calc ? variable.equation : null });
}

/** Whether a correction may decide a day. A counter's window includes its end, so a correction at that time may, too. */
const mayDecide = (correction: Correction, from: number, to: number): boolean =>
	overlaps(correction, { start: from - beforeMs, stop: to + 1 });
