import { type InfluxConnection, type InfluxConnectionOptions, openInfluxConnection } from '#adapters/influx/influx-connection.ts';
import { createInfluxSampleReader } from '#adapters/influx/influx-sample-reader.ts';
import { createInfluxSpanReader } from '#adapters/influx/influx-span-reader.ts';
import { createInfluxTimeSeries } from '#adapters/influx/influx-time-series.ts';
import { createInfluxTopicCatalog } from '#adapters/influx/influx-topic-catalog.ts';
import { type InfluxqlConnection, openInfluxqlConnection } from '#adapters/influxql/influxql-connection.ts';
import { createInfluxqlSampleReader } from '#adapters/influxql/influxql-sample-reader.ts';
import { createInfluxqlSpanReader } from '#adapters/influxql/influxql-span-reader.ts';
import { createInfluxqlTimeSeries } from '#adapters/influxql/influxql-time-series.ts';
import { createInfluxqlTopicCatalog } from '#adapters/influxql/influxql-topic-catalog.ts';
import { tokenFor } from '#adapters/token-by-address.ts';
import { DomainError } from '#domain/errors.ts';
import type { SampleReader } from '#domain/ports/sample-reader.ts';
import type { SpanReader } from '#domain/ports/span-reader.ts';
import type { TimeSeries } from '#domain/ports/time-series.ts';
import type { TopicCatalog } from '#domain/ports/topic-catalog.ts';
import { type InfluxAddresses, isPrefix } from '#shared/config.ts';

/*
 * The one door to the engines that hold the series. Nothing else but their own folders, their settings and their tests names them. Each reader
 * has a function of its own, so that the bundle of a Lambda function holds only those that it calls.
 */

/** An engine that is open, in the language of the settings. */
type Engine = { close(): void } & (
	| { readonly language: 'flux'; readonly connection: InfluxConnection }
	| { readonly language: 'influxql'; readonly connection: InfluxqlConnection }
);

/** The engines that hold the databases. Each database is in one of them. */
export interface Engines {
	readonly addresses: InfluxAddresses;
	readonly byAddress: ReadonlyMap<string, Engine>;
	/** Closes the connections of all. */
	close(): void;
}

/** Where the engines are, how they are asked, and the limits of their reads. */
export interface EnginesOptions extends Omit<InfluxConnectionOptions, 'org' | 'url'> {
	readonly addresses: InfluxAddresses;
	readonly language: Engine['language'];
	/** The organization of the buckets; only Flux needs it. */
	readonly org: string | undefined;
	/** The user whose password is the secret; only InfluxQL has one. */
	readonly user: string;
}

/**
 * Opens an engine for each address. Each connects with its first query, and has a breaker of its own.
 * @param options `token`: the token of all servers, or JSON with one for each address
 */
export function openEngines({ addresses, ...options }: EnginesOptions): Engines {
	const urls = [...new Set(Object.values(addresses))];
	const byAddress = new Map(urls.map((url) => [url, openEngine(url, options)]));
	return {
		addresses,
		byAddress,
		close: () => {
			for (const engine of byAddress.values()) engine.close();
		},
	};
}

function openEngine(url: string, { language, org = '', user, token, ...limits }: Omit<EnginesOptions, 'addresses'>): Engine {
	const options = { ...limits, url, token: tokenFor(token, url) };
	if (language === 'flux') {
		const connection = openInfluxConnection({ ...options, org });
		return { language, connection, close: connection.close };
	}
	const connection = openInfluxqlConnection({ ...options, user });
	return { language, connection, close: connection.close };
}

/** Returns the address of the server that holds a database: that of the longest entry that takes it. Undefined where no entry does. */
export function addressFor(addresses: InfluxAddresses, database: string): string | undefined {
	const entries = Object.keys(addresses).filter((entry) =>
		isPrefix(entry) ? database.startsWith(entry) : database === entry || database.startsWith(`${entry}/`),
	);
	return addresses[entries.reduce((longest, entry) => (entry.length > longest.length ? entry : longest), '')];
}

/** Opens a reader on each engine. Returns what finds the reader of a database, and throws DomainError where the database has no engine. */
function readersOn<Reader>({ addresses, byAddress }: Engines, open: (engine: Engine) => Reader): (database: string) => Reader {
	const readers = new Map([...byAddress].map(([address, engine]) => [address, open(engine)]));
	return (database) => {
		const reader = readers.get(addressFor(addresses, database) ?? '');
		if (reader !== undefined) return reader;
		const cause = 'no entry of influxUrl takes this database';
		throw new DomainError('dependency_failed', {
			dependency: 'tsdb',
			cause,
			remedy: 'tell the operator that influxUrl lacks it',
		});
	};
}

/** Reads the newest values and the windows of many series. */
export function timeSeriesOn(engines: Engines): TimeSeries {
	const of = readersOn(engines, (engine) =>
		engine.language === 'flux' ? createInfluxTimeSeries(engine.connection) : createInfluxqlTimeSeries(engine.connection),
	);
	return { read: async (database, ...read) => of(database).read(database, ...read) };
}

/** Reads aggregates of one range. */
export function spansOn(engines: Engines): SpanReader {
	const of = readersOn(engines, (engine) =>
		engine.language === 'flux' ? createInfluxSpanReader(engine.connection) : createInfluxqlSpanReader(engine.connection),
	);
	return { readSpans: async (database, keys) => of(database).readSpans(database, keys) };
}

/** Reads samples in the order of their times. */
export function samplesOn(engines: Engines): SampleReader {
	const of = readersOn(engines, (engine) =>
		engine.language === 'flux' ? createInfluxSampleReader(engine.connection) : createInfluxqlSampleReader(engine.connection),
	);
	return {
		countSamples: async (database, keys) => of(database).countSamples(database, keys),
		maxSamples: (database) => of(database).maxSamples?.(database) ?? Number.POSITIVE_INFINITY,
		readSamples: async (database, keys) => of(database).readSamples(database, keys),
	};
}

/** Lists topics and fields. */
export function topicsOn(engines: Engines): TopicCatalog {
	const of = readersOn(engines, (engine) =>
		engine.language === 'flux' ? createInfluxTopicCatalog(engine.connection) : createInfluxqlTopicCatalog(engine.connection),
	);
	return {
		topics: async (database, now) => of(database).topics(database, now),
		newest: async (database, ...read) => of(database).newest(database, ...read),
		newestTimes: async (database, ...read) => of(database).newestTimes(database, ...read),
	};
}
