import { emptySeries, type SeriesKey, type SeriesResult, type TimeSeries } from '#domain/ports/time-series.ts';
import { typeFaultOf } from '../series-points.ts';
import type { Collected } from './collect.ts';
import { fluxQueryOf, type ResultRole } from './flux-query.ts';
import type { InfluxConnection, RunQuery } from './influx-connection.ts';
import type { KnownType } from './known-types.ts';
import { type Samples, sourcesIn } from './samples.ts';
import { knownTypeOf, seriesResultOf, typesOf } from './series.ts';
import { seriesIn } from './series-groups.ts';
import { joinedWindows } from './shard-pieces.ts';
import { planStreams, type Stream } from './streams.ts';
import { readTyped, type TypeAt, type TypedBatch } from './typed-read.ts';

/** Most series of a short read. Measured: a healthy server takes 1.4 s for 10,000 newest values. */
const maxShortSeries = 2000;

/** Whether a healthy InfluxDB answers a read soon (shared/adapters/influx/README.md#time-limits). */
const isShort = (keys: readonly SeriesKey[]): boolean =>
	keys.length <= maxShortSeries && keys.every(({ read }) => read === 'newest');

/**
 * Creates `TimeSeries` in InfluxDB 2. A database is a bucket; reading one that does not exist fails. A read sends one request where all
 * means are of floats or of known types, and at most 3 (shared/adapters/influx/README.md#types).
 */
export function createInfluxTimeSeries({ place, types, read }: InfluxConnection): TimeSeries {
	const request = async (
		database: string,
		keys: readonly SeriesKey[],
		now: number,
		typeAt: TypeAt,
		run: RunQuery,
	): Promise<TypedBatch<SeriesResult>> => {
		const streams = planStreams(keys, now, typeAt);
		const query = fluxQueryOf(database, streams, place);
		const collected: Collected = streams.length === 0 ? new Map() : await run(query);
		const results: SeriesResult[] = keys.map(() => emptySeries);
		// The positions of the keys whose means were read as a wrong type, each with the right type for the next read.
		const misread = new Map<number, KnownType>();
		for (const { stream, index, series, field, name, positions } of seriesIn(streams)) {
			const rowsOf = (role: ResultRole) => collected.get(`${role}${index}`)?.get(field)?.get(name);
			const data = windowsIn(stream, rowsOf('data'), rowsOf('count'));
			const rows = { data, newest: rowsOf('newest'), oldest: rowsOf('oldest') };
			const type = knownTypeOf(stream.key, rows);
			if (type === undefined) continue;
			types.record(database, series, type);
			const hasSeveral = stream.key.bySource === true && sourcesIn(rows.newest).size > 1;
			if (hasSeveral) types.recordSeveral(database, series);
			const isOfSeveral = hasSeveral && !stream.keepTags;
			const isMisread = isOfSeveral || needsRead(stream, type, typesOf(stream.key, rows));
			// Several sources are told apart by their tags, which are kept where types are mixed.
			for (const position of positions)
				if (isMisread) misread.set(position, isOfSeveral ? 'mixed' : type);
				else results[position] = seriesResultOf(keys[position] ?? stream.key, rows, now);
		}
		return { results, misread };
	};
	return {
		read: async (database, keys, now) => {
			if (keys.length === 0) return [];
			// As after a read that showed several sources: their tags are kept.
			const typeOf = (key: SeriesKey) =>
				key.bySource === true && types.hasSeveral(database, key) ? 'mixed' : types.get(database, key);
			return read(database, { isShort: isShort(keys) }, (run) =>
				readTyped(keys, typeOf, 'text', (requested, typeAt) => request(database, requested, now, typeAt, run)),
			);
		},
	};
}

/** Returns the windows of a series, joined from their pieces where they were read day by day. */
function windowsIn({ key, shape, bounds }: Stream, data: Samples | undefined, counts: Samples | undefined): Samples | undefined {
	return shape === 'days' && key.read !== 'newest' ? joinedWindows(bounds, key.aggregate, data, counts) : data;
}

/**
 * Whether a series has to be read again, because its type was not known yet. Its means were then not read, or read as means of floats, or
 * the windows of only one type of numbers were read. Types that are a fault have nothing to read again.
 */
function needsRead({ key, shape }: Stream, type: KnownType, bits: number): boolean {
	if (shape === 'days' || typeFaultOf(bits) !== undefined) return false;
	if (type === 'mixed') return key.read !== 'newest';
	return shape === 'types' || (shape === 'pushed' && type !== 'float');
}
