import { compareTexts } from '../compare-texts.ts';
import type { Definition } from '../ports/schema-store.ts';
import { type CatalogSeries, maxListedSeries, type TopicCatalog } from '../ports/topic-catalog.ts';
import type { DefinitionCache } from '../reading/definition-cache.ts';
import { isWithin } from '../validation/field.ts';
import { maxTextLength } from '../validation/input-limits.ts';
import { seriesOfQuery } from '../variable/series-of-query.ts';
import { choosesTagSet, type Tags, tagSetKey } from '../variable/tags.ts';

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
	/** Where the page before ended; null for the first page. */
	readonly after: TopicPlaceInList | null;
}

/** A place in the list: after a topic, or after one of its tag sets. */
export interface TopicPlaceInList {
	readonly topic: string;
	/** The field and the key of the tag set (`tagSetKey`); left out after the last one of the topic. */
	readonly row?: readonly [field: string, tagsKey: string];
}

/** A tag set of a topic and field with the variables that read it. */
export interface ListedSeries extends CatalogSeries {
	/** Ids, ascending. */
	readonly variables: readonly number[];
	/** Number of tag sets of the topic and field. */
	readonly tagSets: number;
}

/** The tag sets of some topics, by topic, field and tags. `next`: where the page ended; null on the last. */
export interface TopicPage {
	readonly series: readonly ListedSeries[];
	readonly next: TopicPlaceInList | null;
}

/**
 * Returns a page of the topics of the caller's database, in the order of their UTF-16 units, with the tag sets of their fields
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
	const isAhead = (topic: string): boolean =>
		after === null || topic > after.topic || (after.row !== undefined && topic === after.topic);
	const isAsked = (topic: string): boolean =>
		topic.startsWith(prefix) && isAhead(topic) && topic.toLowerCase().includes(searched) && isReadable(topic);
	const asked = names.filter(isAsked);
	const topics = asked.slice(0, limit);
	const [found, variables] = await Promise.all([catalog.newest(database, topics, now), definitions.get(schema, 'all')]);
	const counts = new Map<string, number>();
	for (const series of found) counts.set(fieldKeyOf(series), (counts.get(fieldKeyOf(series)) ?? 0) + 1);
	const ordered = found
		.filter(({ field }) => isReadable(field))
		.map((series) => ({ series, tagsKey: tagSetKey(series.tags) }))
		.toSorted((a, b) => compareRows(a, b));
	const rows = ordered.filter((row) => after?.row === undefined || compareRows(row, placeOf(after.topic, ...after.row)) > 0);
	const page = rows.slice(0, maxListedSeries);
	const last = rows.length > page.length ? page.at(-1) : undefined;
	const [lastTopic] = asked.length > topics.length ? topics.slice(-1) : [];
	const ofTopic = lastTopic === undefined ? null : { topic: lastTopic };
	const readers = readersOf(variables.values());
	return {
		series: page.map(({ series }) => ({
			...series,
			variables: readers(series, [series.tags]),
			tagSets: counts.get(fieldKeyOf(series)) ?? 1,
		})),
		next: last === undefined ? ofTopic : { topic: last.series.topic, row: [last.series.field, last.tagsKey] },
	};
}

/** Returns a function that names the variables that read one of some tag sets of a topic and field (default: any), ascending. */
export function readersOf(definitions: Iterable<Definition>): (name: TopicField, tagSets?: readonly Tags[]) => readonly number[] {
	const readers = new Map<string, { readonly id: number; readonly tags: Tags | undefined }[]>();
	for (const { variable } of definitions)
		for (const query of variable.varsTsdb.values()) {
			const series = seriesOfQuery(query);
			const ofField = readers.get(fieldKeyOf(series)) ?? [];
			readers.set(fieldKeyOf(series), ofField);
			ofField.push({ id: variable.id, tags: series.tags });
		}
	return (name, tagSets) => {
		const ofField = readers.get(fieldKeyOf(name)) ?? [];
		const reading =
			tagSets === undefined ? ofField : ofField.filter(({ tags }) => tagSets.some((tagSet) => choosesTagSet(tags, tagSet)));
		return [...new Set(reading.map(({ id }) => id))].sort((a, b) => a - b);
	};
}

/** A topic and one of its fields. */
type TopicField = Pick<CatalogSeries, 'topic' | 'field'>;

/** Returns a text that identifies a topic and field. */
export function fieldKeyOf({ topic, field }: TopicField): string {
	return JSON.stringify([topic, field]);
}

/** A row of the list, by which rows are ordered. */
interface ListRow {
	readonly series: TopicField;
	readonly tagsKey: string;
}

const placeOf = (topic: string, field: string, tagsKey: string): ListRow => ({ series: { topic, field }, tagsKey });

const compareRows = (a: ListRow, b: ListRow): number =>
	compareTexts(a.series.topic, b.series.topic) ||
	compareTexts(a.series.field, b.series.field) ||
	compareTexts(a.tagsKey, b.tagsKey);

/** Whether a variable can refer to a topic or field: longer names are refused. */
const isReadable = (name: string): boolean => name !== '' && isWithin(name, maxTextLength);
