import { isMixed, type SeriesPoint, seriesOfPoints, typeFaultOf, unionOfTypes } from '#adapters/series-points.ts';
import { emptySeries, type Series, type SeriesKey, type SeriesResult } from '#domain/ports/time-series.ts';
import { nameOfSource } from '#domain/totals/join-sources.ts';
import { seriesKeyOf } from '#domain/variable/series-of-query.ts';
import { historyWindows, newestRange, trailingWindows, type Windows, windowEnd } from '#domain/variable/window.ts';
import { isInexact, typesOfKinds } from './kinds.ts';
import { isImprecise } from './sql-aggregates.ts';
import { type Candidate, chosenOf, type Statements, type StoredSample } from './statements.ts';

type WindowedKey = Exclude<SeriesKey, { readonly read: 'newest' }>;

/** A candidate that has samples in the range, with the newest of them. */
interface CandidateWithSamples extends Candidate {
	readonly newest: StoredSample;
}

/** Reads all keys, in their order, from one state of the database: the caller has begun a transaction. */
export function readSeries(
	statements: Statements,
	database: string,
	keys: readonly SeriesKey[],
	now: number,
): readonly SeriesResult[] {
	const results: SeriesResult[] = keys.map(() => emptySeries);
	/** The series of topics and fields that several keys choose from. */
	const known = new Map<string, readonly Candidate[]>();
	const candidatesOf = ({ topic, field, tags }: SeriesKey): readonly Candidate[] => {
		const name = seriesKeyOf({ topic, field });
		const all = known.get(name) ?? statements.candidates(database, { topic, field });
		known.set(name, all);
		return chosenOf(all, tags);
	};
	// Keys with the same windows are read one after another, so that the windows are computed only once. Those of histories are then also
	// written only once by `setWindows`.
	for (const group of Map.groupBy(keys.entries(), ([, key]) => windowsKey(key)).values()) {
		let windows: Windows | undefined;
		for (const [index, key] of group) {
			const candidates = candidatesOf(key);
			if (key.read === 'newest') {
				results[index] = readNewest(statements, candidates, key, now);
				continue;
			}
			windows ??= (key.read === 'history' ? historyWindows : trailingWindows)(now, key.lookback, key.period);
			results[index] = readWindows(statements, candidates, key, windows, now);
		}
	}
	return results;
}

/** Returns the same text for keys that have the same windows. */
function windowsKey(key: SeriesKey): string {
	if (key.read === 'newest') return key.read;
	return [key.read, key.lookback.ms, key.lookback.months, key.period.ms, key.period.months].join();
}

/** Reads the newest sample of several tag sets. There is no value when two tag sets have a sample at that instant. */
function readNewest(statements: Statements, candidates: readonly Candidate[], key: SeriesKey, now: number): SeriesResult {
	const { start, stop } = newestRange(now, key.lookback);
	const found = withSamples(statements, candidates, start, stop);
	const [first, second] = found;
	if (first === undefined) return withoutSamples(statements, candidates, now);
	const { ms, value, kind } = first.newest;
	const isTie = second !== undefined && compareTimes(first.newest, second.newest) === 0;
	const fault = isTie ? 'several_series' : faultOf(value, kind);
	const series = seriesOfPoints([[ms, value, fault]], ms);
	const pointOf = ({ newest }: CandidateWithSamples): SeriesPoint => [
		newest.ms,
		newest.value,
		faultOf(newest.value, newest.kind),
	];
	return withSources(statements, key, series, new Map(found.map((each) => [each.id, [pointOf(each)]])));
}

/** Adds the series of each source where the key asks for them. `points`: the points of each source by its id. */
function withSources(
	statements: Statements,
	{ bySource }: SeriesKey,
	series: Series,
	points: ReadonlyMap<number, readonly SeriesPoint[]>,
): Series {
	if (bySource !== true) return series;
	const sources = [...points].map(([id, own]) => {
		const newestAt = own.reduce((newest, [timeMs]) => Math.max(newest, timeMs), Number.NEGATIVE_INFINITY);
		return [nameOfSource({ tags: statements.tagsOf(id) }), seriesOfPoints(own, newestAt)] as const;
	});
	return { ...series, sources: new Map(sources) };
}

/** Returns why a sample has no value: it is text, or an integer that was rounded when it was stored. */
function faultOf(value: number | null, kind: number) {
	if (value === null) return 'not_numeric';
	return isInexact(kind) ? 'precision' : undefined;
}

/**
 * Reads the windows that have samples. Of a `trailing` key, reads only the newest of them. A window has no value when it holds samples of
 * several tag sets: `seriesOfPoints` gets a point of each.
 */
function readWindows(
	statements: Statements,
	candidates: readonly Candidate[],
	key: WindowedKey,
	windows: Windows,
	now: number,
): SeriesResult {
	const { read, aggregate } = key;
	const { starts, stop } = windows;
	const start = starts[0] ?? stop;
	const series = withSamples(statements, candidates, start, stop);
	const newestAt = series[0]?.newest.ms;
	if (newestAt === undefined) return withoutSamples(statements, candidates, now);
	const types = typesOf(statements, series, start, stop);
	const typeFault = typeFaultOf(types);
	if (typeFault !== undefined) return { fault: typeFault };
	const wanted = read === 'history' ? windows : windowAt(windows, newestAt);
	statements.setWindows(wanted);
	const pointsOf = (id: number): readonly SeriesPoint[] =>
		statements.windows(aggregate, id).map(([place, value = 0]): SeriesPoint => {
			const fault = isImprecise(aggregate, value, types) ? 'precision' : undefined;
			return [windowEnd(wanted, place), value, fault];
		});
	const points = new Map(series.map(({ id }) => [id, pointsOf(id)]));
	return withSources(statements, key, seriesOfPoints([...points.values()].flat(), newestAt), points);
}

/** Returns the result for a range without samples. `isAhead` says whether samples are ahead of the clock. */
function withoutSamples(statements: Statements, candidates: readonly Candidate[], now: number): SeriesResult {
	const isAhead = candidates.some(({ id }) => statements.newest(id, now, Number.MAX_SAFE_INTEGER) !== undefined);
	return isAhead ? { ...emptySeries, isAhead: true } : emptySeries;
}

/** Returns the candidates that have samples in a range, the one with the newest sample first. */
function withSamples(
	statements: Statements,
	candidates: readonly Candidate[],
	start: number,
	stop: number,
): readonly CandidateWithSamples[] {
	return candidates
		.flatMap((candidate) => {
			const newest = statements.newest(candidate.id, start, stop);
			return newest === undefined ? [] : [{ ...candidate, newest }];
		})
		.sort((a, b) => compareTimes(b.newest, a.newest));
}

const compareTimes = (a: StoredSample, b: StoredSample): number => a.ms - b.ms || a.ns - b.ns;

/** Returns the types of the samples as `typeBits`. Looks at single samples only when a type ever changed. */
function typesOf(statements: Statements, series: readonly CandidateWithSamples[], start: number, stop: number): number {
	const typesEver = unionOfTypes(series.map(({ types }) => types));
	if (!isMixed(typesEver)) return typesEver;
	return typesOfKinds(series.flatMap(({ id }) => statements.kinds(id, start, stop)));
}

/** Returns the one window that contains `time`. */
function windowAt({ starts, stop }: Windows, time: number): Windows {
	const place = starts.findLastIndex((start) => start <= time);
	return { starts: starts.slice(place, place + 1), stop: starts[place + 1] ?? stop };
}
