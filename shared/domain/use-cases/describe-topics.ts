import * as v from 'valibot';
import { hourMs } from '../milliseconds.ts';
import type { CatalogSeries, SeriesType } from '../ports/topic-catalog.ts';
import { intervalDistances, sampleIntervalMs } from '../topics/sample-interval.ts';
import { listUpTo, text } from '../validation/field.ts';
import { maxTextLength } from '../validation/input-limits.ts';
import { withKeywords } from '../validation/keywords.ts';
import { messageFor } from '../validation/parse.ts';
import { problem } from '../validation/problem.ts';
import { type SeriesOfQuery, seriesKeyOf } from '../variable/series-of-query.ts';
import { choosesTagSet } from '../variable/tags.ts';
import { tagsSchema } from '../variable/tags-schema.ts';
import { fieldKeyOf, readersOf, type TopicDeps, type TopicOwner } from './list-topics.ts';

/** Most series that are described at once. */
export const maxDescribedSeries = 100;

/** A series by its topic and field, and by tags where it has several tag sets. */
export const seriesNameSchema = v.object({
	topic: withKeywords(text(maxTextLength), { form: 'any' }),
	field: withKeywords(text(maxTextLength), { form: 'any' }),
	tags: v.optional(tagsSchema),
});

/** The body of POST /topics. */
export const describeTopicsSchema = v.object({
	topics: v.pipe(
		...listUpTo(seriesNameSchema, maxDescribedSeries, 'topics'),
		v.nonEmpty(messageFor(problem('no_items', 'At least one topic is required.', { items: 'topics' }))),
	),
});

/** The tag sets of a series together: the newest sample of all, and whether their types differ. */
export interface DescribedTagSets extends Omit<CatalogSeries, 'type'> {
	readonly type: SeriesType;
	readonly tagSets: number;
}

/** A series that a client named. `catalogEntry` is null where it has no samples, `intervalMs` where it had fewer than two in the last day. */
export interface DescribedSeries {
	readonly topic: string;
	readonly field: string;
	readonly catalogEntry: DescribedTagSets | null;
	readonly variables: readonly number[];
	readonly intervalMs: number | null;
}

/**
 * The ranges before now in which the times of samples are looked for. The day is read only if the hour has fewer than two samples,
 * because a day of samples every second is slow to read.
 */
const rangesMs = [hourMs, 24 * hourMs];

/**
 * Returns some series as `listTopics` does, with the interval of their samples (shared/domain/topics/README.md).
 * @param now epoch milliseconds
 * @returns one for each series, in their order
 * @throws DomainError as `TopicCatalog`
 */
export async function describeTopics(
	{ catalog, definitions }: TopicDeps,
	{ schema, database }: TopicOwner,
	asked: readonly v.InferOutput<typeof seriesNameSchema>[],
	now: number,
): Promise<readonly DescribedSeries[]> {
	const series = asked.map(({ topic, field, tags = {} }): SeriesOfQuery => {
		return { topic, field, ...(Object.keys(tags).length === 0 ? {} : { tags }) };
	});
	const distinct = new Map(series.map((each) => [seriesKeyOf(each), each]));
	const topics = [...new Set(asked.map(({ topic }) => topic))];
	const [found, variables] = await Promise.all([catalog.newest(database, topics, now), definitions.get(schema, 'all')]);
	const byField = Map.groupBy(found, fieldKeyOf);
	const tagSetsOf = (each: SeriesOfQuery): readonly CatalogSeries[] =>
		(byField.get(fieldKeyOf(each)) ?? []).filter(({ tags }) => choosesTagSet(each.tags, tags));
	const tagSets = new Map([...distinct].map(([key, each]) => [key, tagSetsOf(each)]));
	const intervals = new Map<string, number>();
	for (const rangeMs of rangesMs) {
		const start = now - rangeMs;
		const undetermined = [...distinct].filter(([key]) => !intervals.has(key) && (tagSets.get(key)?.[0]?.newestAt ?? 0) >= start);
		const names = undetermined.map(([, name]) => name);
		const times = await catalog.newestTimes(database, names, { start, stop: now }, intervalDistances + 1);
		for (const [index, [key]] of undetermined.entries()) {
			const intervalMs = sampleIntervalMs(times[index] ?? []);
			if (intervalMs !== null) intervals.set(key, intervalMs);
		}
	}
	const readers = readersOf(variables.values());
	return series.map((each) => {
		const [key, { topic, field }] = [seriesKeyOf(each), each];
		const chosen = tagSets.get(key) ?? [];
		return {
			topic,
			field,
			catalogEntry: togetherOf(chosen),
			variables: readers(each, each.tags === undefined ? undefined : [each.tags, ...chosen.map(({ tags }) => tags)]),
			intervalMs: intervals.get(key) ?? null,
		};
	});
}

/** Returns tag sets as one: the first one has the newest sample. Null for none. */
function togetherOf(tagSets: readonly CatalogSeries[]): DescribedTagSets | null {
	const [newest] = tagSets;
	if (newest === undefined) return null;
	const isMixed = tagSets.some(({ type }) => type !== newest.type);
	return { ...newest, type: isMixed ? 'mixed' : newest.type, tagSets: tagSets.length };
}
