import * as v from 'valibot';
import { isoTime } from '#domain/calendar/iso-time.ts';
import { maxCatalogTopics } from '#domain/ports/topic-catalog.ts';
import type { DescribedSeries } from '#domain/use-cases/describe-topics.ts';
import type { ListedSeries, TopicPage, TopicQuestion } from '#domain/use-cases/list-topics.ts';
import { integerFrom, text, textOrEmpty } from '#domain/validation/field.ts';
import { maxTextLength } from '#domain/validation/input-limits.ts';
import { parse } from '#domain/validation/parse.ts';
import { type ApiResponse, ok } from './api-response.ts';
import type { ApiEvent } from './event.ts';
import { queryIntegerSchema } from './listing.ts';
import { RequestError } from './request-error.ts';
import { queryOf } from './sent-input.ts';

/** Topics of a page where the client asks for no number. */
export const defaultTopics = 100;

const querySchema = v.object({
	prefix: v.optional(textOrEmpty(maxTextLength), ''),
	search: v.optional(textOrEmpty(maxTextLength), ''),
	limit: v.optional(v.pipe(queryIntegerSchema, integerFrom(1, maxCatalogTopics)), String(defaultTopics)),
	after: v.optional(v.string()),
});

/** The content of an `after`: the last topic of the page before. */
const cursorSchema = v.pipe(v.string(), v.parseJson(), text(maxTextLength));

/**
 * Returns the page of topics that the query asks for: `?prefix=&search=&limit=&after=`.
 * @throws DomainError `invalid` for a parameter that is not valid
 * @throws RequestError 400 for an `after` that is not the `next` of a page
 */
export function topicQuestionOf(event: ApiEvent): TopicQuestion {
	const { after, ...question } = parse(querySchema, queryOf(event, Object.keys(querySchema.entries)));
	return { ...question, after: after === undefined ? null : topicOf(after) };
}

/** Returns the response with a page of topics. `next` is null on the last page, otherwise the `after` of the page that follows. */
export function topicPageResponse({ series, next }: TopicPage): ApiResponse {
	const data = series.map(listedSeriesToJson);
	return { ...ok({ data, next: next === null ? null : cursorOf(next) }), remedy: 'ask for a smaller limit' };
}

/** Returns the JSON form of a series of the database. A series with one tag set has neither `tagSets` nor `tagSet`. */
export function listedSeriesToJson({ topic, field, type, newestAt, newestValue, variables, tagSets, tagSet }: ListedSeries) {
	const newest = { time: isoTime(newestAt), value: newestValue };
	return { topic, field, type, newest, variables, ...(tagSet === null ? {} : { tagSets, tagSet }) };
}

/** Returns the JSON form of a series that a client named, with the interval of its samples in seconds. */
export function describedSeriesToJson({ catalogEntry, intervalMs, ...named }: DescribedSeries) {
	const interval = intervalMs === null ? null : intervalMs / 1000;
	if (catalogEntry === null) return { ...named, type: null, newest: null, interval };
	return { ...listedSeriesToJson({ ...catalogEntry, ...named }), interval };
}

const cursorOf = (topic: string): string => Buffer.from(JSON.stringify(topic)).toString('base64url');

/** Returns the topic that an `after` names. */
function topicOf(cursor: string): string {
	const parsed = v.safeParse(cursorSchema, Buffer.from(cursor, 'base64url').toString());
	if (parsed.success) return parsed.output;
	throw new RequestError(400, 'after', 'bad_after', 'Must be the next of a page: ask again without after.');
}
