import { emptySeries, type Series, type SeriesKey, type SeriesResult, type TimeSeries } from '#domain/ports/time-series.ts';
import { streamGroupOf } from '#domain/reading/stream-group.ts';
import { historyWindows, newestRange, trailingWindows } from '#domain/variable/window.ts';
import { type SeriesPoint, seriesOfPoints, typeFaultOf } from '../series-points.ts';
import type { InfluxqlConnection } from './influxql-connection.ts';
import {
	exactNewestStatements,
	type FoundNewest,
	isNewer,
	type NewestSample,
	newestStatements,
	newestTimeOf,
	noNewest,
	valueAndFault,
} from './newest-query.ts';
import { foundByKey, groupTopics } from './topic-groups.ts';
import { exactWindowStatements, type FoundWindows, groupWindows, type WindowKey, windowStatements } from './window-query.ts';

/** Most series of a short read. */
const maxShortSeries = 2000;

/** Whether a healthy InfluxDB answers a read soon (shared/adapters/influx/README.md#time-limits). */
const isShort = (keys: readonly SeriesKey[]): boolean =>
	keys.length <= maxShortSeries && keys.every(({ read }) => read === 'newest');

type NewestKey = Extract<SeriesKey, { readonly read: 'newest' }>;
type PeriodicKey = Exclude<SeriesKey, NewestKey>;

/**
 * Creates `TimeSeries` by InfluxQL. CellReading a database that does not exist fails. A read sends one request, and a second one where numbers of
 * 2^53 and more may be integers (shared/adapters/influxql/README.md#types).
 */
export function createInfluxqlTimeSeries({ place, read }: InfluxqlConnection): TimeSeries {
	return {
		read: async (database, keys, now) => {
			if (keys.length === 0) return [];
			const newest = groupTopics(keys.filter(isNewest), place, streamGroupOf, noNewest);
			const windowKeys = windowKeysOf(keys, now);
			const windows = groupWindows([...windowKeys.values()], place);
			await read(database, { isShort: isShort(keys) }, async (run) => {
				await run([
					...newest.flatMap((group) => newestStatements(group, longestRange(group.keys, now), place, (found) => found)),
					...windows.flatMap((group) => windowStatements(group, place)),
				]);
				await run([
					...newest.flatMap((group) => exactNewestStatements(group, place, (found) => found)),
					...windows.flatMap((group) => exactWindowStatements(group, place)),
				]);
			});
			const [newestByKey, windowsByKey] = [foundByKey(newest), foundByKey(windows)];
			return keys.map((key): SeriesResult => {
				if (isNewest(key)) return newestResultOf(key, newestByKey.get(key), now);
				const windowKey = windowKeys.get(key);
				const found = windowKey === undefined ? undefined : windowsByKey.get(windowKey);
				return windowKey === undefined || found === undefined ? emptySeries : windowedResultOf(key, windowKey, found);
			});
		},
	};
}

const isNewest = (key: SeriesKey): key is NewestKey => key.read === 'newest';

/** Returns the range with the longest lookback of some keys. Each key is judged by its own then. */
function longestRange(keys: readonly NewestKey[], now: number) {
	const ranges = keys.map(({ lookback }) => newestRange(now, lookback));
	return { start: ranges.reduce((first, { start }) => Math.min(first, start), now), stop: now };
}

/** Returns the windows of each key. Those of one lookback and period share their bounds. */
function windowKeysOf(keys: readonly SeriesKey[], now: number): ReadonlyMap<SeriesKey, WindowKey> {
	const grids = new Map<string, readonly number[]>();
	return new Map(
		keys
			.filter((key): key is PeriodicKey => !isNewest(key))
			.map((key) => {
				const { read, topic, field, tags, lookback, period, aggregate } = key;
				const grid = JSON.stringify([read, lookback, period]);
				const bounds = grids.get(grid) ?? boundsOf(key, now);
				grids.set(grid, bounds);
				const series = { topic, field, ...(tags === undefined ? {} : { tags }) };
				return [key, { ...series, bounds, aggregates: [aggregate], isTrailing: read === 'trailing' }] as const;
			}),
	);
}

function boundsOf({ read, lookback, period }: PeriodicKey, now: number): readonly number[] {
	const { starts, stop } = (read === 'history' ? historyWindows : trailingWindows)(now, lookback, period);
	return [...starts, stop];
}

/** Returns the newest sample of all sources. There is no value when two sources have a sample at that instant. */
function newestResultOf(key: NewestKey, found: FoundNewest | undefined, now: number): SeriesResult {
	const { start } = newestRange(now, key.lookback);
	const samples = [...(found?.newest ?? [])].filter(([, { ms }]) => ms >= start);
	const series = newestOf(samples.map(([, sample]) => sample));
	if (key.bySource !== true || samples.length === 0) return series;
	return { ...series, sources: new Map(samples.map(([name, sample]) => [name, newestOf([sample])])) };
}

function newestOf(samples: readonly NewestSample[]): Series {
	const [first, ...others] = samples;
	if (first === undefined) return emptySeries;
	const newest = others.reduce((a, b) => (isNewer(b, a) ? b : a), first);
	const isAlone = samples.filter((sample) => !isNewer(newest, sample)).length === 1;
	const [value, fault] = valueAndFault(newest.value);
	return seriesOfPoints([[newest.ms, value, isAlone ? fault : 'several_series']], newest.ms);
}

function windowedResultOf(key: PeriodicKey, { bounds }: WindowKey, found: FoundWindows): SeriesResult {
	const newestAt = newestTimeOf(found);
	if (newestAt === null) return emptySeries;
	const fault = typeFaultOf(found.types);
	if (fault !== undefined) return { fault };
	const pointsBySource = [...found.sources].map(([name, { columns }]) => {
		const readings = [...(columns.get(key.aggregate) ?? [])];
		return [
			name,
			readings.map(([window, reading]): SeriesPoint => [bounds[window + 1] ?? 0, ...valueAndFault(reading)]),
		] as const;
	});
	const seriesOf = (points: readonly SeriesPoint[]): Series => {
		if (key.read === 'history') return seriesOfPoints(points, newestAt);
		// Each source and each run has its own newest window. Only the newest of them counts.
		const newest = points.reduce((latest, [time]) => Math.max(latest, time), Number.NEGATIVE_INFINITY);
		return seriesOfPoints(
			points.filter(([time]) => time === newest),
			newestAt,
		);
	};
	const series = seriesOf(pointsBySource.flatMap(([, points]) => points));
	if (key.bySource !== true) return series;
	return { ...series, sources: new Map(pointsBySource.map(([name, points]) => [name, seriesOf(points)])) };
}
