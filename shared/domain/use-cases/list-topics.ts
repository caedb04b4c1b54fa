import { compareTexts } from '../compare-texts.ts';
import type { Definition } from '../ports/schema-store.ts';
import { type CatalogSeries, seriesKeyOf, type TopicCatalog, type TopicField } from '../ports/topic-catalog.ts';
import type { DefinitionCache } from '../reading/definition-cache.ts';
import { isWithin } from '../validation/field.ts';
import { maxTextLength } from '../validation/input-limits.ts';

/** The dependencies of the use cases on topics. */
export interface TopicDeps {
	readonly catalog: TopicCatalog;
	readonly definitions: DefinitionCache;
}

/** The schema and the database of a caller. */
export interface TopicOwner {
	readonly schema: string;
	readonly database: string;
}

/** The filters and the limit of a page of topics. */
export interface TopicQuestion {
	/** How the topics begin. Empty: any. */
	readonly prefix: string;
	/** A part of the topics, in any case. Empty: any. */
	readonly search: string;
	/** Most topics of the page. */
	readonly limit: number;
	/** The last topic of the page before; null for the first page. */
	readonly after: string | null;
}

/** A series of the database with the variables that read it. */
export interface ListedSeries extends CatalogSeries {
	/** Ids, ascending. */
	readonly variables: readonly number[];
}

/** The series of some topics, by topic and field. `next`: the topic after which the next page begins; null on the last. */
export interface TopicPage {
	readonly series: readonly ListedSeries[];
	readonly next: string | null;
}

/**
 * Returns a page of the topics of the caller's database, in the order of their UTF-16 units, with their fields
 * (shared/domain/topics/README.md).
 * @param now epoch milliseconds
 * @throws DomainError as `TopicCatalog`
 */
export async function listTopics(
	{ catalog, definitions }: TopicDeps,
	{ schema, database }: TopicOwner,
	{ prefix, search, limit, after }: TopicQuestion,
	now: number,
): Promise<TopicPage> {
	const names = await catalog.topics(database, now);
	const searched = search.toLowerCase();
	const isAsked = (topic: string): boolean =>
		topic.startsWith(prefix) && (after === null || topic > after) && topic.toLowerCase().includes(searched) && isReadable(topic);
	const asked = names.filter(isAsked);
	const topics = asked.slice(0, limit);
	const [found, variables] = await Promise.all([catalog.newest(database, topics, now), definitions.get(schema, 'all')]);
	const readers = readersOf(variables.values());
	const series = found
		.filter(({ field }) => isReadable(field))
		.toSorted((a, b) => compareTexts(a.topic, b.topic) || compareTexts(a.field, b.field))
		.map((each) => ({ ...each, variables: readers(each) }));
	return { series, next: asked.length > topics.length ? (topics.at(-1) ?? null) : null };
}

/** Returns a function that names the variables that read a series, ascending. */
export function readersOf(definitions: Iterable<Definition>): (series: TopicField) => readonly number[] {
	const ids = new Map<string, Set<number>>();
	for (const { variable } of definitions)
		for (const { calc_topic: topic, calc_field: field } of variable.varsTsdb.values()) {
			const key = seriesKeyOf({ topic, field });
			ids.set(key, (ids.get(key) ?? new Set()).add(variable.id));
		}
	return (series) => [...(ids.get(seriesKeyOf(series)) ?? [])].sort((a, b) => a - b);
}

/** Whether a variable can refer to a topic or field: longer names are refused. */
const isReadable = (name: string): boolean => name !== '' && isWithin(name, maxTextLength);
