import * as v from 'valibot';
import { isoTime } from '#domain/calendar/iso-time.ts';
import {
	accessKinds,
	type ChangeEntry,
	type ChangeKey,
	type ItemKind,
	itemKinds,
	type ReplacedItem,
} from '#domain/changes/change-entry.ts';
import type { ChangePage, ChangePageRequest } from '#domain/ports/change-journal.ts';
import { normalizeEmail } from '#domain/ports/users.ts';
import { integerFrom, text } from '#domain/validation/field.ts';
import { maxEmailLength } from '#domain/validation/input-limits.ts';
import { parse, ValidationIssues } from '#domain/validation/parse.ts';
import { problem } from '#domain/validation/problem.ts';
import { queryTimeSchema } from '#domain/validation/time.ts';
import { type ApiResponse, ok } from './api-response.ts';
import type { ApiEvent } from './event.ts';
import { type JournalPageRequest, type JournalRules, journalPageOf, nextOf } from './journal-page.ts';
import { queryIntegerSchema, queryPositiveSchema } from './listing.ts';
import { queryOf } from './sent-input.ts';
import { contentToJson } from './serialize.ts';

/** Most entries of a page. */
export const maxChanges = 500;

/** Entries of a page where the client asks for no number. */
export const defaultChanges = 100;

/** The range where the client names no start, in days. */
export const defaultChangeRangeDays = 31;

/** The kinds that are listed where the client names none. Sessions are left out, because they are many more than all others. */
const definitionKinds = itemKinds.filter((kind) => kind !== 'session');

/** The id of an item or of an actor. The longest one is an e-mail. */
const idTextSchema = text(maxEmailLength);

const querySchema = v.object({
	start: v.optional(queryTimeSchema),
	end: v.optional(queryTimeSchema),
	kind: v.optional(v.picklist(itemKinds)),
	itemId: v.optional(idTextSchema),
	actor: v.optional(idTextSchema),
	limit: v.optional(v.pipe(queryIntegerSchema, integerFrom(1, maxChanges)), String(defaultChanges)),
});

const keySchema = v.object({
	kind: v.picklist(itemKinds),
	itemId: idTextSchema,
	rowVersion: queryPositiveSchema,
});

const rules: JournalRules = {
	defaultDays: defaultChangeRangeDays,
	// A hundred years: in effect no limit.
	maxDays: 36_600,
	// The time and the item of `changeTimeText`. An id of 320 characters has at most 1,400 with its escapes.
	key: /^\d{13}#\S{1,1400}$/,
	questionFields: 'start, end, kind, itemId and actor',
};

/** A request for a page of the journal of changes. */
export interface ChangeQuestion {
	/** The range and filters that the client sent. The `next` of the page repeats them. */
	readonly sent: JournalPageRequest;
	/** What is read for it: only kinds that the caller may read. */
	readonly read: ChangePageRequest;
}

/**
 * Returns the page of the journal of changes that the query asks for: `?start=&end=&kind=&itemId=&actor=&limit=&after=`. The last 31
 * days, unless the query says otherwise.
 * @param readsAccess whether the caller may read changes of people, machines and sessions. If not, their entries are left out
 * @param now epoch milliseconds
 * @throws DomainError `invalid` for a parameter that is not valid; and as `journalPageOf`
 */
export function changeQuestionOf(
	event: ApiEvent,
	{ readsAccess, now }: { readonly readsAccess: boolean; readonly now: number },
): ChangeQuestion {
	const query = queryOf(event, [...Object.keys(querySchema.entries), 'after']);
	const { limit, kind, ...parsed } = parse(querySchema, query);
	const itemId = parsed.itemId === undefined ? null : itemIdOf(kind, parsed.itemId);
	const actor = parsed.actor === undefined ? null : accountIdOf(parsed.actor);
	const range = { start: parsed.start, end: parsed.end, after: query['after'] };
	const sent = journalPageOf(range, [kind ?? null, itemId, actor], rules, now);
	const { start, end, after } = sent;
	const kinds = (kind === undefined ? definitionKinds : [kind]).filter((each) => readsAccess || !accessKinds.includes(each));
	return { sent, read: { start, end, kinds, itemId, actor, limit, after } };
}

/** Returns the response with a page of the journal of changes. `next` is null on the last page. */
export function changePageResponse({ sent }: ChangeQuestion, { entries, next }: ChangePage): ApiResponse {
	return { ...ok({ data: entries.map(changeEntryToJson), next: nextOf(sent, next) }), remedy: 'ask for a smaller limit' };
}

/**
 * Returns the key of the entry that a query names: `?kind=&itemId=&rowVersion=`.
 * @throws DomainError `invalid` for a parameter that is missing or not valid
 */
export function changeKeyOf(event: ApiEvent): ChangeKey {
	const { kind, itemId, rowVersion } = parse(keySchema, queryOf(event, Object.keys(keySchema.entries)));
	return { kind, itemId: itemIdOf(kind, itemId), rowVersion };
}

/** Returns the JSON form of an entry; its time is ISO-8601 in UTC. */
export function changeEntryToJson({ at, ...entry }: ChangeEntry) {
	return { at: isoTime(at), ...entry };
}

/**
 * Returns the JSON form of a version of an item, without the database that an alarm is stored with. `unknownFields` names the fields that
 * `content` lacks because nothing holds them any more.
 */
export function itemVersionToJson({ version, content, kept }: ReplacedItem) {
	return { version, content: contentToJson(content), ...(kept === undefined ? {} : { unknownFields: kept }) };
}

/**
 * Returns the id of an item as the journal holds it: a number for rows, an e-mail in lower case for people, a client id for machines, provider
 * and hash for grants.
 */
function itemIdOf(kind: ItemKind | undefined, id: string): number | string {
	const issues = new ValidationIssues();
	if (kind === undefined) issues.add('kind', problem('kind_required', 'Is required with itemId.'));
	else if (!accessKinds.includes(kind) && !/^\d{1,15}$/.test(id))
		issues.add('itemId', problem('not_whole_number', 'Must be a whole number.'));
	issues.throwIfAny();
	if (kind === 'person') return normalizeEmail(id);
	// A session is of a person or of a machine.
	if (kind === 'session') return accountIdOf(id);
	return kind !== undefined && accessKinds.includes(kind) ? id : Number(id);
}

/** Returns the id of a person, machine or command as the journal holds it. An e-mail has an @. The others have none, and their case counts. */
function accountIdOf(id: string): string {
	return id.includes('@') ? normalizeEmail(id) : id;
}
