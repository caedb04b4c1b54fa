import * as v from 'valibot';
import { hourMs } from '../milliseconds.ts';
import { type CatalogSeries, seriesKeyOf, type TopicField } from '../ports/topic-catalog.ts';
import { intervalDistances, sampleIntervalMs } from '../topics/sample-interval.ts';
import { listUpTo, text } from '../validation/field.ts';
import { maxTextLength } from '../validation/input-limits.ts';
import { withKeywords } from '../validation/keywords.ts';
import { messageFor } from '../validation/parse.ts';
import { problem } from '../validation/problem.ts';
import { readersOf, type TopicDeps, type TopicOwner } from './list-topics.ts';

/** Most series that are described at once. */
export const maxDescribedSeries = 100;

/** A series by its topic and field. */
export const seriesNameSchema = v.object({
	topic: withKeywords(text(maxTextLength), { form: 'any' }),
	field: withKeywords(text(maxTextLength), { form: 'any' }),
});

/** The body of POST /topics. */
export const describeTopicsSchema = v.object({
	topics: v.pipe(
		...listUpTo(seriesNameSchema, maxDescribedSeries, 'topics'),
		v.nonEmpty(messageFor(problem('no_items', 'At least one topic is required.', { items: 'topics' }))),
	),
});

/** A series that a client named. `catalogEntry` is null where it has no samples, `intervalMs` where it had fewer than two in the last day. */
export interface DescribedSeries extends TopicField {
	readonly catalogEntry: CatalogSeries | null;
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
	asked: readonly TopicField[],
	now: number,
): Promise<readonly DescribedSeries[]> {
	const series = new Map(asked.map(({ topic, field }) => [seriesKeyOf({ topic, field }), { topic, field }]));
	const topics = [...new Set(asked.map(({ topic }) => topic))];
	const [found, variables] = await Promise.all([catalog.newest(database, topics, now), definitions.get(schema, 'all')]);
	const catalogEntries = new Map(found.map((each) => [seriesKeyOf(each), each]));
	const intervals = new Map<string, number>();
	for (const rangeMs of rangesMs) {
		const start = now - rangeMs;
		const undetermined = [...series].filter(([key]) => !intervals.has(key) && (catalogEntries.get(key)?.newestAt ?? 0) >= start);
		const names = undetermined.map(([, name]) => name);
		const times = await catalog.newestTimes(database, names, { start, stop: now }, intervalDistances + 1);
		for (const [index, [key]] of undetermined.entries()) {
			const intervalMs = sampleIntervalMs(times[index] ?? []);
			if (intervalMs !== null) intervals.set(key, intervalMs);
		}
	}
	const readers = readersOf(variables.values());
	return asked.map(({ topic, field }) => {
		const key = seriesKeyOf({ topic, field });
		return {
			topic,
			field,
			catalogEntry: catalogEntries.get(key) ?? null,
			variables: readers({ topic, field }),
			intervalMs: intervals.get(key) ?? null,
		};
	});
}
