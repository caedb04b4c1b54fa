import type { Series, SeriesKey, SeriesResult, TimeSeries } from '#domain/ports/time-series.ts';
import type { Duration } from '#domain/variable/duration.ts';

/** An adapter under test, with a way in for samples. */
export interface OpenTimeSeries {
	readonly timeSeries: TimeSeries;
	/** Stores line protocol (nanoseconds) in a database, which is made where it does not exist. */
	readonly write: (database: string, lineProtocol: string) => Promise<void>;
	readonly close: () => Promise<void>;
}

/** Which tag carries the topic, and the measurement read. */
export interface TopicTag {
	readonly key: string;
	readonly measurement: string;
}

/** A sample as line protocol has it: the value with its type's suffix, the tags beside the topic's. */
export type SampleText = readonly [timeNs: bigint, value: string, tags?: string];

export const minute: Duration = { ms: 60_000 };
export const hour: Duration = { ms: 3_600_000 };
export const day: Duration = { ms: 86_400_000 };
export const days = (count: number): Duration => ({ ms: count * day.ms });
export const months = (count: number): Duration => ({ ms: count * 31 * day.ms, months: count });
export const years = (count: number): Duration => ({ ms: count * 366 * day.ms, months: count * 12 });

export const at = (iso: string): number => new Date(iso).getTime();
/** A time, ISO-8601 or epoch milliseconds, in nanoseconds. */
export const ns = (time: string | number, extraNs = 0n): bigint =>
	BigInt(typeof time === 'string' ? at(time) : time) * 1_000_000n + extraNs;

/** The moment that the examples read at. */
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

/** An answer in a form that can be compared and read: each point with its value or its fault. */
export const shown = (result: SeriesResult | undefined) => {
	if (result === undefined || 'fault' in result) return result;
	const { times, values, faults, newestAt }: Series = result;
	const points = times.map((time, index) => [new Date(time).toISOString(), faults.get(index) ?? values[index]]);
	return { points, newestAt: newestAt === null ? null : new Date(newestAt).toISOString() };
};
/** The form of an answer without samples. */
export const nothing = { points: [], newestAt: null };

const escapeTag = (text: string): string => text.replace(/[,= ]/g, '\\$&');

/** The adapter as the tests use it. `opened` is asked for late: it is there once the suite runs. */
export const feed = (opened: () => OpenTimeSeries, topicTag?: TopicTag) => {
	let topics = 0;
	const headOf = (topic: string): string =>
		topicTag === undefined
			? topic.replace(/[, ]/g, '\\$&')
			: `${topicTag.measurement},${escapeTag(topicTag.key)}=${escapeTag(topic)}`;
	return {
		/** A topic that no other test writes. */
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
		read: (keys: readonly SeriesKey[], now = noon, database = databaseA) => opened().timeSeries.read(database, keys, now),
		/** Reads one series, in the form of `shown`. */
		readOne: async (key: SeriesKey, now = noon, database = databaseA) =>
			shown((await opened().timeSeries.read(database, [key], now))[0]),
	};
};
export type Feed = ReturnType<typeof feed>;
