import { DomainError } from '#domain/errors.ts';
import { type Collected, createCollector } from './collect.ts';
import type { FluxQuery, TopicPlace } from './flux-script.ts';
import { createKnownTypes, type KnownTypes } from './known-types.ts';
import { createQueryClient, type QueryClientOptions, QueryError } from './query-client.ts';

/** The InfluxDB 2 to read, and how it is read. */
export interface InfluxConnectionOptions extends QueryClientOptions, TopicPlace {
	/** The time of one read with all its requests; default 8 s, less than the time limit of a function. */
	readonly deadlineMs?: number;
	/** Returns how long the caller may still wait; by default without limit. */
	readonly timeLeftMs?: () => number;
	/** Milliseconds since any origin, for the age of known types. */
	readonly clock?: () => number;
}

/** Sends one script and reads its response. @throws QueryError */
export type RunQuery = (query: FluxQuery) => Promise<Collected>;

/** One InfluxDB with what is known about the types of its series. */
export interface InfluxConnection {
	readonly place: TopicPlace;
	readonly types: KnownTypes;
	/**
	 * Does one read, whose requests share its deadline.
	 * @throws DomainError `dependency_failed` or `dependency_slow` for a QueryError that the read does not handle
	 */
	read<Result>(work: (run: RunQuery) => Promise<Result>): Promise<Result>;
	/** Closes the connections. */
	close(): void;
}

/** Opens a connection. It connects with the first query. */
export function openInfluxConnection(options: InfluxConnectionOptions): InfluxConnection {
	const { topicColumn, measurement, deadlineMs = 8000, timeLeftMs = () => deadlineMs, clock = () => performance.now() } = options;
	const client = createQueryClient(options);
	return {
		place: { topicColumn, measurement },
		types: createKnownTypes(clock),
		read: async (work) => {
			const deadline = new AbortController();
			const timer = setTimeout(() => deadline.abort(), Math.min(deadlineMs, timeLeftMs()));
			try {
				return await work((query) => client.query(query.text, () => createCollector(query, topicColumn), deadline.signal));
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
