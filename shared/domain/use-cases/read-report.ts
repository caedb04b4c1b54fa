import type { Report } from '../board/report.ts';
import { boundsOf, type Calendar } from '../calendar/bounds.ts';
import { startOfDay } from '../calendar/days.ts';
import { DomainError } from '../errors.ts';
import type { BoardRow } from '../ports/schema-store.ts';
import { periodLengths, type ReportPeriod } from '../report/report-period.ts';
import type { ReportRequest } from '../report/report-request.ts';
import { evaluateStates, type LineValue } from '../totals/evaluate-lines.ts';
import { mergeWindows, type WindowStates } from '../totals/fold-lines.ts';
import { type ChangedDay, type DayState, dayStates, inspectDays, type ReportPiece } from './inspect-days.ts';
import { daysIn, openReport, type ReportDeps, type ReportTenant } from './open-report.ts';
import { type CorrectedLine, windowBounds, withCorrections } from './read-totals.ts';

/** The numbers of a report over the windows of a range. */
export interface ReadReport {
	readonly report: Report;
	readonly period: ReportPeriod;
	/** n + 1 epoch milliseconds: window i is from bounds[i] to bounds[i + 1]. */
	readonly bounds: readonly number[];
	/** The state of each window: that of its least certain day. */
	readonly states: readonly DayState[];
	/** Whether the range cuts the window, so that it is not a whole week, month or year. */
	readonly partial: readonly boolean[];
	readonly lines: readonly CorrectedLine[];
	/** The sealed days that would have other numbers now. */
	readonly changed: readonly ChangedDay[];
	/** The dates of whole days that are not sealed. */
	readonly unsealed: readonly string[];
}

/**
 * Reads a report (shared/domain/report/README.md#reading). Days that are stored are read in one call, and their samples are counted in
 * another; the others are counted from samples.
 * @throws DomainError `not_found`; `too_large` when there are too many windows, or too many samples in days that are not stored; and the
 *   errors of the ports
 */
export async function readReport(
	deps: ReportDeps,
	tenant: ReportTenant,
	{ id, range, period }: ReportRequest,
	now: number,
): Promise<ReadReport> {
	const report = await reportOf(deps, tenant.schema, id);
	const opened = await openReport(deps, tenant, report);
	const { calendar, defined, corrections } = opened;
	const bounds = windowBounds(range, periodLengths[period], calendar);
	const hours = period === 'hour' ? bounds : null;
	const { pieces, windows, changed } = await inspectDays(deps, opened, daysIn(range, calendar), hours, now);
	const daysByWindow = bounds.slice(1).map((to, index) => piecesBetween(pieces, bounds[index] ?? to, to));
	// Hours are counted from samples. A longer window is merged from its days.
	const evaluated = windows === null ? evaluateDays(defined.lines, daysByWindow) : evaluateStates(defined.lines, windows);
	const lines = withCorrections(evaluated, defined.lines, range, corrections);
	const states = daysByWindow.map(leastCertain);
	return {
		report,
		period,
		bounds,
		states,
		partial: states.map((state, window) => {
			const [from = 0, to = from] = [bounds[window], bounds[window + 1]];
			return isPartial({ from, to, state }, period, calendar);
		}),
		lines: hours === null ? lines : withSealedTotal(lines, defined.lines, pieces),
		changed,
		unsealed: pieces.flatMap(({ date, state }) => (date === null || state === 'sealed' ? [] : [date])),
	};
}

/** Returns a stored report. @throws DomainError `not_found` */
export async function reportOf({ store }: Pick<ReportDeps, 'store'>, schema: string, id: number): Promise<Report> {
	const key = { kind: 'report', id } as const;
	const [row]: readonly (BoardRow | null)[] = await store.get(schema, [key]);
	if (row?.board.kind !== 'report') throw new DomainError('not_found', key);
	return row.board.content;
}

/** Returns the days of a window. For an hour it is the day that contains it. */
const piecesBetween = (pieces: readonly ReportPiece[], from: number, to: number): readonly ReportPiece[] =>
	pieces.filter((piece) => piece.from < to && piece.to > from);

/**
 * Evaluates lines over windows of whole days. A formula of another definition than in a sealed day needs all of its lines there as they are counted
 * now: with sealed numbers of some of them, it would compare samples of different times.
 */
function evaluateDays(lines: Parameters<typeof evaluateStates>[0], windows: readonly (readonly ReportPiece[])[]) {
	const evaluate = (statesOf: (piece: ReportPiece) => WindowStates) => {
		const merged = windows.map((days) => days.map(statesOf).reduce(mergeWindows));
		return evaluateStates(lines, merged, (window) => keptOf(windows[window] ?? []));
	};
	const evaluated = evaluate(({ lineStates }) => lineStates);
	const redefined = new Set(windows.flatMap((days) => days.flatMap((piece) => [...piece.redefined])));
	if (redefined.size === 0) return evaluated;
	const evaluatedNow = evaluate(({ statesOfRedefined }) => statesOfRedefined);
	return evaluated.map((line, index) => (redefined.has(line.key) ? (evaluatedNow[index] ?? line) : line));
}

/** Returns the stored numbers of a window that is a single sealed day. */
const keptOf = ([piece, ...others]: readonly ReportPiece[]): ReadonlyMap<string, LineValue> =>
	piece === undefined || others.length > 0 ? new Map() : piece.kept;

/** Returns the state of the least certain of some days. */
const leastCertain = (pieces: readonly ReportPiece[]): DayState =>
	dayStates.find((state) => pieces.some((piece) => piece.state === state)) ?? 'counted';

/** Whether a window is partial. A window that is not over is open, but not partial, if it begins with its period. */
function isPartial(
	{ from, to, state }: Pick<ReportPiece, 'from' | 'to' | 'state'>,
	period: ReportPeriod,
	calendar: Calendar,
): boolean {
	if (period === 'hour' || period === 'day') return false;
	const isStartOfPeriod = (time: number): boolean => {
		// The instant lies inside this range, so it is a bound only where a period begins.
		const earlier = { start: startOfDay(time, calendar, { daysLater: -1 }), stop: time + 1 };
		return boundsOf(earlier, periodLengths[period], calendar).includes(time);
	};
	return !isStartOfPeriod(from) || (state !== 'open' && !isStartOfPeriod(to));
}

/**
 * Takes the total of hours from their days: a single sealed day has its stored numbers, and of several days the states are merged, those of
 * sealed days as they are stored. The hours themselves are counted from samples.
 */
function withSealedTotal(
	lines: readonly CorrectedLine[],
	defined: Parameters<typeof evaluateStates>[0],
	pieces: readonly ReportPiece[],
): readonly CorrectedLine[] {
	const totals = evaluateDays(defined, [pieces]);
	return lines.map((line, index) => ({
		...line,
		values: { ...line.values, total: totals[index]?.values.total ?? line.values.total },
	}));
}
