import * as v from 'valibot';
import { fieldOf, finiteNumber, optionalField, positive, text } from '../validation/field.ts';
import { maxTextLength } from '../validation/input-limits.ts';
import { withKeywords } from '../validation/keywords.ts';
import { messageFor } from '../validation/parse.ts';
import { type Problem, problem } from '../validation/problem.ts';
import { queryAggregates } from './aggregates.ts';
import { type Duration, durationOf, type TimeUnit, timeUnits } from './duration.ts';
import type { Tags } from './tags.ts';
import { tagsSchema } from './tags-schema.ts';
import { windowCount } from './window.ts';

/** Maximum number of windows of one query that is read as windows (shared/http/README.md#limits). */
export const maxWindowsPerQuery = 10_000;

const countSchema = v.pipe(finiteNumber, positive);
const unitSchema = v.picklist(timeUnits);

const fieldsSchema = v.object({
	calc_topic: withKeywords(text(maxTextLength), { form: 'any' }),
	calc_field: withKeywords(text(maxTextLength), { form: 'any' }),
	calc_time: countSchema,
	calc_unit: optionalField(unitSchema),
	calc_unit_topic: optionalField(unitSchema),
	calc_period: countSchema,
	calc_unit_period: unitSchema,
	calc_type_period: v.picklist(queryAggregates),
	/** On an update, an absent one keeps the stored tags of the same topic and field, and null removes them. A stored query has no null. */
	calc_tags: v.nullish(v.pipe(tagsSchema, withKeywords(v.transform(nullIfEmpty), {}))),
});

/** A query of a variable, as it is sent and stored (shared/domain/variable/README.md#queries). */
export type Query = v.InferOutput<typeof fieldsSchema>;

/**
 * Parses a query. Besides the rules of each field, the lookback and the period must be durations: 1.5 months are none.
 * Fields that are invalid have their own issues, and none of these.
 */
export const querySchema = v.pipe(
	fieldsSchema,
	v.rawCheck(({ dataset, addIssue }) => {
		for (const length of [uncheckedLookback(dataset.value), uncheckedPeriod(dataset.value)])
			if (length !== null && 'fault' in length)
				addIssue({
					message: messageFor(length.fault),
					// Valibot's type requires an input of a field, which nothing reads.
					path: [{ type: 'object', origin: 'value', input: { dataset }, key: length.field, value: undefined }],
				});
	}),
);

/** Returns how far back a parsed query reads. */
export function lookbackOf({ calc_time, calc_unit, calc_unit_topic }: Query): Duration {
	return parsedDuration(calc_time, calc_unit ?? calc_unit_topic);
}

/** Returns the length of one window of a parsed query. */
export function periodOf({ calc_period, calc_unit_period }: Query): Duration {
	return parsedDuration(calc_period, calc_unit_period);
}

/**
 * Returns the number of windows of an unchecked query, as counted against the limit. Months and years count with their longest length, so
 * there may be a fifth more windows, and 2 that are cut. Undefined when a field that determines the number is invalid.
 */
export function uncheckedWindowCount(query: unknown): number | undefined {
	const [lookback, period] = [uncheckedLookback(query), uncheckedPeriod(query)];
	if (lookback === null || period === null || 'fault' in lookback || 'fault' in period) return undefined;
	return windowCount(lookback, period);
}

/** Returns null for no tags, so that they have one form. */
function nullIfEmpty(tags: Tags): Tags | null {
	return Object.keys(tags).length === 0 ? null : tags;
}

/** A rule over several fields that a query breaks, with the field that gets the issue. */
interface LengthFault {
	readonly field: keyof Query;
	readonly fault: Problem;
}

const unitsSchema = v.pick(fieldsSchema, ['calc_unit', 'calc_unit_topic']);

/** Returns the lookback of an unchecked query, or why its fields make none; null where one of them is invalid by itself. */
function uncheckedLookback(query: unknown): Duration | LengthFault | null {
	const units = v.safeParse(unitsSchema, query);
	if (!units.success) return null;
	const { calc_unit, calc_unit_topic } = units.output;
	const unit = calc_unit ?? calc_unit_topic;
	if (unit === undefined) {
		const message = 'Is required: the unit of calc_time, here or as calc_unit_topic.';
		return { field: 'calc_unit', fault: problem('unit_required', message) };
	}
	if (calc_unit_topic !== undefined && calc_unit_topic !== unit) {
		const message = `Must equal calc_unit (${unit}) where both are given.`;
		return { field: 'calc_unit_topic', fault: problem('units_differ', message, { unit }) };
	}
	return uncheckedLength(query, 'calc_time', unit);
}

/** Returns the period of an unchecked query, as `uncheckedLookback` does the lookback. */
function uncheckedPeriod(query: unknown): Duration | LengthFault | null {
	const unit = v.safeParse(unitSchema, fieldOf(query, 'calc_unit_period'));
	return unit.success ? uncheckedLength(query, 'calc_period', unit.output) : null;
}

function uncheckedLength(query: unknown, field: 'calc_time' | 'calc_period', unit: TimeUnit): Duration | LengthFault | null {
	const count = v.safeParse(countSchema, fieldOf(query, field));
	if (!count.success) return null;
	const duration = durationOf(count.output, unit);
	return 'code' in duration ? { field, fault: duration } : duration;
}

function parsedDuration(count: number, unit: TimeUnit | undefined): Duration {
	const duration = unit === undefined ? null : durationOf(count, unit);
	if (duration === null || 'code' in duration)
		throw new RangeError(`A parsed query holds ${count} ${unit}: ${duration?.message}`);
	return duration;
}
