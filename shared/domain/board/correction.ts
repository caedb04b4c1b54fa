import * as v from 'valibot';
import { actorSchema } from '../access/actor.ts';
import { dayMs } from '../milliseconds.ts';
import { finiteNumber, idSchema, optionalField, text, variableIdSchema } from '../validation/field.ts';
import { maxReasonLength, maxTextLength } from '../validation/input-limits.ts';
import { withKeywords } from '../validation/keywords.ts';
import { checkStartBeforeEnd, ValidationIssues } from '../validation/parse.ts';
import { problem } from '../validation/problem.ts';
import { timeSchema } from '../validation/time.ts';
import type { Range } from '../variable/window.ts';

/** The types of corrections (shared/domain/totals/README.md#corrections). */
export const correctionTypes = ['exclude', 'value', 'exchange'] as const;

/** The longest time between `from` and `to`. */
const longestSpan = { days: 366, ms: 366 * dayMs } as const;

/**
 * A correction of the values from which totals of one variable are counted; its samples stay as they are. Times are epoch milliseconds.
 * `exclude`: measurements in [from, to) are invalid. `value`: the variable was `value` in [from, to); for a counter, this is a reading by
 * hand. `exchange`: the meter was replaced at `at`, when the old one showed `oldFinal` and the new one `newInitial`.
 */
export const correctionSchema = v.object({
	id: idSchema,
	varId: variableIdSchema,
	type: v.picklist(correctionTypes),
	from: optionalField(timeSchema),
	to: optionalField(timeSchema),
	value: optionalField(finiteNumber),
	at: optionalField(timeSchema),
	oldFinal: optionalField(finiteNumber),
	newInitial: optionalField(finiteNumber),
	/** The reason, for everybody who reads the totals. */
	reason: withKeywords(text(maxReasonLength), { form: 'lines' }),
	/** Who saved it last, and when; what a client sends is ignored. */
	author: optionalField(v.union([text(maxTextLength), actorSchema])),
	time: optionalField(timeSchema),
});

/** The content of a correction. */
export type Correction = v.InferOutput<typeof correctionSchema>;

type CorrectionField = 'from' | 'to' | 'value' | 'at' | 'oldFinal' | 'newInitial';

const correctionFields: readonly CorrectionField[] = ['from', 'to', 'value', 'at', 'oldFinal', 'newInitial'];

const fieldsOf: Readonly<Record<Correction['type'], readonly CorrectionField[]>> = {
	exclude: ['from', 'to'],
	value: ['from', 'to', 'value'],
	exchange: ['at', 'oldFinal', 'newInitial'],
};

/**
 * Checks the rules over several fields: a correction has the fields of its type and no other, and covers some time.
 * @returns the same correction
 * @throws DomainError `invalid` with all issues
 */
export function checkedCorrection(correction: Correction): Correction {
	const { type, from, to } = correction;
	const issues = new ValidationIssues();
	for (const field of correctionFields) {
		const isSent = correction[field] !== undefined;
		const isNeeded = fieldsOf[type].includes(field);
		if (isNeeded && !isSent) issues.add(field, problem('required_by_type', `Is required for the type ${type}.`, { type }));
		else if (isSent && !isNeeded)
			issues.add(field, problem('not_of_type', `Has no effect on the type ${type}: leave it out.`, { type }));
	}
	if (type !== 'exchange' && from !== undefined && to !== undefined) {
		if (checkStartBeforeEnd(issues, 'from', { start: from, stop: to }) && to - from > longestSpan.ms)
			issues.add(
				'from',
				problem('range_too_long', `Must be at most ${longestSpan.days} days before to.`, { limit: longestSpan.days }),
			);
	}
	issues.throwIfAny();
	return correction;
}

/** Returns the time that a correction covers: [start, stop), epoch milliseconds. An exchange covers one millisecond. */
export function spanOfCorrection({ from, to, at = 0 }: Correction): { readonly start: number; readonly stop: number } {
	// A correction has either `from` and `to`, or `at`.
	return { start: from ?? at, stop: to ?? at + 1 };
}

/** Whether a correction covers a part of a range. */
export function overlaps(correction: Correction, { start, stop }: Range): boolean {
	const span = spanOfCorrection(correction);
	return span.start < stop && span.stop > start;
}
