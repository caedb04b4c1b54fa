import { emptySeries, type Series, type SeriesKey, type SeriesResult, type TimeSeries } from '#domain/ports/time-series.ts';

/** Points given by a test: `[time, value]`, or `[time, fault]`. */
export type GivenPoint = readonly [time: number, value: number | 'not_numeric' | 'several_series' | 'precision'];

/** A series as an adapter would have read it. */
export const makeSeries = (points: readonly GivenPoint[], newestAt: number | null = points.at(-1)?.[0] ?? null): Series => ({
	times: points.map(([time]) => time),
	values: points.map(([, value]) => (typeof value === 'number' ? value : null)),
	faults: new Map(points.flatMap(([, value], index) => (typeof value === 'string' ? [[index, value] as const] : []))),
	newestAt,
});

/** A `TimeSeries` that answers by topic, and remembers what it was asked. */
export const makeTimeSeries = (byTopic: ReadonlyMap<string, SeriesResult>) => {
	const asked: { database: string; keys: readonly SeriesKey[]; now: number }[] = [];
	const timeSeries: TimeSeries = {
		read: async (database, keys, now) => {
			asked.push({ database, keys, now });
			return keys.map(({ topic }) => byTopic.get(topic) ?? emptySeries);
		},
	};
	return { timeSeries, asked };
};
