import { emptySeries, type Series, type SeriesKey, type SeriesResult, type TimeSeries } from '#domain/ports/time-series.ts';
import type { SeriesReader } from '#domain/reading/shared-reads.ts';

/** A point of a series: `[time, value]` or `[time, fault]`. */
export type SeriesPoint = readonly [time: number, value: number | 'not_numeric' | 'several_series' | 'precision'];

/** Makes a series from its points. */
export function makeSeries(points: readonly SeriesPoint[], newestAt: number | null = points.at(-1)?.[0] ?? null): Series {
	return {
		times: points.map(([time]) => time),
		values: points.map(([, value]) => (typeof value === 'number' ? value : null)),
		faults: new Map(points.flatMap(([, value], index) => (typeof value === 'string' ? [[index, value] as const] : []))),
		newestAt,
	};
}

/** Time series without samples. */
export const noSamples: TimeSeries = { read: async (_, keys) => keys.map(() => emptySeries) };

/** Makes a `SeriesReader` that returns the result of the key's topic, and records its calls. */
export function makeTimeSeries(byTopic: ReadonlyMap<string, SeriesResult>) {
	const calls: { database: string; keys: readonly SeriesKey[]; now: number }[] = [];
	const timeSeries: SeriesReader = {
		read: async (database, keys, now) => {
			calls.push({ database, keys, now });
			return { now, results: keys.map(({ topic }) => byTopic.get(topic) ?? emptySeries) };
		},
	};
	return { timeSeries, calls };
}
