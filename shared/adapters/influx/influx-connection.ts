import type { QueryDialect } from '../influx-common/query-client.ts';
import { type ExpectedRead, openServerReads, type ServerReadsOptions } from '../influx-common/server-reads.ts';
import type { TopicPlace } from '../influx-common/topic-place.ts';
import { type Collected, type Collector, createCollector, isTypeMessage } from './collect.ts';
import type { FluxQuery } from './flux-script.ts';
import { createKnownTypes, type KnownTypes } from './known-types.ts';

/** The InfluxDB 2 server to read, and the options of reads. */
export interface InfluxConnectionOptions extends ServerReadsOptions, TopicPlace {
	/** The organization that holds the buckets. */
	readonly org: string;
	/** Milliseconds since any origin, for the age of known types. */
	readonly clock?: () => number;
}

/** Sends one script and reads its response. @throws QueryError */
export type RunQuery = (query: FluxQuery) => Promise<Collected>;

/** Sends the text of one script. The collector that `newCollector` creates reads the response. @throws QueryError */
export type SendScript = <Result>(text: string, newCollector: () => Collector<Result>) => Promise<Result>;

/** One InfluxDB with what is known about the types of its series. */
export interface InfluxConnection {
	readonly place: TopicPlace;
	readonly types: KnownTypes;
	/** Runs one read, as `ServerReads.read`. @throws DomainError as that does */
	read<Result>(
		database: string,
		expected: ExpectedRead,
		work: (run: RunQuery, send: SendScript) => Promise<Result>,
	): Promise<Result>;
	/** Closes the connections. */
	close(): void;
}

/** Opens a connection. It connects with the first query. */
export function openInfluxConnection(options: InfluxConnectionOptions): InfluxConnection {
	const { topicColumn, measurement, clock = () => performance.now() } = options;
	const server = openServerReads(options);
	const dialect = fluxDialect(options.org);
	return {
		place: { topicColumn, measurement },
		types: createKnownTypes(clock),
		read: (database, expected, work) =>
			server.read(database, expected, (sendBody) => {
				const send: SendScript = (text, newCollector) => sendBody(dialect, bodyOf(text), () => readingText(newCollector()));
				return work((query) => send(query.text, () => createCollector(query, topicColumn)), send);
			}),
		close: server.close,
	};
}

/** Returns how Flux is spoken. Exported for tests. @param org the organization that holds the buckets */
export function fluxDialect(org: string): QueryDialect {
	return {
		path: `/api/v2/query?org=${encodeURIComponent(org)}`,
		headers: { 'content-type': 'application/json; charset=utf-8' },
		answerType: /^(text|application)\/csv\b/,
		authorizationOf: (token) => `Token ${token}`,
		isTypeMessage,
	};
}

const csvDialect = { header: true, delimiter: ',', commentPrefix: '#', annotations: ['datatype', 'default'] };

const bodyOf = (flux: string): string => JSON.stringify({ query: flux, type: 'flux', dialect: csvDialect });

/** Passes the text of a response to its reader. */
function readingText<Result>(collector: Collector<Result>) {
	const decoder = new TextDecoder();
	return {
		push: (chunk: Uint8Array) => collector.push(decoder.decode(chunk, { stream: true })),
		finish: (): Result => {
			collector.push(decoder.decode());
			return collector.finish();
		},
	};
}
