import { emptySeries, type PointFault, type SeriesKey, type SeriesResult, type TimeSeries } from '#domain/ports/time-series.ts';
import { makeSeries, type SeriesPoint } from './fake-time-series.ts';

/** A sample: its time in epoch milliseconds, and its value or the fault that it is read with. */
export type FedSample = readonly [time: number, value: number | PointFault];

/**
 * Makes a `TimeSeries` of samples by topic, each list in ascending order. It reads newest samples, and histories of the last sample of
 * fixed periods, as the port says. Samples may be added later.
 */
export function makeSampledTimeSeries(samples: ReadonlyMap<string, readonly FedSample[]>) {
	const calls: { database: string; keys: readonly SeriesKey[]; now: number }[] = [];
	const timeSeries: TimeSeries = {
		read: async (database, keys, now) => {
			calls.push({ database, keys, now });
			return keys.map((key) => readKey(samples.get(key.topic) ?? [], key, now));
		},
	};
	return { timeSeries, calls };
}

function readKey(samples: readonly FedSample[], key: SeriesKey, now: number): SeriesResult {
	if (key.lookback.months !== undefined || key.read === 'trailing')
		throw new RangeError('Only fixed durations, no trailing reads.');
	const start = now - key.lookback.ms;
	if (key.read === 'newest') {
		const newest = samples.findLast(([time]) => time < now);
		return newest === undefined || newest[0] < start ? emptySeries : makeSeries([newest]);
	}
	const periodMs = key.period.ms;
	const first = Math.floor(start / periodMs) * periodMs;
	const points = new Map<number, SeriesPoint>();
	let newestAt: number | null = null;
	for (const [time, value] of samples.slice(firstIndexAt(samples, first))) {
		if (time >= now) break;
		const end = Math.min(now, (Math.floor(time / periodMs) + 1) * periodMs);
		points.set(end, [end, value]);
		newestAt = time;
	}
	return makeSeries([...points.values()], newestAt);
}

function firstIndexAt(samples: readonly FedSample[], time: number): number {
	const index = samples.findIndex(([each]) => each >= time);
	return index === -1 ? samples.length : index;
}
