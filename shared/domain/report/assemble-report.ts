import type { Report } from '../board/report.ts';
import { boundsOf, type Calendar } from '../calendar/bounds.ts';
import { startOfDay } from '../calendar/days.ts';
import { type CorrectedLine, withCorrections } from '../totals/apply-corrections.ts';
import { createEvaluator, type EvaluatedLine, evaluateStates, type LineValue } from '../totals/evaluate-lines.ts';
import { mergeEntered, numbersIn } from '../totals/fold-entered.ts';
import { mergeWindows, type WindowStates } from '../totals/fold-lines.ts';
import type { LineState } from '../totals/line-state.ts';
import { type ReferenceNumber, type Rise, riseOf } from '../totals/night-rise.ts';
import type { TotalsLine } from '../totals/totals-request.ts';
import { type ComparedDay, type DayCause, dayCauses, type ReportDay } from './compare-days.ts';
import type { CountedDays, CountedReport } from './count-days.ts';
import type { LoadedReport } from './load-report.ts';
import type { RaisedWatch } from './night-watch.ts';
import { provisionalMs } from './provisional.ts';
import type { References } from './reference-nights.ts';
import { periodLengths, type ReportPeriod } from './report-period.ts';

/**
 * The states of the numbers of a day, the least certain first. `unreadable`: there are none, because what is stored cannot be read. `open`: the day is not over.
 * `provisional`: they may still change. `counted`: they are counted now, because the day was never sealed. `sealed`: they are stored for good.
 */
export const dayStates = ['unreadable', 'open', 'provisional', 'counted', 'sealed'] as const;

/** The state of the numbers of a day. */
export type DayState = (typeof dayStates)[number];

/** The numbers of a report over the windows of a range. */
export interface ReadReport extends Pick<LoadedReport, 'unread'> {
	readonly report: Report;
	readonly period: ReportPeriod;
	/** n + 1 epoch milliseconds: window i is from bounds[i] to bounds[i + 1]. */
	readonly bounds: readonly number[];
	/** The state of each window: that of its least certain day. */
	readonly states: readonly DayState[];
	/** Whether the range cuts the window, so that it is not a whole week, month or year. */
	readonly partial: readonly boolean[];
	readonly lines: readonly ReadLine[];
	/** The sealed days that would have other numbers now. */
	readonly changed: readonly ChangedDay[];
	/** The dates of whole days that are not sealed. */
	readonly unsealed: readonly string[];
}

/** The numbers of a line of a report. */
export interface ReadLine extends CorrectedLine {
	/** Null: its nights are not over, or cannot be counted. Left out: the line has none. */
	readonly reference?: ReferenceNumber | null;
	/** How far the numbers are above the reference. */
	readonly rise?: { readonly windows: readonly Rise[]; readonly total: Rise };
	/** The rise that lasted at the newest stored day of the range. */
	readonly raised?: RaisedWatch;
	/** Of a line that is entered: the ids of the entries that count in the range, ascending. */
	readonly entries?: readonly number[];
}

/** A sealed day that would have other numbers now. */
export interface ChangedDay {
	readonly date: string;
	readonly from: number;
	readonly to: number;
	readonly causes: readonly DayCause[];
	/** The keys of the lines whose numbers differ, or cannot be compared. */
	readonly lines: readonly string[];
}

/**
 * Assembles the numbers of a report from its sealed days and from what was counted (shared/domain/report/README.md#reading).
 * @param references of the lines that have some
 * @param now epoch milliseconds
 */
export function assembleReport(
	{ report, calendar, defined, period, bounds, unread }: LoadedReport,
	days: readonly ReportDay[],
	counted: CountedReport,
	references: References,
	now: number,
): ReadReport {
	// The day of an hour is the one that contains it.
	const daysByWindow = bounds.slice(1).map((to, index) => days.filter((day) => day.from < to && day.to > (bounds[index] ?? to)));
	const states = daysByWindow.map((own) => leastCertain(own.map((day) => stateOf(day, now))));
	const { lines } = defined;
	// Hours are counted from samples. A longer window is merged from its days.
	const evaluated =
		counted.hours === null
			? evaluateDays(lines, daysByWindow, counted.days)
			: withTotals(evaluateStates(lines, counted.hours), evaluateDays(lines, [days], counted.days));
	const evaluate = createEvaluator(lines);
	return {
		report,
		...(unread === undefined ? {} : { unread }),
		period,
		bounds,
		states,
		partial: daysByWindow.map((own, window) => {
			const [from = 0, to = from] = [bounds[window], bounds[window + 1]];
			return isPartial({ from, to, isOpen: own.some(({ kind }) => kind === 'open') }, period, calendar);
		}),
		lines: withCorrections(evaluated, defined, { start: bounds[0] ?? 0, stop: bounds.at(-1) ?? 0 }).map((line, index) => ({
			...line,
			...risesOf(line, references),
			...raisedOf(line.key, days),
			...entriesOf(lines[index], days, counted.days),
		})),
		changed: days.flatMap((day) => changedDay(day, counted.days.get(day), evaluate) ?? []),
		unsealed: days.flatMap((day) => ('basis' in day && stateOf(day, now) !== 'sealed' ? [day.basis.date] : [])),
	};
}

/** Returns the reference of a line, and how far its numbers are above it. */
function risesOf({ key, values }: EvaluatedLine, references: References): Pick<ReadLine, 'reference' | 'rise'> {
	const reference = references.get(key);
	if (reference === undefined || reference === null) return reference === undefined ? {} : { reference };
	const { windows, total } = values;
	return { reference, rise: { windows: windows.map((each) => riseOf(each, reference)), total: riseOf(total, reference) } };
}

/** Returns the rise of a line that lasted at the newest stored day. */
function raisedOf(line: string, days: readonly ReportDay[]): Pick<ReadLine, 'raised'> {
	const newest = days.findLast((day) => 'causes' in day);
	const found = newest?.row?.watches?.find(({ key }) => key === line);
	if (found === undefined) return {};
	const { since, nights, certain } = found;
	return { raised: { since, nights, certain } };
}

/** Returns the entries of a line that count in days. */
function entriesOf(line: TotalsLine | undefined, days: readonly ReportDay[], counted: CountedDays): Pick<ReadLine, 'entries'> {
	if (line?.kind !== 'entered') return {};
	const states = days.flatMap((day) => statesOf(day, counted).get(line.key) ?? []);
	const [first, ...others] = states.flatMap((state) => (state.kind === 'entered' ? [state.entered] : []));
	if (first === undefined) return {};
	const ids = numbersIn(others.reduce(mergeEntered, first), line.numbers).map(({ id }) => id);
	return { entries: [...new Set(ids)].sort((a, b) => a - b) };
}

function stateOf(day: ReportDay, now: number): DayState {
	if (day.kind === 'open') return 'open';
	if (day.kind === 'cut') return 'counted';
	if (day.kind === 'unreadable') return 'unreadable';
	if (isSealed(day)) return 'sealed';
	return day.to + provisionalMs > now ? 'provisional' : 'counted';
}

/** Whether a day has sealed numbers. */
const isSealed = (day: ReportDay): day is ComparedDay =>
	day.kind === 'sealed' || day.kind === 'suspected' || day.kind === 'redefined';

/** Returns the least certain of some states. */
const leastCertain = (states: readonly DayState[]): DayState => dayStates.find((state) => states.includes(state)) ?? 'counted';

/**
 * Evaluates lines over windows of whole days. A formula of another definition than in a sealed day needs all of its lines there as they are counted
 * now: with sealed numbers of some of them, it would compare samples of different times.
 */
function evaluateDays(
	lines: readonly TotalsLine[],
	windows: readonly (readonly ReportDay[])[],
	counted: CountedDays,
): readonly EvaluatedLine[] {
	const evaluate = (statesIn: (day: ReportDay) => WindowStates) => {
		const merged = windows.map((days) => days.map(statesIn).reduce(mergeWindows));
		return evaluateStates(lines, merged, (window) => keptOf(windows[window] ?? []));
	};
	const evaluated = evaluate((day) => statesOf(day, counted));
	const redefined = new Set(windows.flat().flatMap((day) => (day.kind === 'redefined' ? [...day.redefined] : [])));
	if (redefined.size === 0) return evaluated;
	const evaluatedNow = evaluate((day) => (day.kind === 'redefined' ? countedStates(day, counted) : statesOf(day, counted)));
	return evaluated.map((line, index) => (redefined.has(line.key) ? (evaluatedNow[index] ?? line) : line));
}

/** The state of a line in a day that cannot be read. */
const unreadState: LineState = { kind: 'fault', code: 'stored_row_invalid' };

/** Returns the states from which the numbers of a day are computed. */
function statesOf(day: ReportDay, counted: CountedDays): WindowStates {
	if (day.kind === 'unreadable') return new Map(day.basis.lines.map(({ line: { key } }) => [key, unreadState]));
	if (!('causes' in day) || day.kind === 'outdated') return countedStates(day, counted);
	const stored = new Map(day.row.lines.map(({ line, state }) => [line.key, state]));
	// With hours every day is counted, and a day that is not sealed is the sum of its hours. Hours have no night: that of the day is stored.
	if (day.kind === 'provisional' && counted.has(day))
		return new Map([...countedStates(day, counted), ...[...stored].filter(([, { kind }]) => kind === 'nights')]);
	if (day.kind !== 'redefined') return stored;
	// A line that is defined in another way now has the states that were counted now: only those merge with the states of other days.
	return new Map([...countedStates(day, counted), ...[...stored].filter(([key]) => !day.redefined.has(key))]);
}

function countedStates(day: ReportDay, counted: CountedDays): WindowStates {
	const states = counted.get(day);
	if (states === undefined) throw new RangeError('A day whose numbers do not hold was not counted.');
	return states;
}

/** Returns the sealed numbers of a window that is a single sealed day, by the keys of lines. */
function keptOf([day, ...others]: readonly ReportDay[]): ReadonlyMap<string, LineValue> {
	const isSealedDay = day !== undefined && others.length === 0 && isSealed(day);
	return new Map(isSealedDay ? day.row.lines.map(({ line, value }) => [line.key, value]) : []);
}

/** Gives hours the total of their days. */
const withTotals = (hours: readonly EvaluatedLine[], days: readonly EvaluatedLine[]): readonly EvaluatedLine[] =>
	hours.map((line, index) => ({ ...line, values: { ...line.values, total: days[index]?.values.total ?? line.values.total } }));

/** Whether a window is partial. A window that is not over is open, but not partial, if it begins with its period. */
function isPartial(
	{ from, to, isOpen }: { readonly from: number; readonly to: number; readonly isOpen: boolean },
	period: ReportPeriod,
	calendar: Calendar,
): boolean {
	if (period === 'hour' || period === 'day') return false;
	const isStartOfPeriod = (time: number): boolean => {
		// The instant lies inside this range, so it is a bound only where a period begins.
		const earlier = { start: startOfDay(time, calendar, { daysLater: -1 }), stop: time + 1 };
		return boundsOf(earlier, periodLengths[period], calendar).includes(time);
	};
	return !isStartOfPeriod(from) || (!isOpen && !isStartOfPeriod(to));
}

/**
 * Returns how the numbers that are counted now differ from the sealed ones; null: they do not differ, or the day is not sealed.
 * @param states counted now; undefined: they could not be counted, so every line with a cause is named
 */
function changedDay(
	day: ReportDay,
	states: WindowStates | undefined,
	evaluate: ReturnType<typeof createEvaluator>,
): ChangedDay | null {
	if (!('causes' in day) || !isSealed(day)) return null;
	const values = states === undefined ? null : evaluate(states);
	const different = [...day.causes].filter(([key, ofLine]) => {
		const sealedLine = day.row.lines.find(({ line }) => line.key === key);
		const presentLine = day.basis.lines.find(({ line }) => line.key === key);
		// No day has the number of a month, so that days alone do not tell the difference.
		if (ofLine.includes('entry')) return true;
		if (sealedLine === undefined || presentLine === undefined || values === null) return true;
		return sealedLine.line.unit !== presentLine.line.unit || !isSame(sealedLine.value, values.get(key));
	});
	if (different.length === 0) return null;
	const { date, from, to } = day.row;
	const causes = new Set(different.flatMap(([, ofLine]) => ofLine));
	return { date, from, to, causes: dayCauses.filter((cause) => causes.has(cause)), lines: different.map(([key]) => key) };
}

/** Whether two numbers are equal. They are compared as JSON, which is what people saw. Days of earlier releases do not tell `at` of run hours. */
function isSame(sealed: LineValue, counted: LineValue | undefined): boolean {
	const text = ({ value, low, high, known, at, fault, counterFaults }: LineValue): string =>
		JSON.stringify([value, low, high, known, sealed.at === undefined ? null : at, fault, counterFaults]);
	return counted !== undefined && text(sealed) === text(counted);
}
