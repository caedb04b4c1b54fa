import type { DatabaseSync } from 'node:sqlite';
import { createNewestBySeries } from '#adapters/newest-by-series.ts';
import type { CatalogSeries, TopicField } from '#domain/ports/topic-catalog.ts';
import type { Range } from '#domain/variable/window.ts';
import { isInexact, typeBitOf } from './kinds.ts';
import type { SqliteTimeSeriesOptions, Statements, StoredSample } from './statements.ts';
import { numberIn, toNs } from './tables.ts';

/** A stored series of a topic. */
interface SeriesOfTopic extends TopicField {
	readonly id: number;
	readonly measurement: string;
}

/** Prepares the functions of `TopicCatalog`. Times are epoch milliseconds. */
export function prepareCatalog(
	sqlite: DatabaseSync,
	statements: Statements,
	{ topicColumn, measurement }: SqliteTimeSeriesOptions,
) {
	const isTag = topicColumn !== '_measurement';
	const tag = isTag ? { key: topicColumn, measurement: measurement ?? null } : {};
	const ofTag = 'key = :key AND database = :database AND measurement = coalesce(:measurement, measurement)';
	const topics = sqlite.prepare(
		isTag
			? `SELECT DISTINCT value AS topic FROM tag JOIN series ON id = series WHERE ${ofTag}`
			: 'SELECT DISTINCT measurement AS topic FROM series WHERE database = :database',
	);
	const seriesOf = sqlite.prepare(
		isTag
			? `SELECT id, field, measurement FROM tag JOIN series ON id = series WHERE ${ofTag} AND value = :topic ORDER BY field`
			: 'SELECT id, field, measurement FROM series WHERE database = :database AND measurement = :topic ORDER BY field',
	);
	const tagsOf = sqlite.prepare('SELECT key, value FROM tag WHERE series = ? AND key <> ?');
	const times = sqlite.prepare('SELECT time FROM sample WHERE series = ? AND time >= ? AND time < ? ORDER BY time DESC LIMIT ?');
	times.setReadBigInts(true);

	const seriesOfTopic = (database: string, topic: string): readonly SeriesOfTopic[] =>
		seriesOf.all({ ...tag, database, topic }).map((row) => ({
			id: numberIn(row, 'id'),
			topic,
			field: String(row['field']),
			measurement: String(row['measurement']),
		}));
	const tagSetOf = ({ id, measurement: own }: SeriesOfTopic): readonly (readonly [string, string])[] => [
		...tagsOf.all(id, topicColumn).map((row) => [String(row['key']), String(row['value'])] as const),
		...(isTag ? [['_measurement', own] as const] : []),
	];
	return {
		topics: (database: string): readonly string[] =>
			topics
				.all({ ...tag, database })
				.map((row) => String(row['topic']))
				.sort(),
		newest(database: string, asked: readonly string[], now: number): readonly CatalogSeries[] {
			const found = createNewestBySeries();
			for (const series of asked.flatMap((topic) => seriesOfTopic(database, topic))) {
				const sample = statements.newest(series.id, 0, now);
				if (sample !== undefined) found.add({ ...series, ...contentOf(sample), tags: () => tagSetOf(series) });
			}
			return found.list();
		},
		/** Returns the times of each series, ascending. Of several tag sets, the one with the newest sample is returned. */
		newestTimes: (database: string, asked: readonly TopicField[], { start, stop }: Range, count: number) =>
			asked.map(({ topic, field }): readonly number[] => {
				const tagSets = statements
					.candidates(database, topic, field)
					.map(({ id }) => times.all(id, toNs(start), toNs(stop), count).map((row) => millisecondsIn(row['time'])))
					.toSorted(([a = 0], [b = 0]) => b - a);
				return (tagSets[0] ?? []).toReversed();
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

/** Converts nanoseconds since 1970 to whole milliseconds. No range begins earlier, so cutting the rest off rounds down. */
function millisecondsIn(time: unknown): number {
	if (typeof time !== 'bigint') throw new TypeError('A time is not a whole number');
	return Number(time / 1_000_000n);
}
