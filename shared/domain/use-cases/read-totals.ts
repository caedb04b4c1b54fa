import { lengthOf, type WirePeriod } from '../calendar/period-choice.ts';
import { type CorrectedLine, withCorrections } from '../totals/apply-corrections.ts';
import { evaluateStates } from '../totals/evaluate-lines.ts';
import {
	type CountableLines,
	checkLinesFit,
	defineLines,
	readWindows,
	type TotalsDeps,
	windowBounds,
} from '../totals/read-windows.ts';
import type { TotalsRequest } from '../totals/totals-request.ts';

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

/**
 * Counts the lines of a request (shared/domain/totals/README.md#request). A line whose series cannot be read has a fault; the others are
 * not affected.
 * @param database the tenant's time-series database
 * @param tried the corrections by variable that apply in place of the stored ones
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
	tried?: CountableLines['corrections'],
): Promise<Totals> {
	const { lines, range, calendar, dayStart, period = null } = request;
	const bounds = period === null ? [range.start, range.stop] : windowBounds(range, lengthOf(period), calendar);
	const defined = await defineLines(deps, schema, lines);
	checkLinesFit(defined);
	const countable = tried === undefined ? defined : { ...defined, corrections: tried };
	const windows = await readWindows(deps, { schema, database }, countable, bounds);
	return {
		bounds,
		period,
		timeZone: calendar.zone.name,
		dayStart,
		lines: withCorrections(evaluateStates(lines, windows), countable, range),
	};
}
