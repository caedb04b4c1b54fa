import type { DatabaseSync } from 'node:sqlite';
import { createNewestBySeries } from '#adapters/newest-by-series.ts';
import type { CatalogSeries } from '#domain/ports/topic-catalog.ts';
import type { SeriesOfQuery } from '#domain/variable/series-of-query.ts';
import type { Range } from '#domain/variable/window.ts';
import { isInexact, typeBitOf } from './kinds.ts';
import { type SqliteTimeSeriesOptions, type Statements, type StoredSample, topicTagOf } from './statements.ts';
import { numberIn, toMs, toNs } from './tables.ts';

/** Samples before 1970 are not listed. Epoch milliseconds. */
const oldestListedMs = 0;

/** A stored series of a topic. */
interface SeriesOfTopic extends SeriesOfQuery {
	readonly id: number;
}

/** Prepares the functions of `TopicCatalog`. Times are epoch milliseconds. */
export function prepareCatalog(sqlite: DatabaseSync, statements: Statements, options: SqliteTimeSeriesOptions) {
	const { isTag, tag } = topicTagOf(options);
	const ofTag = 'key = :key AND database = :database AND measurement = coalesce(:measurement, measurement)';
	const topics = sqlite.prepare(
		isTag
			? `SELECT DISTINCT value AS topic FROM tag JOIN series ON id = series WHERE ${ofTag}`
			: 'SELECT DISTINCT measurement AS topic FROM series WHERE database = :database',
	);
	const seriesOf = sqlite.prepare(
		isTag
			? `SELECT id, field FROM tag JOIN series ON id = series WHERE ${ofTag} AND value = :topic ORDER BY field`
			: 'SELECT id, field FROM series WHERE database = :database AND measurement = :topic ORDER BY field',
	);
	const times = sqlite.prepare('SELECT time FROM sample WHERE series = ? AND time >= ? AND time < ? ORDER BY time DESC LIMIT ?');
	times.setReadBigInts(true);

	const seriesOfTopic = (database: string, topic: string): readonly SeriesOfTopic[] =>
		seriesOf.all({ ...tag, database, topic }).map((row) => ({
			id: numberIn(row, 'id'),
			topic,
			field: String(row['field']),
		}));
	return {
		topics: (database: string): readonly string[] =>
			topics
				.all({ ...tag, database })
				.map((row) => String(row['topic']))
				.sort(),
		/** Returns the series of topics that have a sample before `now`, each with the newest one. */
		newest(database: string, topicsOfPage: readonly string[], now: number): readonly CatalogSeries[] {
			const newestBySeries = createNewestBySeries();
			for (const series of topicsOfPage.flatMap((topic) => seriesOfTopic(database, topic))) {
				const sample = statements.newest(series.id, oldestListedMs, now);
				if (sample !== undefined) newestBySeries.add({ ...series, ...contentOf(sample), tags: statements.tagsOf(series.id) });
			}
			return newestBySeries.list();
		},
		/** Returns the times of each series, ascending. Of several tag sets, the one with the newest sample is returned. */
		newestTimes: (database: string, series: readonly SeriesOfQuery[], { start, stop }: Range, count: number) =>
			series.map((each): readonly number[] => {
				const timesByTagSet = statements
					.candidates(database, each)
					.map(({ id }) => times.all(id, toNs(start), toNs(stop), count).map((row) => millisecondsIn(row['time'])))
					.toSorted(([newestOfA = 0], [newestOfB = 0]) => newestOfB - newestOfA);
				return (timesByTagSet[0] ?? []).toReversed();
			}),
	};
}

/** Returns what a sample holds. A whole number that was rounded when it was stored has no value. */
const contentOf = ({ ms, ns, value, kind }: StoredSample) => ({
	ms,
	ns,
	value: isInexact(kind) ? null : value,
	type: typeBitOf(kind),
});

/** Converts a stored time to epoch milliseconds. No range begins before 1970. */
function millisecondsIn(time: unknown): number {
	if (typeof time !== 'bigint') throw new TypeError('A time is not a whole number');
	return toMs(time);
}
