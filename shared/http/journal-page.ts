import * as v from 'valibot';
import { dayMs } from '#domain/milliseconds.ts';
import { checkStartBeforeEnd, ValidationIssues } from '#domain/validation/parse.ts';
import { problem } from '#domain/validation/problem.ts';
import { RequestError } from './request-error.ts';

/** The range of a journal that a client asks for, in epoch milliseconds, and the filters of its entries. A filter that is null selects all. */
export interface JournalQuestion {
	readonly start: number;
	/** Exclusive. */
	readonly end: number;
	readonly filters: readonly (string | number | null)[];
}

/** A page of a journal that a client asks for. */
export interface JournalPageRequest extends JournalQuestion {
	/** The key of the last entry of the page before; null for the first page. */
	readonly after: string | null;
}

/** The range of a query, in epoch milliseconds. */
interface SentRange {
	readonly start?: number | undefined;
	readonly end?: number | undefined;
}

/** The rules for requests for pages of one journal. */
export interface JournalRules {
	/** The range where the client names no start, in days before its end. */
	readonly defaultDays: number;
	/** The longest range, in days. */
	readonly maxDays: number;
	/** The form of the keys of its entries. */
	readonly key: RegExp;
	/** The parameters that must be the same with `after` as on the first page, for the message: `start, end, kind and actor`. */
	readonly questionFields: string;
}

const time = v.pipe(v.number(), v.safeInteger());

/** The content of a `next`: start, end and filters of the question, and the key of the last entry that was read. */
const cursorSchema = v.strictTuple([time, time, v.array(v.nullable(v.union([v.string(), v.number()]))), v.string()]);

/**
 * Returns the page that a query asks for. `after` carries the range of the first page, so that later pages have the same one although
 * time goes on.
 * @param now epoch milliseconds
 * @throws DomainError `invalid` for a range that is empty or too long
 * @throws RequestError 400 for an `after` that is not the `next` of a page of this question
 */
export function journalPageOf(
	sent: SentRange & { readonly after?: string | undefined },
	filters: JournalQuestion['filters'],
	rules: JournalRules,
	now: number,
): JournalPageRequest {
	if (sent.after !== undefined) return pageAfter(sent.after, sent, filters, rules);
	// The end is exclusive, and an entry of this moment belongs to the journal.
	const { end = now + 1 } = sent;
	const { start = end - rules.defaultDays * dayMs } = sent;
	checkRange(start, end, rules);
	return { start, end, filters, after: null };
}

/**
 * Returns the `next` of a page: the value of `after` for the page that follows.
 * @param key the key of the last entry that was read; null: no page follows
 */
export function nextOf({ start, end, filters }: JournalQuestion, key: string | null): string | null {
	if (key === null) return null;
	const cursor: v.InferInput<typeof cursorSchema> = [start, end, [...filters], key];
	return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

/** Returns the page that `after` asks for. The query must have the filters and, where it has a range, the range of the page before. */
function pageAfter(after: string, sent: SentRange, filters: JournalQuestion['filters'], rules: JournalRules): JournalPageRequest {
	const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), cursorSchema), Buffer.from(after, 'base64url').toString());
	if (parsed.success) {
		const [start, end, filtersBefore, key] = parsed.output;
		const hasSameRange = (sent.start ?? start) === start && (sent.end ?? end) === end;
		const hasSameFilters = JSON.stringify(filters) === JSON.stringify(filtersBefore);
		// A client can write any cursor, so its range and key are checked, too.
		const isValid = isRange(start, end, rules) && rules.key.test(key);
		if (hasSameRange && hasSameFilters && isValid) return { start, end, filters, after: key };
	}
	const message = `Must be the next of a page with the same ${rules.questionFields}: ask again without after.`;
	throw new RequestError(400, 'after', 'bad_after', message);
}

function checkRange(start: number, end: number, rules: JournalRules): void {
	const issues = new ValidationIssues();
	const { maxDays: limit } = rules;
	if (checkStartBeforeEnd(issues, 'start', { start, stop: end }) && !isRange(start, end, rules))
		issues.add('start', problem('range_too_long', `Must be at most ${limit} days before end.`, { limit }));
	issues.throwIfAny();
}

/** Whether a range is neither empty nor too long. */
const isRange = (start: number, end: number, { maxDays }: JournalRules): boolean => start < end && end - start <= maxDays * dayMs;
