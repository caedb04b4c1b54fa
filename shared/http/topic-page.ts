import * as v from 'valibot';
import { isoTime } from '#domain/calendar/iso-time.ts';
import { maxCatalogTopics, type SeriesType } from '#domain/ports/topic-catalog.ts';
import type { DescribedSeries } from '#domain/use-cases/describe-topics.ts';
import type { ListedSeries, TopicPage, TopicPlaceInList, TopicQuestion } from '#domain/use-cases/list-topics.ts';
import { integerFrom, text, textOrEmpty } from '#domain/validation/field.ts';
import { maxTextLength } from '#domain/validation/input-limits.ts';
import { parse } from '#domain/validation/parse.ts';
import { tagSetText } from '#domain/variable/tags.ts';
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

/** The content of an `after`: the last topic of the page before, or its last tag set where the page ended within a topic. */
const cursorSchema = v.pipe(
	v.string(),
	v.parseJson(),
	v.union([text(maxTextLength), v.strictTuple([text(maxTextLength), text(maxTextLength), v.string()])]),
);

/**
 * Returns the page of topics that the query asks for: `?prefix=&search=&limit=&after=`.
 * @throws DomainError `invalid` for a parameter that is not valid
 * @throws RequestError 400 for an `after` that is not the `next` of a page
 */
export function topicQuestionOf(event: ApiEvent): TopicQuestion {
	const { after, ...question } = parse(querySchema, queryOf(event, Object.keys(querySchema.entries)));
	return { ...question, after: after === undefined ? null : placeOf(after) };
}

/** Returns the response with a page of topics. `next` is null on the last page, otherwise the `after` of the page that follows. */
export function topicPageResponse({ series, next }: TopicPage): ApiResponse {
	const data = series.map((each) => listedSeriesToJson(each));
	return { ...ok({ data, next: next === null ? null : cursorOf(next) }), remedy: 'ask for a smaller limit' };
}

/** Returns the JSON form of a tag set. The only one of its topic and field has neither `tagSets` nor `tagSet`. */
export function listedSeriesToJson(series: Omit<ListedSeries, 'type'> & { readonly type: SeriesType }) {
	const { topic, field, tags, type, newestAt, newestValue, variables, tagSets } = series;
	const newest = { time: isoTime(newestAt), value: newestValue };
	return { topic, field, tags, type, newest, variables, ...(tagSets === 1 ? {} : { tagSets, tagSet: tagSetText(tags) }) };
}

/** Returns the JSON form of a series that a client named, with the interval of its samples in seconds. */
export function describedSeriesToJson({ catalogEntry, intervalMs, ...named }: DescribedSeries) {
	const interval = intervalMs === null ? null : intervalMs / 1000;
	if (catalogEntry === null) return { ...named, type: null, newest: null, interval };
	return { ...listedSeriesToJson({ ...catalogEntry, ...named }), interval };
}

const cursorOf = ({ topic, row }: TopicPlaceInList): string =>
	Buffer.from(JSON.stringify(row === undefined ? topic : [topic, ...row])).toString('base64url');

/** Returns the place that an `after` names. */
function placeOf(cursor: string): TopicPlaceInList {
	const parsed = v.safeParse(cursorSchema, Buffer.from(cursor, 'base64url').toString());
	if (parsed.success) {
		if (typeof parsed.output === 'string') return { topic: parsed.output };
		const [topic, ...row] = parsed.output;
		return { topic, row };
	}
	throw new RequestError(400, 'after', 'bad_after', 'Must be the next of a page: ask again without after.');
}
