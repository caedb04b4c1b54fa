import { type Correction, overlaps } from '../board/correction.ts';
import { boundsOf, type Calendar, countBounds } from '../calendar/bounds.ts';
import { lengthOf, type WirePeriod } from '../calendar/period-choice.ts';
import { DomainError } from '../errors.ts';
import { effectiveCorrections } from '../totals/apply-corrections.ts';
import { type EvaluatedLine, evaluateStates } from '../totals/evaluate-lines.ts';
import { checkLinesFit, defineLines, type ReadCorrections, readWindows, type TotalsDeps } from '../totals/read-windows.ts';
import type { TotalsLine, TotalsRequest } from '../totals/totals-request.ts';
import type { Duration } from '../variable/duration.ts';
import type { Range } from '../variable/window.ts';

/** The lines of a request over the same windows. */
export interface Totals {
	/** n + 1 epoch milliseconds: window i is from bounds[i] to bounds[i + 1]. */
	readonly bounds: readonly number[];
	/** Null: the range is one window. */
	readonly period: WirePeriod | null;
	readonly timeZone: string;
	readonly dayStart: string;
	readonly lines: readonly CorrectedLine[];
}

/** A line, with the ids of the corrections of its variable that overlap the range, ascending. */
export interface CorrectedLine extends EvaluatedLine {
	readonly corrections: readonly number[];
}

/** Most windows of one request (shared/http/README.md#limits). */
const maxWindows = 400;

/**
 * Counts the lines of a request (shared/domain/totals/README.md#request). A line whose series cannot be read has a fault; the others are
 * not affected.
 * @param database the tenant's time-series database
 * @param readCorrections left out: those that are stored
 * @throws DomainError `invalid` for a line that does not fit its variable, `too_large` when the request is beyond a limit, before any
 *   sample is read, and the errors of the ports
 * @example
 * const { bounds, lines } = await readTotals(deps, 'plant', 'series', parseTotalsRequest(body, Date.now()));
 */
export async function readTotals(
	deps: TotalsDeps,
	schema: string,
	database: string,
	request: TotalsRequest,
	readCorrections?: ReadCorrections,
): Promise<Totals> {
	const { lines, range, calendar, dayStart, period = null } = request;
	const bounds = period === null ? [range.start, range.stop] : windowBounds(range, lengthOf(period), calendar);
	const defined = await defineLines(deps, schema, lines);
	checkLinesFit(defined);
	const { windows, corrections } = await readWindows(deps, { schema, database }, defined, bounds, readCorrections);
	return {
		bounds,
		period,
		timeZone: calendar.zone.name,
		dayStart,
		lines: withCorrections(evaluateStates(lines, windows), lines, range, corrections),
	};
}

/**
 * Returns the bounds of a range's windows of a length. They are counted before they are made: a range can have more windows than memory
 * holds.
 * @throws DomainError `too_large` when there are more than `maxWindows`
 */
export function windowBounds(range: Range, length: Duration, calendar: Calendar): readonly number[] {
	const windows = countBounds(range, length, calendar) - 1;
	if (windows > maxWindows) {
		const remedy = 'Ask for a longer period or a shorter range.';
		throw new DomainError('too_large', { field: 'period', counted: 'windows', actual: windows, limit: maxWindows, remedy });
	}
	return boundsOf(range, length, calendar);
}

/** Adds to each line the ids of the corrections of its variable that have an effect on it and overlap the range. */
export function withCorrections<Line extends EvaluatedLine>(
	evaluated: readonly Line[],
	lines: readonly TotalsLine[],
	range: Range,
	corrections: ReadonlyMap<number, readonly Correction[]>,
): readonly (Line & Pick<CorrectedLine, 'corrections'>)[] {
	return evaluated.map((each, index) => {
		const line = lines[index];
		const own = line?.kind === 'signal' ? (corrections.get(line.varId) ?? []) : [];
		const isCounter = line?.kind === 'signal' && line.asked.function === 'increase';
		const applied = effectiveCorrections(own, { isCounter });
		return { ...each, corrections: applied.filter((correction) => overlaps(correction, range)).map(({ id }) => id) };
	});
}
