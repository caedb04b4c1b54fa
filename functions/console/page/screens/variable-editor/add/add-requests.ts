import { api, type Result, resultOf } from '#page/core/api.ts';
import { type Series, seriesKey } from './topic-path.ts';
import type { ReadTopics } from './topic-store.ts';

/** The most series of one request for intervals. */
const seriesAtOnce = 100;

/** Reads a page of topics. */
export const readTopics: ReadTopics = ({ prefix, search, limit, after }) =>
	resultOf(api.GET('/topics', { params: { query: { prefix, search, limit, ...(after === null ? {} : { after }) } } }));

/**
 * Reads the intervals between the samples of series, a hundred series at a time.
 * @param onRead gets the intervals by key, in seconds; null for a series with fewer than two samples in a day
 * @returns whether all intervals were read
 */
export async function readIntervals(
	series: readonly Series[],
	onRead: (intervals: ReadonlyMap<string, number | null>) => void,
): Promise<boolean> {
	let isComplete = true;
	for (let from = 0; from < series.length; from += seriesAtOnce) {
		const asked = series.slice(from, from + seriesAtOnce);
		const topics = asked.map(({ topic, field }) => ({ topic, field }));
		const result: Result<{ readonly data: readonly (Series & { readonly interval: number | null })[] }> = await resultOf(
			api.POST('/topics', { body: { topics } }),
		);
		if (!result.ok) isComplete = false;
		const known = result.ok ? result.data.data : asked.map((each) => ({ ...each, interval: null }));
		onRead(new Map(known.map((each) => [seriesKey(each), each.interval])));
	}
	return isComplete;
}
