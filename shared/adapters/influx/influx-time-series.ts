import { DomainError } from '#domain/errors.ts';
import { emptySeries, type SeriesKey, type SeriesResult, type TimeSeries } from '#domain/ports/time-series.ts';
import { type Collected, createCollector } from './collect.ts';
import { fluxQueryOf, type ResultRole, type TopicPlace } from './flux-query.ts';
import { createKnownTypes } from './known-types.ts';
import { createQueryClient, type QueryClientOptions, QueryError } from './query-client.ts';
import { knownTypeOf, seriesOf } from './series.ts';
import { planStreams, type TypeOf } from './streams.ts';

/** The InfluxDB 2 to read, and how it is read. */
export interface InfluxTimeSeriesOptions extends QueryClientOptions, TopicPlace {
	/** The time of one read with all its requests; default 8 s, less than the time limit of a function. */
	readonly deadlineMs?: number;
	/** Returns how long the caller may still wait; by default without limit. */
	readonly timeLeftMs?: () => number;
	/** Milliseconds since any origin, for the age of known types. */
	readonly clock?: () => number;
}

/** `TimeSeries` in InfluxDB 2. A database is a bucket; reading one that does not exist fails. */
export interface InfluxTimeSeries extends TimeSeries {
	/** Closes the connections. */
	close(): void;
}

/** The results of one request by position, and the positions to read again, because their type was wrong. */
interface BatchResult {
	readonly results: SeriesResult[];
	readonly misread: readonly number[];
}

/** Reads every series in a way that is right for any mixture of types. */
const conservative: TypeOf = () => 'conservative';

/**
 * Creates the adapter. A read sends one request for the whole batch, and at most two more when the types of series changed within
 * the last minutes: when the server refused the request because of types, and when it made a mean of integers as if they were floats.
 */
export function createInfluxTimeSeries(options: InfluxTimeSeriesOptions): InfluxTimeSeries {
	const { topicColumn, deadlineMs = 8000, timeLeftMs = () => deadlineMs, clock = () => performance.now() } = options;
	const client = createQueryClient(options);
	const types = createKnownTypes(clock);

	const readAll = async (database: string, keys: readonly SeriesKey[], now: number, deadline: AbortSignal) => {
		const request = async (requested: readonly SeriesKey[], typeOf: TypeOf): Promise<BatchResult> => {
			const streams = planStreams(requested, now, typeOf);
			const query = fluxQueryOf(database, streams, options);
			const collected: Collected =
				streams.length === 0 ? new Map() : await client.query(query.text, () => createCollector(query, topicColumn), deadline);
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
		read: async (database, keys, now) => {
			if (keys.length === 0) return [];
			const deadline = new AbortController();
			const timer = setTimeout(() => deadline.abort(), Math.min(deadlineMs, timeLeftMs()));
			try {
				return await readAll(database, keys, now, deadline.signal);
			} catch (error) {
				if (!(error instanceof QueryError)) throw error;
				const code = error.kind === 'slow' ? 'dependency_slow' : 'dependency_failed';
				throw new DomainError(code, { dependency: 'tsdb', cause: error.message }, { cause: error });
			} finally {
				clearTimeout(timer);
			}
		},
		close: client.close,
	};
}
