import type { Tags } from '#domain/variable/tags.ts';
import { api, resultOf } from '#page/core/api.ts';
import type { TopicField } from './topic-path.ts';
import type { ReadTopics } from './topic-store.ts';

/** The most series of one request for intervals. */
const seriesAtOnce = 100;

/** A series of the list, by its key. */
interface KeyedSeries extends TopicField {
	readonly key: string;
	readonly queryTags: Tags;
}

/** Reads a page of topics. */
export const readTopics: ReadTopics = ({ prefix, search, limit, after }) =>
	resultOf(api.GET('/topics', { params: { query: { prefix, search, limit, ...(after === null ? {} : { after }) } } }));

/**
 * Reads the intervals between the samples of series, a hundred series at a time.
 * @param onRead gets the intervals of a hundred series, by key, in seconds. An interval is null for a series with fewer than two samples
 * in a day, and for a series that could not be read
 * @returns whether all intervals were read
 */
export async function readIntervals(
	series: readonly KeyedSeries[],
	onRead: (intervals: ReadonlyMap<string, number | null>) => void,
): Promise<boolean> {
	let isComplete = true;
	for (let from = 0; from < series.length; from += seriesAtOnce) {
		const some = series.slice(from, from + seriesAtOnce);
		const topics = some.map(({ topic, field, queryTags }) => ({ topic, field, tags: queryTags }));
		const result = await resultOf(api.POST('/topics', { body: { topics } }));
		if (!result.ok) isComplete = false;
		const intervals = result.ok ? result.data.data.map(({ interval }) => interval) : [];
		onRead(new Map(some.map(({ key }, index) => [key, intervals[index] ?? null])));
	}
	return isComplete;
}
