import { dayMs } from '#domain/milliseconds.ts';
import type { CatalogSeries, TopicCatalog } from '#domain/ports/topic-catalog.ts';
import { type SeriesOfQuery, seriesKeyOf } from '#domain/variable/series-of-query.ts';
import { choosesTagSet, sortedTags, type Tags, tagSetKey } from '#domain/variable/tags.ts';
import { createKeptNames } from '../influx-common/kept-names.ts';
import { QueryResponseError } from '../influx-common/query-client.ts';
import { parseMs, subMsOf } from '../influx-common/rfc3339.ts';
import type { TopicPlace } from '../influx-common/topic-place.ts';
import { createNewestBySeries } from '../newest-by-series.ts';
import { type CatalogQuery, newestQueryOf, timesQueryOf, topicsQueryOf } from './catalog-query.ts';
import { type Collector, createRowReader, type RowSink, tagsIn } from './collect.ts';
import type {} from './flux-script.ts';
import type { InfluxConnection, SendScript } from './influx-connection.ts';
import { numberOf } from './samples.ts';

/** How far back the newest samples are searched at first. */
const recentMs = 30 * dayMs;

/**
 * Creates `TopicCatalog` in InfluxDB 2 (shared/adapters/influx/README.md#catalog). A database is a bucket; one that does not exist fails. The
 * names take one request a minute. The newest samples take one, and a second one where a topic has none in the last 30 days.
 */
export function createInfluxTopicCatalog({ place, read }: InfluxConnection): TopicCatalog {
	const kept = createKeptNames();
	return {
		topics: (database, now) =>
			kept.get(database, now, () => {
				const query = topicsQueryOf(database, { start: 0, stop: now }, place);
				return read(database, { isShort: false }, (_, send) => send(query.text, () => namesReader(query)));
			}),
		newest: async (database, topics, now) => {
			// A name that is not well-formed Unicode cannot exist in InfluxDB.
			const wanted = topics.filter((topic) => topic.isWellFormed());
			if (wanted.length === 0) return [];
			const recent = { start: now - recentMs, stop: now };
			return read(database, { isShort: false }, async (_, send) => {
				const found = await readNewest(send, newestQueryOf(database, wanted, recent, place), place);
				const seen = new Set(found.map(({ topic }) => topic));
				const silent = wanted.filter((topic) => !seen.has(topic));
				if (silent.length === 0) return found;
				const before = { start: 0, stop: recent.start };
				return [...found, ...(await readNewest(send, newestQueryOf(database, silent, before, place), place))];
			});
		},
		newestTimes: async (database, series, range, count) => {
			if (series.length === 0) return [];
			const query = timesQueryOf(database, series, range, count, place);
			// No name is well-formed.
			if (query.results.size === 0) return series.map(() => []);
			return read(database, { isShort: false }, (_, send) => send(query.text, () => timesReader(query, place, series)));
		},
	};
}

/** Reads the newest sample of each tag set. */
function readNewest(send: SendScript, query: CatalogQuery, place: TopicPlace): Promise<readonly CatalogSeries[]> {
	return send(query.text, () => {
		const series = createNewestBySeries();
		return readerOf(
			query,
			place.topicColumn,
			(layout, cells, topic, field) => {
				const { time, value, type } = layout;
				if (type === undefined) throw new QueryResponseError('broken', 'values of a type that samples do not have');
				const number = numberOf(cells[value] ?? '', type);
				series.add({
					topic,
					field,
					type,
					...instantOf(cells[time] ?? ''),
					value: typeof number === 'string' ? null : number,
					tags: tagsIn(layout, cells),
				});
			},
			series.list,
		);
	});
}

/** Creates the reader of names. Each row has a name in `_value`, which is therefore read as the column of topics. */
function namesReader(query: CatalogQuery): Collector<readonly string[]> {
	const names: string[] = [];
	return readerOf(
		query,
		'_value',
		(_layout, _cells, topic) => names.push(topic),
		() => names.sort(),
	);
}

/** The times of a tag set by their text. Streams with and without tags may both read it. */
interface TagSetTimes {
	readonly tagSet: Tags;
	readonly times: Map<string, number>;
}

/** Creates the reader of the times of samples: for each series those of the tag set with the newest sample, ascending. */
function timesReader(
	query: CatalogQuery,
	{ topicColumn }: TopicPlace,
	series: readonly SeriesOfQuery[],
): Collector<readonly (readonly number[])[]> {
	/** The times of each tag set, by topic and field. */
	const timesBySeries = new Map<string, Map<string, TagSetTimes>>();
	return readerOf(
		query,
		topicColumn,
		(layout, cells, topic, field) => {
			const key = seriesKeyOf({ topic, field });
			const tagSets = timesBySeries.get(key) ?? new Map<string, TagSetTimes>();
			timesBySeries.set(key, tagSets);
			const tagSet = sortedTags(tagsIn(layout, cells));
			const times = tagSets.get(tagSetKey(tagSet)) ?? { tagSet, times: new Map() };
			tagSets.set(tagSetKey(tagSet), times);
			const time = cells[layout.time] ?? '';
			times.times.set(time, instantOf(time).ms);
		},
		() =>
			series.map((each) => {
				const { topic, field, tags } = each;
				const tagSets = [...(timesBySeries.get(seriesKeyOf({ topic, field }))?.values() ?? [])]
					.filter(({ tagSet }) => choosesTagSet(tags, tagSet))
					.map(({ times }) => [...times.values()].sort((a, b) => a - b));
				return tagSets.toSorted((a, b) => (b.at(-1) ?? 0) - (a.at(-1) ?? 0))[0] ?? [];
			}),
	);
}

const readerOf = <Result>(
	{ results, sentinel }: CatalogQuery,
	topicColumn: string,
	sink: RowSink,
	finish: () => Result,
): Collector<Result> => createRowReader({ results, sentinel, topicColumn }, sink, finish);

/** Returns a time in RFC 3339 as epoch milliseconds and the nanoseconds beyond. */
function instantOf(time: string): { readonly ms: number; readonly ns: number } {
	const ms = parseMs(time);
	if (Number.isNaN(ms)) throw new RangeError('A time is not in the format of RFC 3339.');
	return { ms, ns: subMsOf(time) };
}
