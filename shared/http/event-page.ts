import * as v from 'valibot';
import type { EventPage, EventPageRequest } from '#domain/ports/alarm-store.ts';
import { integerFrom } from '#domain/validation/field.ts';
import { parse } from '#domain/validation/parse.ts';
import { queryTimeSchema } from '#domain/validation/time.ts';
import { type ApiResponse, ok } from './api-response.ts';
import type { ApiEvent } from './event.ts';
import { type JournalRules, journalPageOf, nextOf } from './journal-page.ts';
import { queryIntegerSchema, queryPositiveSchema } from './listing.ts';
import { queryOf } from './sent-input.ts';
import { alarmEventToJson } from './serialize-alarm.ts';

/** Most events of a page. */
export const maxEvents = 500;

/** Events of a page where the client asks for no number. */
export const defaultEvents = 100;

/** The longest range of the journal that one question may cover, in days. */
export const maxEventDays = 31;

const querySchema = v.object({
	start: v.optional(queryTimeSchema),
	end: v.optional(queryTimeSchema),
	alarmId: v.optional(queryPositiveSchema),
	limit: v.optional(v.pipe(queryIntegerSchema, integerFrom(1, maxEvents)), String(defaultEvents)),
});

const rules: JournalRules = {
	defaultDays: 1,
	maxDays: maxEventDays,
	// The form of `alarmEventKey`.
	key: /^\d{13}#\d{16}#[pod]\d{10}$/,
	questionFields: 'start, end and alarmId',
};

/**
 * Returns the page of the journal that the query asks for: `?start=&end=&alarmId=&limit=&after=`. The last 24 hours, unless the query says
 * otherwise.
 * @param now epoch milliseconds
 * @throws DomainError `invalid` for a parameter that is not valid; and as `journalPageOf`
 */
export function eventPageRequestOf(event: ApiEvent, now: number): EventPageRequest {
	const query = queryOf(event, [...Object.keys(querySchema.entries), 'after']);
	const { limit, alarmId = null, ...range } = parse(querySchema, query);
	const { start, end, after } = journalPageOf({ ...range, after: query['after'] }, [alarmId], rules, now);
	return { start, end, alarmId, limit, after };
}

/** Returns the response with a page of the journal. `next` is null on the last page. */
export function eventPageResponse({ start, end, alarmId }: EventPageRequest, { events, next }: EventPage): ApiResponse {
	const data = events.map(alarmEventToJson);
	return { ...ok({ data, next: nextOf({ start, end, filters: [alarmId] }, next) }), remedy: 'ask for a smaller limit' };
}
