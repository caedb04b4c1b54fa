import { emptySeries, type Series, type SeriesKey, type SeriesResult } from '#domain/ports/time-series.ts';
import { newestRange, type Range } from '#domain/variable/window.ts';
import { hasIntegers, maxExactInteger, type SeriesPoint, seriesOfPoints, typeFaultOf, unionOfTypes } from '../series-points.ts';
import { type KnownType, knownTypeOfBits } from './known-types.ts';
import { type Samples, sourcesIn } from './samples.ts';
import { dependsOnType } from './streams.ts';

/** The rows of one series: its windows or newest samples and, for windows, the newest and the oldest sample of the range. */
export interface SeriesRows {
	readonly data: Samples | undefined;
	readonly newest: Samples | undefined;
	readonly oldest: Samples | undefined;
}

/**
 * Converts the rows of one series to its result.
 * @param now epoch milliseconds; drops newest samples that are older than the key's own lookback
 */
export function seriesResultOf(key: SeriesKey, rows: SeriesRows, now: number): SeriesResult {
	const { data, newest } = rows;
	if (key.read === 'newest') {
		if (data === undefined) return emptySeries;
		const range = newestRange(now, key.lookback);
		return withSources(key, newestOf(data, range), data, (rowsOfSource) => newestOf(rowsOfSource, range));
	}
	if (newest === undefined) return emptySeries;
	const types = typesOf(key, rows);
	const typeFault = typeFaultOf(types);
	if (typeFault !== undefined) return { fault: typeFault };
	// A windowed read takes the oldest shard's type and drops samples of other types. So there are no windows, although there is a
	// newest sample, when the type changed.
	if (data === undefined) return { fault: 'type_changed' };
	const newestAt = newest.times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
	const series = windowsOf(key, data, types, newestAt);
	const [only, ...others] = sourcesIn(newest).keys();
	if (only !== undefined && others.length === 0 && key.bySource === true)
		return { ...series, sources: new Map([[only, series]]) };
	return withSources(key, series, data, (rowsOfSource) => windowsOf(key, rowsOfSource, types, newestAt));
}

/** Adds the series of each source that has points, where the key asks for them. */
function withSources(key: SeriesKey, series: Series, data: Samples, seriesOfRows: (rows: Samples) => Series): Series {
	if (key.bySource !== true) return series;
	const sources = [...sourcesIn(data)].map(([name, rows]) => [name, seriesOfRows(rows)] as const);
	return { ...series, sources: new Map(sources.filter(([, { times }]) => times.length > 0)) };
}

/** Returns the type of a series, as far as its rows show it; undefined when there are no rows. */
export function knownTypeOf(key: SeriesKey, rows: SeriesRows): KnownType | undefined {
	return knownTypeOfBits(typesOf(key, rows));
}

/** Reads the newest sample of several tag sets. There is no value when two tag sets have a sample at that instant. */
function newestOf({ times, subMs, values, faults }: Samples, { start }: Range): Series {
	let newest: number | undefined;
	let isAlone = true;
	for (const [index, time] of times.entries()) {
		if (time < start) continue;
		// Milliseconds are compared first, then what is beyond them.
		const difference =
			newest === undefined ? 1 : time - (times[newest] ?? 0) || (subMs.get(index) ?? 0) - (subMs.get(newest) ?? 0);
		if (difference > 0) [newest, isAlone] = [index, true];
		else if (difference === 0) isAlone = false;
	}
	if (newest === undefined) return emptySeries;
	const time = times[newest] ?? 0;
	return seriesOfPoints([[time, values[newest] ?? 0, isAlone ? faults.get(newest) : 'several_series']], time);
}

/** The set of types of the samples. Windows of floats are left out: they are floats, whatever the samples are. */
export function typesOf(key: SeriesKey, { data, newest, oldest }: SeriesRows): number {
	const counted = dependsOnType(key) ? [newest, oldest] : [newest, oldest, data];
	return unionOfTypes(counted.map((samples) => samples?.types ?? 0));
}

/** Returns the windows of a series, of a trailing read only the newest one. Integers beyond 2^53 lose digits as floats, so they have a fault. */
function windowsOf(key: SeriesKey, { times, values, faults }: Samples, types: number, newestAt: number): Series {
	const areConverted = dependsOnType(key) && hasIntegers(types);
	const points = times.map((time, index): SeriesPoint => {
		const value = values[index] ?? 0;
		const isInexact = areConverted && Math.abs(value) >= maxExactInteger;
		return [time, value, faults.get(index) ?? (isInexact ? 'precision' : undefined)];
	});
	if (key.read !== 'trailing') return seriesOfPoints(points, newestAt);
	// Each tag set has its own newest window. Only the newest of them counts.
	const newestWindow = times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
	return seriesOfPoints(
		points.filter(([time]) => time === newestWindow),
		newestAt,
	);
}
