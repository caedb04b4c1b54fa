import { DomainError } from '#domain/errors.ts';
import { emptySeries, type SeriesKey, type SeriesResult, type TimeSeries } from '#domain/ports/time-series.ts';
import type { Secret } from '../secret.ts';
import { type Collected, createCollector } from './collect.ts';
import { fluxQueryOf, type ResultRole, type TopicPlace } from './flux-query.ts';
import { createKnownTypes } from './known-types.ts';
import { createQueryClient, QueryError } from './query-client.ts';
import { knownTypeOf, type SeriesRows, seriesOf } from './series.ts';
import { planStreams } from './streams.ts';

/** Which InfluxDB 2, and how it is read. */
export interface InfluxTimeSeriesOptions extends TopicPlace {
	readonly url: string;
	readonly token: Secret;
	readonly org: string;
	/** Whether answers are asked for compressed; default: yes. Over a loopback it costs more than it saves. */
	readonly gzip?: boolean;
	/** How long one read may take, whatever it needs; default 8 s, less than a function has. */
	readonly deadlineMs?: number;
	/** Longest answer that is read, uncompressed; default 64 MB. */
	readonly maxAnswerBytes?: number;
	/** Milliseconds of whatever origin, for what is remembered of types. */
	readonly clock?: () => number;
}

/** `TimeSeries` in InfluxDB 2: a database is a bucket, and one that does not exist is a fault. */
export interface InfluxTimeSeries extends TimeSeries {
	/** Closes the connections. */
	close(): void;
}

const defaultDeadlineMs = 8000;

const defaultMaxAnswerBytes = 64_000_000;

/** How long a series' type is relied on, and of how many. */
const typesForMs = 300_000;

const maxTypes = 20_000;

/** What is to be read again, in which way: `careful` is right for series of any types, and for all of them together. */
type Known = Parameters<typeof planStreams>[2];

/** One request's outcome: a result for each position that it read, and those whose mean was not read as their type needs. */
interface Outcome {
	readonly results: ReadonlyMap<number, SeriesResult>;
	readonly again: readonly number[];
}

/**
 * Reads any batch in one request. Only where types are not what they were within the last minutes, at most two more: the server
 * refused the request for them, or read the mean of integers as if they were floats. The first one after the token was changed is
 * sent twice.
 */
export function createInfluxTimeSeries(options: InfluxTimeSeriesOptions): InfluxTimeSeries {
	const { topicColumn, deadlineMs = defaultDeadlineMs, clock = () => performance.now() } = options;
	const exchange = createQueryClient({
		...options,
		gzip: options.gzip ?? true,
		maxAnswerBytes: options.maxAnswerBytes ?? defaultMaxAnswerBytes,
	});
	const types = createKnownTypes({ clock, forMs: typesForMs, max: maxTypes });

	const request = async (
		database: string,
		keys: readonly SeriesKey[],
		now: number,
		known: Known,
		signal: AbortSignal,
	): Promise<Outcome> => {
		const streams = planStreams(keys, now, known);
		const script = fluxQueryOf(database, streams, options);
		const collected: Collected =
			streams.length === 0 ? new Map() : await exchange.query(script.text, () => createCollector(script, topicColumn), signal);
		const results = new Map<number, SeriesResult>();
		const again: number[] = [];
		for (const [index, stream] of streams.entries())
			for (const [field, topics] of stream.fields)
				for (const [topic, positions] of topics) {
					const rowsOf = (role: ResultRole) => collected.get(`${role}${index}`)?.get(field)?.get(topic);
					const rows: SeriesRows = { data: rowsOf('data'), last: rowsOf('last'), first: rowsOf('first') };
					const key: SeriesKey = { ...stream.key, topic, field };
					const type = knownTypeOf(key, rows);
					if (type !== undefined) types.learn(database, key, type);
					const result = seriesOf(key, rows);
					for (const position of positions) {
						results.set(position, result);
						if (stream.shape === 'pushed' && type !== undefined && type !== 'float' && !('fault' in result)) again.push(position);
					}
				}
		return { results, again };
	};

	const readAll = async (
		database: string,
		keys: readonly SeriesKey[],
		now: number,
		signal: AbortSignal,
	): Promise<readonly SeriesResult[]> => {
		const remembered: Known = (key) => types.get(database, key);
		let outcome: Outcome;
		try {
			outcome = await request(database, keys, now, remembered, signal);
		} catch (error) {
			if (!(error instanceof QueryError) || error.kind !== 'types') throw error;
			outcome = await request(database, keys, now, () => 'careful', signal);
		}
		const { results, again } = outcome;
		const rest = again.flatMap((position) => keys[position] ?? []);
		const more = rest.length === 0 ? undefined : await request(database, rest, now, () => 'careful', signal);
		return keys.map((_, position) => more?.results.get(again.indexOf(position)) ?? results.get(position) ?? emptySeries);
	};

	return {
		read: async (database, keys, now) => {
			if (keys.length === 0) return [];
			const deadline = new AbortController();
			const timer = setTimeout(() => deadline.abort(), deadlineMs);
			try {
				return await readAll(database, keys, now, deadline.signal);
			} catch (error) {
				throw error instanceof QueryError ? domainError(error) : error;
			} finally {
				clearTimeout(timer);
			}
		},
		close: exchange.close,
	};
}

const domainError = (error: QueryError): DomainError =>
	new DomainError(
		error.kind === 'slow' ? 'dependency_slow' : 'dependency_failed',
		{ dependency: 'tsdb', cause: error.message },
		{ cause: error },
	);
