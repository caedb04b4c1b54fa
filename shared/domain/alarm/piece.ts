import { chunksOf } from '../chunks-of.ts';
import type { SeriesKey, SeriesResult, TimeSeries } from '../ports/time-series.ts';
import { readLimits } from '../reading/budget.ts';
import { lookbackOf } from '../variable/query.ts';
import { type SeriesOfQuery, seriesOfQuery } from '../variable/series-of-query.ts';
import type { Variable } from '../variable/variable.ts';
import { wholeSeconds } from './effective-rules.ts';

/** A piece of time that alarms are evaluated over: (from, to]. Epoch milliseconds, both a multiple of `stepMs`. */
export interface Piece {
	readonly from: number;
	readonly to: number;
	/** Length of a step in milliseconds. A sample counts at the end of its step. 1000 except in a long back-test. */
	readonly stepMs: number;
}

/** A series that an alarm observes, as an input of its variable. */
export interface ObservedInput {
	/** The query's name in varsTsdb. */
	readonly name: string;
	readonly series: SeriesOfQuery;
	/** How long a sample is known: the lookback in whole seconds, mo = 31 d and y = 366 d. */
	readonly lookbackMs: number;
}

/** What was read of an input: the newest sample before the piece, and the last sample of each step of the piece. */
export interface PieceSeries {
	readonly newest: SeriesResult;
	readonly history: SeriesResult;
}

/** Returns what was read of an input of any alarm of the piece. */
export type PieceReads = (input: ObservedInput) => PieceSeries;

/** Returns the names of the sources of which an input has samples. */
export function sourcesOf({ newest, history }: PieceSeries): readonly string[] {
	const names = [newest, history].flatMap((result) => ('fault' in result ? [] : [...(result.sources?.keys() ?? [])]));
	return [...new Set(names)];
}

/** Returns the inputs of a variable, in the order of varsTsdb. A formula without variables has none. */
export function observedInputsOf({ varsTsdb }: Variable): readonly ObservedInput[] {
	return [...varsTsdb].map(([name, query]) => ({
		name,
		series: seriesOfQuery(query),
		lookbackMs: wholeSeconds(lookbackOf(query).ms),
	}));
}

/**
 * Reads the series of some inputs over a piece, each distinct series once, in two calls of the port; in more where there are more series than one
 * call reads.
 * @throws RangeError when the piece is not made of whole steps; DomainError the errors of `TimeSeries.read`
 */
export async function readPiece(
	timeSeries: TimeSeries,
	database: string,
	inputs: readonly ObservedInput[],
	piece: Piece,
): Promise<PieceReads> {
	const { from, to, stepMs } = piece;
	if (from % stepMs !== 0 || to % stepMs !== 0)
		throw new RangeError(`The piece from ${from} to ${to} has steps that are not whole.`);
	const [newest, history] = await Promise.all([
		readDistinct(timeSeries, database, inputs.map(newestKey), from),
		readDistinct(
			timeSeries,
			database,
			inputs.map((input) => historyKey(input, piece)),
			to,
		),
	]);
	return (input) => ({ newest: newest(newestKey(input)), history: history(historyKey(input, piece)) });
}

const newestKey = ({ series, lookbackMs }: ObservedInput): SeriesKey => ({
	read: 'newest',
	...series,
	lookback: { ms: lookbackMs },
	bySource: true,
});

const historyKey = ({ series }: ObservedInput, { from, to, stepMs }: Piece): SeriesKey => ({
	read: 'history',
	...series,
	lookback: { ms: to - from },
	period: { ms: stepMs },
	aggregate: 'last',
	bySource: true,
});

/** Reads each distinct key once. Returns the function that finds the result of a key. */
async function readDistinct(
	timeSeries: TimeSeries,
	database: string,
	keys: readonly SeriesKey[],
	now: number,
): Promise<(key: SeriesKey) => SeriesResult> {
	// The properties of a key are always in the same order, so equal keys have equal texts.
	const distinct = new Map(keys.map((key) => [JSON.stringify(key), key]));
	const results: SeriesResult[] = [];
	for (const chunk of chunksOf(readLimits.series, [...distinct.values()]))
		results.push(...(await timeSeries.read(database, chunk, now)));
	const byText = new Map([...distinct.keys()].map((text, index) => [text, results[index]]));
	return (key) => {
		const result = byText.get(JSON.stringify(key));
		if (result === undefined) throw new RangeError('A series of the piece was not read.');
		return result;
	};
}
