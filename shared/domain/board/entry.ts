import * as v from 'valibot';
import { actorSchema } from '../access/actor.ts';
import { dayMs } from '../milliseconds.ts';
import { finiteNumber, idSchema, optionalField, storedIdSchema, text } from '../validation/field.ts';
import { maxNameLength, maxReasonLength, maxTextLength } from '../validation/input-limits.ts';
import { withKeywords } from '../validation/keywords.ts';
import { ValidationIssues } from '../validation/parse.ts';
import { problem } from '../validation/problem.ts';
import { dateSchema, timeSchema } from '../validation/time.ts';

/** Most days of one entry: a year. */
const maxDays = 366;

/**
 * A number that somebody enters for a line `entered` of a report (shared/domain/report/ENTRIES.md), such as the authorised consumption of
 * a month. `from` and `to` are the first and the last local date that it is about.
 */
export const entrySchema = v.object({
	id: idSchema,
	reportId: storedIdSchema,
	/** The key of the line. */
	key: text(maxNameLength),
	from: dateSchema,
	to: dateSchema,
	value: finiteNumber,
	/** The truth is not less, and not more. Left out: the value is exact on that side. */
	low: optionalField(finiteNumber),
	high: optionalField(finiteNumber),
	/** Where the number comes from, for everybody who reads the report. */
	reason: withKeywords(text(maxReasonLength), { form: 'lines' }),
	/** Who saved it last, and when; what a client sends is ignored. */
	author: optionalField(v.union([text(maxTextLength), actorSchema])),
	time: optionalField(timeSchema),
});

/** The content of an entry. */
export type ReportEntry = v.InferOutput<typeof entrySchema>;

/**
 * Checks the rules over several fields: an entry is about some days, and its value lies between its bounds.
 * @returns the same entry
 * @throws DomainError `invalid` with all issues
 */
export function checkedEntry(entry: ReportEntry): ReportEntry {
	const { from, to, value, low = value, high = value } = entry;
	const issues = new ValidationIssues();
	const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
	if (days < 1) issues.add('to', problem('range_reversed', 'Must not be before from.'));
	if (days > maxDays)
		issues.add('from', problem('range_too_long', `Must be at most ${maxDays} days before to.`, { limit: maxDays }));
	if (low > value) issues.add('low', problem('range_reversed', 'Must not be greater than value.'));
	if (high < value) issues.add('high', problem('range_reversed', 'Must not be less than value.'));
	issues.throwIfAny();
	return entry;
}
