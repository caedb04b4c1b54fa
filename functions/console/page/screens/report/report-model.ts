import type { Calendar } from '#domain/calendar/bounds.ts';
import { dateOfDay } from '#domain/calendar/days.ts';
import { usualDecimals } from '#domain/variable/usual-decimals.ts';
import type { Schemas } from '#page/core/api.ts';
import type { StoredCorrection, StoredReport } from '#page/core/definitions.ts';
import type { CountedNumber, LineLook } from './report-cells.ts';
import { dayName, rowName, shortClock } from './report-labels.ts';
import { type ReportSpan, rowBounds, shownCalendarOf } from './report-periods.ts';
import type { ReportView, ViewLength } from './report-view.ts';
import { reportScreenText } from './texts.ts';

/** The numbers of a report over the windows of a range, as the service returns them. */
export type ReadReport = Schemas['ReadReport'];

/** A sealed day that would have other numbers now, with the lines and the causes. */
export type ChangedDay = Schemas['ChangedDay'];

/** The state of the days in a window, such as sealed or provisional. */
export type ReportState = ReadReport['states'][number];

/** The numbers of a report over a period, and those of the compared period. */
export interface ReadPeriod {
	readonly view: ReportView;
	readonly span: ReportSpan;
	readonly report: ReadReport;
	/** The compared period; null without one. */
	readonly compared: { readonly span: ReportSpan; readonly report: ReadReport } | null;
	/** The time of the reading, in epoch milliseconds. */
	readonly at: number;
}

/** A line of the report. */
export interface ReportColumn extends LineLook {
	readonly line: ReadReport['lines'][number];
	/** The definition of the line; undefined if the line was deleted since. */
	readonly defined: StoredReport['lines'][number] | undefined;
	/** The hours that count, and the unit: `02–04, m³/h`. */
	readonly sub: string;
	/** The number of the compared period; null without one. */
	readonly compared: CountedNumber | null;
}

/** Neighbouring lines of one group. */
export interface ColumnGroup {
	readonly name: string;
	readonly columns: readonly ReportColumn[];
}

/** A row of the report: a window that has begun, or a later one of a period that is not over. */
export interface ReportRow {
	readonly name: string;
	readonly start: number;
	readonly end: number;
	/** The local date on which it begins. */
	readonly date: string;
	/** The index of its window; null if it has not begun. */
	readonly window: number | null;
	readonly state: ReportState | null;
	/** The sealed days in it that would have other numbers now. */
	readonly changed: readonly ChangedDay[];
	/** Whether a stronger rule is drawn below it: after a Sunday, and after every six hours. */
	readonly isRuledOff: boolean;
}

/** Everything that the screen draws. */
export interface ReportModel {
	readonly period: ReadPeriod;
	readonly calendar: Calendar;
	readonly groups: readonly ColumnGroup[];
	readonly columns: readonly ReportColumn[];
	readonly rows: readonly ReportRow[];
	/** The state of the whole period. */
	readonly state: ReportState;
}

/** Builds the model of a report that was read. `defined` is needed for the functions of the lines, which answers do not contain. */
export function reportModel(period: ReadPeriod, defined: StoredReport | undefined): ReportModel {
	const { view, span, report } = period;
	const calendar = shownCalendarOf(report);
	const columns = report.lines.map((line) => columnOf(line, defined, period));
	return {
		period,
		calendar,
		columns,
		groups: groupsOf(columns),
		rows: rowsOf(view.length, span, report, calendar),
		// A report that was read has at least one window, so one of its states is found.
		state: leastFinalFirst.find((state) => report.states.includes(state)) ?? 'counted',
	};
}

/** Returns the number of a line in a window. */
export function numberIn({ line }: Pick<ReportColumn, 'line'>, window: number): CountedNumber {
	const inWindow = (column: readonly (number | null)[]): number | null => column[window] ?? null;
	const { cut, expected, taken } = line;
	return {
		...{ value: inWindow(line.values), known: inWindow(line.known), low: inWindow(line.low), high: inWindow(line.high) },
		...(cut === undefined ? {} : { cut: cut[window] ?? null }),
		...(expected === undefined || taken === undefined ? {} : { expected: inWindow(expected), taken: inWindow(taken) }),
	};
}

/**
 * Whether somebody can enter the number of a line for a row, or for the whole period (null): for each month that is over, because it counts
 * in whole months. A number for the total of a year would count in place of those of its months, which the same screen shows.
 */
export function isFillable(
	{ period: { view, span, report } }: Pick<ReportModel, 'period'>,
	{ function: lineFunction }: LineLook,
	row: ReportRow | null,
): boolean {
	const countedEnd = report.bounds.at(-1) ?? span.start;
	return lineFunction === 'entered' && view.length === (row === null ? 'month' : 'year') && (row ?? span).end <= countedEnd;
}

/** Sealed days that would have other numbers now by the same causes. */
export interface Changes {
	readonly causes: ChangedDay['causes'];
	readonly dates: readonly string[];
}

/** Groups changed days by their causes, so that a month of them is told once. */
export function changesByCauses(changed: readonly ChangedDay[]): readonly Changes[] {
	const groups = Map.groupBy(changed, ({ causes }) => causes.join());
	return [...groups.values()].flatMap((days) => {
		const [first] = days;
		return first === undefined ? [] : [{ causes: first.causes, dates: days.map(({ date }) => date) }];
	});
}

/** Returns the known share of a window: the least share of all lines that read data. Null if no line is counted in the window. */
export function leastKnown(columns: readonly ReportColumn[], knownOf: (column: ReportColumn) => number | null): number | null {
	const shares = columns.flatMap((column) =>
		column.function === 'raised' || column.function === 'entered' ? [] : (knownOf(column) ?? []),
	);
	return shares.length === 0 ? null : Math.min(...shares);
}

/** Says which days would have other numbers now and why: `31 days, Thu 1 Oct to Sat 31 Oct: a correction`. */
export function changesText({ causes, dates }: Changes): string {
	const text = reportScreenText();
	const [first = '', last = ''] = [dates[0], dates.at(-1)].map((date) => dayName(date ?? ''));
	const why = causes.map((cause) => text.causes[cause]).join(', ');
	return dates.length === 1 ? `${first}: ${why}` : `${text.daysFromTo(dates.length, first, last)}: ${why}`;
}

/** Names the state of the days of a row. Sealed days that would have other numbers now are called changed, unless another one cannot be read. */
export function stateName(state: ReportState, changed: readonly ChangedDay[]): string {
	const text = reportScreenText();
	return changed.length === 0 || state === 'unreadable' ? text.states[state] : text.changedState;
}

/** Whether the numbers of a line get bars: amounts that add up to that of the period. Levels, counts and formulas get none. */
export function hasBars({ function: lineFunction }: LineLook): boolean {
	return lineFunction === 'total' || lineFunction === 'increase' || lineFunction === 'onTime';
}

/** The states, the least final first. A period has the first of them that one of its windows has. */
const leastFinalFirst: readonly ReportState[] = ['unreadable', 'open', 'provisional', 'counted', 'sealed'];

/** Returns a line with what is known of its definition. Lines of the compared period are found by their key. */
function columnOf(line: ReportColumn['line'], defined: StoredReport | undefined, { compared }: ReadPeriod): ReportColumn {
	const definition = defined?.lines.find(({ key }) => key === line.key);
	const lineFunction = definition?.function ?? null;
	const other = compared?.report.lines.find(({ key }) => key === line.key);
	const hours = definition?.between?.map(shortClock).join('–') ?? '';
	return {
		line,
		defined: definition,
		function: lineFunction,
		decimals: line.decimals ?? usualDecimals(lineFunction),
		sub: [hours, line.unit].filter((part) => part !== '').join(', '),
		compared: other?.total ?? null,
	};
}

/** Groups neighbouring lines of the same group. Lines without a group have the empty name. */
function groupsOf(columns: readonly ReportColumn[]): readonly ColumnGroup[] {
	const groups: { readonly name: string; readonly columns: ReportColumn[] }[] = [];
	for (const column of columns) {
		const name = column.line.group ?? '';
		const last = groups.at(-1);
		if (last?.name === name) last.columns.push(column);
		else groups.push({ name, columns: [column] });
	}
	return groups;
}

/** After so many hours, a stronger rule is drawn. */
const hoursPerRule = 6;

/** Returns the rows of a period. Rows that have not begun have no window in the answer. */
function rowsOf(length: ViewLength, span: ReportSpan, report: ReadReport, calendar: Calendar): readonly ReportRow[] {
	const bounds = rowBounds(length, span, calendar);
	const windows = new Map(report.bounds.slice(0, -1).map((start, window) => [start, window]));
	return bounds.slice(0, -1).map((start, index) => {
		const end = bounds[index + 1] ?? start;
		const date = dateOfDay(start, calendar);
		const window = windows.get(start) ?? null;
		return {
			name: rowName(length, start, end, calendar),
			start,
			end,
			date,
			window,
			state: window === null ? null : (report.states[window] ?? null),
			// The rows of a day are hours. Whether the day changed is shown for the whole period.
			changed: length === 'day' ? [] : report.changed.filter((day) => day.start >= start && day.start < end),
			isRuledOff: length === 'day' ? index % hoursPerRule === hoursPerRule - 1 : length !== 'year' && isSunday(date),
		};
	});
}

const isSunday = (date: string): boolean => new Date(date).getUTCDay() === 0;

/** Whether a correction is about some time of a span. It is about a range (from `from` up to, but not including, `to`) or about one moment (`at`). */
export function isAbout(
	{ from, to, at }: Pick<StoredCorrection, 'from' | 'to' | 'at'>,
	{ start, end }: { readonly start: number; readonly end: number },
): boolean {
	const [first, stop] = [Number(from ?? at), Number(to ?? Number(at) + 1)];
	return first < end && stop > start;
}
