import { emptySeries, type SeriesKey, type SeriesResult, type TimeSeries } from '#domain/ports/time-series.ts';
import type { Collected } from './collect.ts';
import { fluxQueryOf, type ResultRole } from './flux-query.ts';
import type { InfluxConnection, RunQuery } from './influx-connection.ts';
import { QueryError } from './query-client.ts';
import { knownTypeOf, seriesOf } from './series.ts';
import { planStreams, type TypeOf } from './streams.ts';

/** The results of one request by position, and the positions to read again, because their type was wrong. */
interface BatchResult {
	readonly results: SeriesResult[];
	readonly misread: readonly number[];
}

/** Reads every series in a way that is right for any mixture of types. */
const conservative: TypeOf = () => 'conservative';

/**
 * Creates `TimeSeries` in InfluxDB 2. A database is a bucket; reading one that does not exist fails. A read sends one request for the
 * whole batch, and at most two more when the types of series changed within the last minutes: when the server refused the request
 * because of types, and when it made a mean of integers as if they were floats.
 */
export function createInfluxTimeSeries({ place, types, read }: InfluxConnection): TimeSeries {
	const readAll = async (database: string, keys: readonly SeriesKey[], now: number, run: RunQuery) => {
		const request = async (requested: readonly SeriesKey[], typeOf: TypeOf): Promise<BatchResult> => {
			const streams = planStreams(requested, now, typeOf);
			const query = fluxQueryOf(database, streams, place);
			const collected: Collected = streams.length === 0 ? new Map() : await run(query);
			const results: SeriesResult[] = requested.map(() => emptySeries);
			const misread: number[] = [];
			for (const [index, stream] of streams.entries())
				for (const [field, topics] of stream.fields)
					for (const [topic, positions] of topics) {
						const rowsOf = (role: ResultRole) => collected.get(`${role}${index}`)?.get(field)?.get(topic);
						const rows = { data: rowsOf('data'), last: rowsOf('last'), first: rowsOf('first') };
						const key: SeriesKey = { ...stream.key, topic, field };
						const type = knownTypeOf(key, rows);
						if (type !== undefined) types.record(database, key, type);
						const result = seriesOf(key, rows);
						for (const position of positions) results[position] = result;
						if (stream.shape === 'pushed' && type !== undefined && type !== 'float' && !('fault' in result))
							misread.push(...positions);
					}
			return { results, misread };
		};

		const { results, misread } = await request(keys, (key) => types.get(database, key)).catch((error: unknown) => {
			if (error instanceof QueryError && error.kind === 'types') return request(keys, conservative);
			throw error;
		});
		if (misread.length === 0) return results;
		const again = await request(
			misread.flatMap((position) => keys[position] ?? []),
			conservative,
		);
		for (const [index, position] of misread.entries()) results[position] = again.results[index] ?? emptySeries;
		return results;
	};

	return {
		read: async (database, keys, now) => (keys.length === 0 ? [] : read((run) => readAll(database, keys, now, run))),
	};
}
