import { chunksOf } from '#domain/chunks-of.ts';
import { compareTexts } from '#domain/compare-texts.ts';
import { maxSeriesPerStream } from '#domain/reading/stream-group.ts';
import { type SeriesOfQuery, seriesKeyOf } from '#domain/variable/series-of-query.ts';
import { choosesTagSet, sortedTags } from '#domain/variable/tags.ts';
import { QueryError } from '../influx-common/query-client.ts';
import type { TopicPlace } from '../influx-common/topic-place.ts';
import type { AnswerRows } from './answer.ts';
import { type ChosenTopic, canExist, sourceTagsOf, topicOf } from './influxql-text.ts';

/** At most 40 topics, each maybe with tags, of which the same field is read in the same way, each with what was found of it. */
export interface TopicGroup<Key, Found> {
	/** The keys of all its series, at least one. */
	readonly keys: readonly Key[];
	readonly field: string;
	/** What was found, by the topic and the tags that choose among its series. */
	readonly found: ReadonlyMap<ChosenTopic, Found>;
	/**
	 * Returns what was found of each chosen topic that some rows belong to: several where tags overlap, none where a statement of several topics
	 * also reads the tags of one at another. @throws QueryError for a topic that was not asked for
	 */
	foundOf(rows: AnswerRows): readonly Found[];
}

/**
 * Divides keys into groups. A key whose names cannot exist is in none. Keys with tags have groups of their own, topic by topic where they fit.
 * @param groupOf returns a text that is equal for keys that may share a group
 * @param newFound creates what is known of a series before it is read
 */
export function groupTopics<Key extends SeriesOfQuery, Found>(
	keys: readonly Key[],
	place: TopicPlace,
	groupOf: (key: Key) => string,
	newFound: () => Found,
): readonly TopicGroup<Key, Found>[] {
	const existing = keys.filter((key) => canExist(key, place));
	const byGroup = Map.groupBy(existing, (key) => JSON.stringify([key.field, groupOf(key), key.tags !== undefined]));
	return [...byGroup.values()].flatMap((own) => {
		const bySeries = [...Map.groupBy(own, seriesKeyOf)];
		const ordered = own[0]?.tags === undefined ? bySeries : bySeries.sort(([a], [b]) => compareTexts(a, b));
		return chunksOf(maxSeriesPerStream, ordered).map((chunk): TopicGroup<Key, Found> => {
			const found = new Map<ChosenTopic, Found>(
				chunk.flatMap(([, [key]]) => (key === undefined ? [] : [[key, newFound()] as const])),
			);
			const byTopic = Map.groupBy(found, ([{ topic }]) => topic);
			return {
				keys: chunk.flatMap(([, each]) => each),
				field: own[0]?.field ?? '',
				found,
				foundOf: (rows) => {
					const ofTopic = byTopic.get(topicOf(rows, place));
					if (ofTopic === undefined) throw new QueryError('failed', 'a series that was not requested');
					const tagSet = own[0]?.tags === undefined ? {} : sortedTags(sourceTagsOf(rows, place));
					return ofTopic.flatMap(([{ tags }, each]) => (choosesTagSet(tags, tagSet) ? [each] : []));
				},
			};
		});
	});
}

/** Returns what was found of each key, by the key. A key whose names cannot exist has no entry. */
export function foundByKey<Key extends SeriesOfQuery, Found>(groups: readonly TopicGroup<Key, Found>[]): ReadonlyMap<Key, Found> {
	return new Map(
		groups.flatMap(({ keys, field, found }) => {
			const bySeries = new Map([...found].map(([chosen, each]) => [seriesKeyOf({ ...chosen, field }), each]));
			return keys.flatMap((key) => {
				const each = bySeries.get(seriesKeyOf(key));
				return each === undefined ? [] : [[key, each] as const];
			});
		}),
	);
}
