import * as v from 'valibot';
import { fieldOf, finiteNumber, optionalField, positive, text } from '../validation/field.ts';
import { maxTextLength } from '../validation/input-limits.ts';
import { withKeywords } from '../validation/keywords.ts';
import { messageFor } from '../validation/parse.ts';
import { type Problem, problem } from '../validation/problem.ts';
import { queryAggregates } from './aggregates.ts';
import { type Duration, durationOf, type TimeUnit, timeUnits } from './duration.ts';
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
});

/** A query of a variable, as it is sent and stored (shared/domain/variable/README.md#queries). */
export type Query = v.InferOutput<typeof fieldsSchema>;

/** Parses a query. The rules over several fields apply to valid fields only; an invalid field has its own issue. */
export const querySchema = v.pipe(
	fieldsSchema,
	v.rawCheck(({ dataset, addIssue }) => {
		const report: ReportIssue = (key, cause) =>
			addIssue({
				message: messageFor(cause),
				// Valibot's type requires an input of a field, which nothing reads.
				path: [{ type: 'object', origin: 'value', input: { dataset }, key, value: undefined }],
			});
		// Called for what they report.
		lookbackIn(dataset.value, report);
		periodIn(dataset.value, report);
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
	const lookback = lookbackIn(query, ignoreFault);
	const period = periodIn(query, ignoreFault);
	return lookback === undefined || period === undefined ? undefined : windowCount(lookback, period);
}

/** Receives a fault of a rule over several fields. */
type ReportIssue = (key: keyof Query, cause: Problem) => void;

const ignoreFault: ReportIssue = () => undefined;

const unitsSchema = v.pick(fieldsSchema, ['calc_unit', 'calc_unit_topic']);

/** Returns the lookback of an unchecked query. Undefined where a field is not valid, or the fields do not fit together, which is reported. */
function lookbackIn(query: unknown, report: ReportIssue): Duration | undefined {
	const units = v.safeParse(unitsSchema, query);
	if (!units.success) return undefined;
	const { calc_unit, calc_unit_topic } = units.output;
	const unit = calc_unit ?? calc_unit_topic;
	if (unit === undefined)
		report('calc_unit', problem('unit_required', 'Is required: the unit of calc_time, here or as calc_unit_topic.'));
	else if (calc_unit_topic !== undefined && calc_unit_topic !== unit)
		report('calc_unit_topic', problem('units_differ', `Must equal calc_unit (${unit}) where both are given.`, { unit }));
	else return durationIn(query, 'calc_time', unit, report);
	return undefined;
}

/** Returns the period of an unchecked query, as `lookbackIn` does the lookback. */
function periodIn(query: unknown, report: ReportIssue): Duration | undefined {
	const unit = v.safeParse(unitSchema, fieldOf(query, 'calc_unit_period'));
	return unit.success ? durationIn(query, 'calc_period', unit.output, report) : undefined;
}

function durationIn(query: unknown, key: 'calc_time' | 'calc_period', unit: TimeUnit, report: ReportIssue): Duration | undefined {
	const count = v.safeParse(countSchema, fieldOf(query, key));
	if (!count.success) return undefined;
	const duration = durationOf(count.output, unit);
	if (!('code' in duration)) return duration;
	report(key, duration);
	return undefined;
}

function parsedDuration(count: number, unit: TimeUnit | undefined): Duration {
	const duration = unit === undefined ? null : durationOf(count, unit);
	if (duration === null || 'code' in duration)
		throw new RangeError(`A parsed query holds ${count} ${unit}: ${duration?.message}`);
	return duration;
}
