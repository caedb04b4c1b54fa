import * as v from 'valibot';
import type { EventPage, EventPageRequest } from '#domain/ports/alarm-store.ts';
import { integerFrom } from '#domain/validation/field.ts';
import { parse, ValidationIssues } from '#domain/validation/parse.ts';
import { problem } from '#domain/validation/problem.ts';
import { queryTimeSchema } from '#domain/validation/time.ts';
import { type ApiResponse, ok } from './api-response.ts';
import type { ApiEvent } from './event.ts';
import { queryIntegerSchema } from './listing.ts';
import { RequestError } from './request-error.ts';
import { queryOf } from './sent-input.ts';
import { alarmEventToJson } from './serialize-alarm.ts';

/** Most events of a page. */
export const maxEvents = 500;

/** Events of a page where the client asks for no number. */
export const defaultEvents = 100;

/** The longest range of the journal that one question may cover, in days. */
export const maxEventDays = 31;

const dayMs = 86_400_000;

const querySchema = v.object({
	start: v.optional(queryTimeSchema),
	end: v.optional(queryTimeSchema),
	alarmId: v.optional(v.pipe(queryIntegerSchema, integerFrom(1, Number.MAX_SAFE_INTEGER))),
	limit: v.optional(v.pipe(queryIntegerSchema, integerFrom(1, maxEvents)), String(defaultEvents)),
});

/** The question that a `next` belongs to, and the key of the last event that was read. */
const cursorSchema = v.strictTuple([
	v.pipe(v.number(), v.safeInteger()),
	v.pipe(v.number(), v.safeInteger()),
	v.nullable(v.pipe(v.number(), v.safeInteger())),
	v.pipe(v.string(), v.regex(/^\d{13}#\d{16}#[pod]\d{10}$/)),
]);

/** The range and the alarm that a client asks for. */
type EventQuestion = Pick<EventPageRequest, 'start' | 'end' | 'alarmId'>;

/**
 * Returns the page of the journal that the query asks for: `?start=&end=&alarmId=&limit=&after=`. The last 24 hours, unless the query says
 * otherwise. `after` carries the range of the first page, so that later pages have the same one although time goes on.
 * @param now epoch milliseconds
 * @throws DomainError `invalid` for a parameter that is not valid, and for a range that is empty or longer than 31 days
 * @throws RequestError 400 for an `after` that is not the `next` of a page of this question
 */
export function eventPageRequestOf(event: ApiEvent, now: number): EventPageRequest {
	const query = queryOf(event, [...Object.keys(querySchema.entries), 'after']);
	const { after } = query;
	const { limit, ...fields } = parse(querySchema, query);
	const asked = { start: fields.start, end: fields.end, alarmId: fields.alarmId ?? null };
	if (after !== undefined) return { ...cursorOf(after, asked), limit };
	// The end is exclusive, and an event of this moment belongs to the journal.
	const end = asked.end ?? now + 1;
	const start = asked.start ?? end - dayMs;
	checkRange(start, end);
	return { start, end, alarmId: asked.alarmId, limit, after: null };
}

/** Returns the response with a page of the journal. `next` is null on the last page. */
export function eventPageResponse({ start, end, alarmId }: EventQuestion, { events, next }: EventPage): ApiResponse {
	const data = events.map(alarmEventToJson);
	const inParts = 'ask for a smaller limit';
	if (next === null) return { ...ok({ data, next }), inParts };
	const cursor: v.InferInput<typeof cursorSchema> = [start, end, alarmId, next];
	return { ...ok({ data, next: Buffer.from(JSON.stringify(cursor)).toString('base64url') }), inParts };
}

/** Returns the question of a cursor. A time that the query leaves out may be any. */
function cursorOf(
	text: string,
	asked: { readonly [Key in keyof EventQuestion]: EventQuestion[Key] | undefined },
): EventQuestion & { readonly after: string } {
	const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), cursorSchema), Buffer.from(text, 'base64url').toString());
	if (parsed.success) {
		const [start, end, alarmId, after] = parsed.output;
		const isAsked = (asked.start ?? start) === start && (asked.end ?? end) === end && asked.alarmId === alarmId;
		if (isAsked && isRange(start, end)) return { start, end, alarmId, after };
	}
	const message = 'Must be the next of a page with the same start, end and alarmId: ask again without after.';
	throw new RequestError(400, 'after', 'bad_after', message);
}

function checkRange(start: number, end: number): void {
	const issues = new ValidationIssues();
	if (start >= end) issues.add('start', problem('start_not_before_end', 'Must be before end.'));
	else if (!isRange(start, end))
		issues.add('start', problem('range_too_long', `Must be at most ${maxEventDays} days before end.`, { limit: maxEventDays }));
	issues.throwIfAny();
}

const isRange = (start: number, end: number): boolean => start < end && end - start <= maxEventDays * dayMs;
