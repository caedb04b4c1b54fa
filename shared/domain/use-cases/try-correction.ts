import { boardOf } from '../board/board.ts';
import { type Correction, spanOfCorrection } from '../board/correction.ts';
import type { lineFunctions } from '../board/line.ts';
import { startOfDay } from '../calendar/days.ts';
import { DomainError, type ValidationIssue } from '../errors.ts';
import { dayMs } from '../milliseconds.ts';
import type { BoardRow } from '../ports/schema-store.ts';
import { correctionsOf } from '../totals/corrections-of.ts';
import type { LineValue } from '../totals/evaluate-lines.ts';
import type { TotalsDeps } from '../totals/read-windows.ts';
import { parseTotalsRequest } from '../totals/totals-request.ts';
import type { VersionMatch } from '../transaction/checks.ts';
import type { WriteDeps } from '../transaction/run-transaction.ts';
import type { Range } from '../variable/window.ts';
import { readTotals, type Totals } from './read-totals.ts';
import { previewCorrection } from './save-correction.ts';

/** How the days of a dry run are counted: the fields of a line of totals, and the days' time zone. */
export interface TriedLine {
	/** Left out: `increase` for an exchange, otherwise `mean`. */
	readonly function?: (typeof lineFunctions)[number] | undefined;
	readonly per?: string | undefined;
	readonly holdSeconds?: number | undefined;
	readonly size?: number | undefined;
	readonly dip?: number | undefined;
	readonly timeZone?: string | undefined;
	readonly dayStart?: string | undefined;
}

/** The number of a day without and with a correction. Times are epoch milliseconds. */
export interface TriedDay {
	readonly start: number;
	readonly end: number;
	readonly before: LineValue;
	readonly after: LineValue;
}

/** A correction as it would be stored, and the days whose numbers it concerns. */
export interface TriedCorrection {
	readonly row: BoardRow;
	/** The function of the counted line, such as `mean`. */
	readonly function: string;
	readonly days: readonly TriedDay[];
}

/** The dependencies of a dry run. It counts no alarms. */
export type TryCorrectionDeps = WriteDeps & Omit<TotalsDeps, 'alarms'>;

/** A little less than the longest range of totals, because days have up to 25 hours. */
const longestMs = 365 * dayMs;

/** Only lines of signals are counted here, so no alarms are read. */
const noAlarms: TotalsDeps['alarms'] = { events: async () => ({ events: [], next: null }), progress: async () => null };

/**
 * Counts the days of a correction without and with it, and stores nothing. At most the last 365 days are counted. The day after is
 * included if its number differs: its first minutes, or its first difference, may depend on corrected values.
 * @throws DomainError as `saveCorrection` and `readTotals`
 */
export async function tryCorrection(
	deps: TryCorrectionDeps,
	{ schema, database }: { readonly schema: string; readonly database: string },
	correction: Correction,
	line: TriedLine,
	match: VersionMatch,
): Promise<TriedCorrection> {
	const row = await previewCorrection(deps, schema, boardOf('correction', correction), match);
	const { id, varId } = correction;
	const stored = (await correctionsOf(deps.store, schema, [varId])).corrections.get(varId) ?? [];
	// A new correction gets the highest id.
	const tried = [...stored.filter((each) => each.id !== id), { ...correction, id: id === 0 ? Number.MAX_SAFE_INTEGER : id }];
	// A change also concerns the days of the stored version.
	const spans = [correction, ...stored.filter((each) => each.id === id)].map(spanOfCorrection);
	const lineFunction = line.function ?? (correction.type === 'exchange' ? 'increase' : 'mean');
	const request = daysOf(spans, { ...line, function: lineFunction, varId }, deps.now());
	const count = (corrections: readonly Correction[]): Promise<Totals> =>
		readTotals({ ...deps, alarms: noAlarms }, schema, database, request, new Map([[varId, corrections]]));
	const { bounds, lines } = await count(stored);
	const after = (await count(tried)).lines[0]?.values.windows ?? [];
	const days = (lines[0]?.values.windows ?? []).flatMap((before, index): TriedDay[] => {
		const [start = 0, end = start, changed = before] = [bounds[index], bounds[index + 1], after[index]];
		const isCorrected = spans.some((span) => start < span.stop && end > span.start);
		return isCorrected || JSON.stringify(before) !== JSON.stringify(changed) ? [{ start, end, before, after: changed }] : [];
	});
	return { row, function: lineFunction, days };
}

/**
 * Returns the request for the days of spans and the day after.
 * @throws DomainError `invalid` with the fields of the line
 */
function daysOf(
	spans: readonly Range[],
	{ timeZone, dayStart, size, dip, ...line }: TriedLine & { readonly varId: number },
	now: number,
) {
	const counter = size === undefined && dip === undefined ? undefined : { size, dip };
	const lines = [{ key: 'day', ...line, counter }];
	try {
		// Parsed first with any range: the range of the days depends on the calendar.
		const { calendar } = parseTotalsRequest({ lines, start: now - dayMs, timeZone, dayStart }, now);
		// The day after the last one ends two days after that one begins.
		const end = Math.min(now, startOfDay(Math.max(...spans.map(({ stop }) => stop - 1)), calendar, { daysLater: 2 }));
		const first = Math.max(Math.min(...spans.map(({ start }) => start)), end - longestMs);
		const period = { count: 1, unit: 'd' };
		return parseTotalsRequest({ lines, start: startOfDay(first, calendar), end, period, timeZone, dayStart }, now);
	} catch (error) {
		throw withoutLine(error);
	}
}

/** Returns the error with the names of the fields that the client sent, in place of those of a line: `size` for `lines.0.counter.size`. */
function withoutLine(error: unknown): unknown {
	if (!(error instanceof DomainError) || error.code !== 'invalid') return error;
	const issues = error.payload.issues.map((issue: ValidationIssue) => ({
		...issue,
		path: issue.path.replace(/^lines\.0\.(?:counter\.)?/, ''),
	}));
	return new DomainError('invalid', { issues });
}
