import * as v from 'valibot';
import { ValidationIssues } from '#domain/validation/parse.ts';
import { problem } from '#domain/validation/problem.ts';
import { RequestError } from './request-error.ts';

const dayMs = 86_400_000;

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

/** The rules for requests for pages of one journal. */
export interface JournalRules {
	/** The range where the client names no start, in days before its end. */
	readonly defaultDays: number;
	/** The longest range, in days. */
	readonly maxDays: number;
	/** The form of the keys of its entries. */
	readonly key: RegExp;
	/** The parameters that must be the same with `after` as on the first page, for the message: `start, end, kind and actor`. */
	readonly asked: string;
}

const time = v.pipe(v.number(), v.safeInteger());

/** The content of a `next`: the question that it belongs to, and the key of the last entry that was read. */
const cursorSchema = v.strictTuple([time, time, v.array(v.nullable(v.union([v.string(), v.number()]))), v.string()]);

/**
 * Returns the page that a query asks for. `after` carries the range of the first page, so that later pages have the same one although
 * time goes on.
 * @param now epoch milliseconds
 * @throws DomainError `invalid` for a range that is empty or too long
 * @throws RequestError 400 for an `after` that is not the `next` of a page of this question
 */
export function journalPageOf(
	{
		start,
		end,
		after,
	}: { readonly start?: number | undefined; readonly end?: number | undefined; readonly after?: string | undefined },
	filters: JournalQuestion['filters'],
	rules: JournalRules,
	now: number,
): JournalPageRequest {
	if (after !== undefined) return cursorOf(after, { start, end, filters }, rules);
	// The end is exclusive, and an entry of this moment belongs to the journal.
	const last = end ?? now + 1;
	const first = start ?? last - rules.defaultDays * dayMs;
	checkRange(first, last, rules);
	return { start: first, end: last, filters, after: null };
}

/** Returns the `next` of a page: the value of `after` for the page that follows. `key`: of the last entry that was read; null: none follows. */
export function nextOf({ start, end, filters }: JournalQuestion, key: string | null): string | null {
	if (key === null) return null;
	const cursor: v.InferInput<typeof cursorSchema> = [start, end, [...filters], key];
	return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

/** Returns the page that a cursor stands for. The query must ask the same question as the cursor; a time that it leaves out is not compared. */
function cursorOf(
	text: string,
	asked: { readonly start: number | undefined; readonly end: number | undefined; readonly filters: JournalQuestion['filters'] },
	rules: JournalRules,
): JournalPageRequest {
	const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), cursorSchema), Buffer.from(text, 'base64url').toString());
	if (parsed.success) {
		const [start, end, filters, after] = parsed.output;
		const isAsked =
			(asked.start ?? start) === start && (asked.end ?? end) === end && JSON.stringify(asked.filters) === JSON.stringify(filters);
		if (isAsked && isRange(start, end, rules) && rules.key.test(after)) return { start, end, filters, after };
	}
	const message = `Must be the next of a page with the same ${rules.asked}: ask again without after.`;
	throw new RequestError(400, 'after', 'bad_after', message);
}

function checkRange(start: number, end: number, rules: JournalRules): void {
	const issues = new ValidationIssues();
	const { maxDays: limit } = rules;
	if (start >= end) issues.add('start', problem('start_not_before_end', 'Must be before end.'));
	else if (!isRange(start, end, rules))
		issues.add('start', problem('range_too_long', `Must be at most ${limit} days before end.`, { limit }));
	issues.throwIfAny();
}

const isRange = (start: number, end: number, { maxDays }: JournalRules): boolean => start < end && end - start <= maxDays * dayMs;
