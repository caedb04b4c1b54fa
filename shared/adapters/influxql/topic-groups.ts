import { chunksOf } from '#domain/chunks-of.ts';
import { maxSeriesPerStream } from '#domain/reading/stream-group.ts';
import type { SeriesOfQuery } from '#domain/variable/series-of-query.ts';
import { QueryError } from '../influx-common/query-client.ts';
import type { TopicPlace } from '../influx-common/topic-place.ts';
import type { AnswerRows } from './answer.ts';
import { canExist, topicOf } from './influxql-text.ts';

/** At most 40 topics of which the same field is read in the same way, each with what was found of it. */
export interface TopicGroup<Key, Found> {
	/** The keys of all its series, at least one. */
	readonly keys: readonly Key[];
	readonly field: string;
	/** What was found, by topic. */
	readonly found: ReadonlyMap<string, Found>;
	/** Returns what was found of the series of some rows. @throws QueryError when it was not asked for */
	foundOf(rows: AnswerRows): Found;
}

/**
 * Divides keys into groups. A key whose names cannot exist is in none.
 * @param groupOf returns a text that is equal for keys that may share a group
 * @param newFound creates what is known of a series before it is read
 */
export function groupTopics<Key extends SeriesOfQuery, Found>(
	keys: readonly Key[],
	place: TopicPlace,
	groupOf: (key: Key) => string,
	newFound: () => Found,
): readonly TopicGroup<Key, Found>[] {
	const existing = keys.filter((key) => key.tags === undefined && canExist(key, place));
	const byGroup = Map.groupBy(existing, (key) => JSON.stringify([key.field, groupOf(key)]));
	return [...byGroup.values()].flatMap((own) =>
		chunksOf(maxSeriesPerStream, [...Map.groupBy(own, ({ topic }) => topic)]).map((chunk) => {
			const found = new Map(chunk.map(([topic]) => [topic, newFound()]));
			return {
				keys: chunk.flatMap(([, each]) => each),
				field: own[0]?.field ?? '',
				found,
				foundOf: (rows: AnswerRows): Found => {
					const each = found.get(topicOf(rows, place));
					if (each === undefined) throw new QueryError('failed', 'a series that was not requested');
					return each;
				},
			};
		}),
	);
}

/** Returns what was found of each key, by the key. A key whose names cannot exist has no entry. */
export function foundByKey<Key extends SeriesOfQuery, Found>(groups: readonly TopicGroup<Key, Found>[]): ReadonlyMap<Key, Found> {
	return new Map(
		groups.flatMap(({ keys, found }) =>
			keys.flatMap((key) => {
				const each = found.get(key.topic);
				return each === undefined ? [] : [[key, each] as const];
			}),
		),
	);
}
