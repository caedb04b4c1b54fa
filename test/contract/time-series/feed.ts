import type { Series, SeriesKey, SeriesResult, TimeSeries } from '#domain/ports/time-series.ts';
import type { Duration } from '#domain/variable/duration.ts';

/** The databases that an adapter under test reads, and how to write samples to them. */
export interface OpenSamples {
	/** Writes line protocol (nanoseconds) to a database, which is created when it does not exist. */
	readonly write: (database: string, lineProtocol: string) => Promise<void>;
	readonly close: () => Promise<void>;
}

/** An adapter of `TimeSeries` under test. */
export interface OpenTimeSeries extends OpenSamples {
	readonly timeSeries: TimeSeries;
}

/** The tag that holds the topic, and the measurement. */
export interface TopicTag {
	readonly key: string;
	readonly measurement: string;
}

/** A sample in line protocol: the value with its type's suffix, and the tags other than the topic's. */
export type SampleText = readonly [timeNs: bigint, value: string, tags?: string];

export const minute: Duration = { ms: 60_000 };
export const hour: Duration = { ms: 3_600_000 };
export const day: Duration = { ms: 86_400_000 };
export const days = (count: number): Duration => ({ ms: count * day.ms });
export const months = (count: number): Duration => ({ ms: count * 31 * day.ms, months: count });
export const years = (count: number): Duration => ({ ms: count * 366 * day.ms, months: count * 12 });

export const at = (iso: string): number => new Date(iso).getTime();
/** Converts a time (ISO-8601 or epoch milliseconds) to nanoseconds. */
export const ns = (time: string | number, extraNs = 0n): bigint =>
	BigInt(typeof time === 'string' ? at(time) : time) * 1_000_000n + extraNs;

/** The time of the reads in examples. */
export const noon = at('2024-03-15T12:00:00Z');

/** The databases that tests write to. */
export const databaseA = 'contract_a';
export const databaseB = 'contract_b';

const windows =
	(read: 'history' | 'trailing') =>
	(topic: string, lookback: Duration, period: Duration, aggregate: 'last' | 'mean' = 'mean'): SeriesKey => ({
		read,
		topic,
		field: 'value',
		lookback,
		period,
		aggregate,
	});
export const newest = (topic: string, lookback = hour): SeriesKey => ({ read: 'newest', topic, field: 'value', lookback });
export const history = windows('history');
export const trailing = windows('trailing');

/** Converts a result to a readable form: each point with its value or its fault. */
export const readable = (result: SeriesResult | undefined) => {
	if (result === undefined || 'fault' in result) return result;
	const { times, values, faults, newestAt }: Series = result;
	const points = times.map((time, index) => [new Date(time).toISOString(), faults.get(index) ?? values[index]]);
	return { points, newestAt: newestAt === null ? null : new Date(newestAt).toISOString() };
};
/** The readable form of a result without samples. */
export const nothing = { points: [], newestAt: null };

const escapeTag = (text: string): string => text.replace(/[,= ]/g, '\\$&');

/** Creates the functions that name topics and write samples. */
export const sampleWriter = (opened: () => OpenSamples, topicTag?: TopicTag) => {
	let topics = 0;
	const headOf = (topic: string): string =>
		topicTag === undefined
			? topic.replace(/[, ]/g, '\\$&')
			: `${topicTag.measurement},${escapeTag(topicTag.key)}=${escapeTag(topic)}`;
	return {
		/** Returns a topic that no other test writes. */
		newTopic: (): string => {
			topics += 1;
			return `plant/${topics}`;
		},
		write: (topic: string, samples: readonly SampleText[], database = databaseA, field = 'value'): Promise<void> => {
			const lines = samples.map(
				([timeNs, value, tags]) =>
					`${headOf(topic)}${tags === undefined ? '' : `,${tags}`} ${escapeTag(field)}=${value} ${timeNs}`,
			);
			return opened().write(database, lines.join('\n'));
		},
	};
};

/** Wraps an adapter for the tests. `opened` is called when a test runs, because the adapter opens after the tests are defined. */
export const feed = (opened: () => OpenTimeSeries, topicTag?: TopicTag) => ({
	...sampleWriter(opened, topicTag),
	read: (keys: readonly SeriesKey[], now = noon, database = databaseA) => opened().timeSeries.read(database, keys, now),
	/** Reads one series in the readable form. */
	readOne: async (key: SeriesKey, now = noon, database = databaseA) =>
		readable((await opened().timeSeries.read(database, [key], now))[0]),
});
/** Writes samples and reads series in the tests. */
export type Feed = ReturnType<typeof feed>;

/** Names of topics and fields with characters that queries and line protocol give a meaning. */
export const unusualNames = [
	'a b',
	'a,b=c',
	'"quoted"',
	"it's; DROP TABLE sample; --",
	'%_*?[a]',
	'back\\slash',
	'$"{x}',
	'$${x}',
	'\u0024{x}',
	'cañería/válvula 💧',
	'__proto__',
	'constructor',
	'tab\tbell\u0007',
	// A backslash before a newline makes it part of a name, and stays there.
	'two\\\nlines',
	'\\\n\\\n"x"',
];
