import * as v from 'valibot';
import { timeOfDaySchema } from '../calendar/day-fields.ts';
import { timeOfDayMs } from '../calendar/days.ts';
import { checkEquation } from '../equation/check.ts';
import { tokensSchema } from '../equation/token.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../milliseconds.ts';
import {
	bitPositionSchema,
	fieldOf,
	finiteNumber,
	integerFrom,
	notNegative,
	numberFrom,
	optionalField,
	positive,
	text,
	variableIdSchema,
} from '../validation/field.ts';
import { maxNameLength } from '../validation/input-limits.ts';
import { messageFor, type ValidationIssues } from '../validation/parse.ts';
import { type Problem, problem } from '../validation/problem.ts';

/** Most lines of one request (shared/http/README.md#limits). */
export const maxLines = 40;

/** The time units of a rate, in milliseconds. */
export const rateUnits = { s: secondMs, min: minuteMs, h: hourMs, d: dayMs } as const;

/** The names of the time units of a rate. */
export const rateUnitNames = ['s', 'min', 'h', 'd'] as const;

/** The severities of alarms that a line counts. */
export const severities = ['info', 'warning', 'critical'] as const;

/** The longest time for which a sample may be known: 30 days. */
const maxHoldSeconds = 2_592_000;

/** The largest share of a counter's size that counts as an advance (shared/domain/totals/README.md#counters). */
export const advancingShare = 0.1;

const reversed = problem('range_reversed', 'Its first number must not be greater than its second.');

const counterSchema = v.pipe(
	v.object({
		/** The reading at which the counter begins again at 0. */
		size: optionalField(v.pipe(finiteNumber, positive)),
		/** By how much noise may let a reading fall. */
		dip: optionalField(v.pipe(finiteNumber, notNegative)),
	}),
	v.forward(
		v.check(
			({ size, dip }) => size === undefined || dip === undefined || dip <= advancingShare * size,
			messageFor(problem('dip_too_large', 'Must be at most a tenth of size.')),
		),
		['dip'],
	),
);

/** The functions of lines: what a line counts. */
export const lineFunctions = [
	...['total', 'mean', 'min', 'max', 'onTime', 'starts', 'increase', 'formula', 'raised'],
	...['within', 'longest', 'readings', 'excursions', 'change', 'leastMean', 'entered'],
] as const;

const daySeconds = dayMs / secondMs;

/** A number of seconds that divides 24 h, so that slots of it begin anew with each day. */
const everySchema = v.pipe(
	finiteNumber,
	integerFrom(60, daySeconds),
	v.check(
		(seconds) => daySeconds % seconds === 0,
		messageFor(problem('not_part_of_day', 'Must divide 86400, the seconds of a day.')),
	),
);

/** The greatest percentage of a reading that may be its error. */
const maxErrorPercent = 50;

const errorSchema = v.strictTuple([numberFrom(0, maxErrorPercent), v.pipe(finiteNumber, notNegative)]);

const hoursSchema = v.strictTuple([timeOfDaySchema, timeOfDaySchema]);

const limitsSchema = v.pipe(
	v.strictTuple([v.nullable(finiteNumber), v.nullable(finiteNumber)]),
	v.check(
		([low, high]) => low !== null || high !== null,
		messageFor(problem('no_limit', 'At least one of both must be a number.')),
	),
	v.check(([low, high]) => low === null || high === null || low <= high, messageFor(reversed)),
);

/** The fields of a line. The rules over several fields are in `checkLines`. */
export const lineFields = v.object({
	/** The name of the line in formulas of later lines. */
	key: text(maxNameLength),
	function: v.picklist(lineFunctions),
	varId: optionalField(variableIdSchema),
	bit: optionalField(bitPositionSchema),
	/** The time unit of the rate that the variable measures: `h` of m³/h. */
	per: optionalField(v.picklist(rateUnitNames)),
	/** How long a sample is known. Left out: as long as the query of the variable says. */
	holdSeconds: optionalField(v.pipe(finiteNumber, integerFrom(1, maxHoldSeconds))),
	/** The signal counts as on above this value. Left out: where it is not 0. */
	above: optionalField(finiteNumber),
	/** The least and the greatest value that are within limits; null: there is none. Outside, the signal counts as on. */
	limits: optionalField(limitsSchema),
	/** The seconds from one reading to the next. */
	every: optionalField(everySchema),
	/** For how many seconds an excursion lasts at least. A day's basis counts the samples of the day before, and no more. */
	forSeconds: optionalField(v.pipe(finiteNumber, integerFrom(1, daySeconds))),
	/** The length of the stretch whose mean counts, in seconds. */
	over: optionalField(v.pipe(finiteNumber, integerFrom(60, daySeconds / 2))),
	/** The least and the greatest value that the signal can have, for the bounds of unknown time. */
	range: optionalField(
		v.pipe(
			v.strictTuple([finiteNumber, finiteNumber]),
			v.check(([low, high]) => low <= high, messageFor(reversed)),
		),
	),
	/** The greatest error of the instrument: per cent of its reading, and a number in its unit. */
	error: optionalField(errorSchema),
	counter: optionalField(counterSchema),
	/** Counts only from the first to the second local time of day, on each day. */
	between: optionalField(
		v.pipe(
			hoursSchema,
			v.check(([from, to]) => from !== to, messageFor(problem('same_times', 'Must be two different times of day.'))),
		),
	),
	equation: optionalField(tokensSchema),
	severity: optionalField(v.picklist(severities)),
});

/** A line as it is sent. */
export type SentLine = v.InferOutput<typeof lineFields>;

/** A field that only lines of some functions have. */
export type LineField = Exclude<keyof SentLine, 'key' | 'function'>;

const lineFieldNames: readonly LineField[] = [
	'varId',
	'bit',
	'per',
	'holdSeconds',
	'above',
	'limits',
	'every',
	'forSeconds',
	'over',
	'range',
	'error',
	'counter',
	'between',
	'equation',
	'severity',
];

/** The fields that most lines of a variable may have. */
const signalFields = ['varId', 'bit', 'holdSeconds'] as const;

/**
 * The fields that a line of a function must have, and those that it may have. `between` limits what is taken over time; `starts` and
 * `increase` are counted from one sample to the next. A counter has no bits.
 */
export const functionFields: Readonly<
	Record<SentLine['function'], { readonly required: readonly LineField[]; readonly optional: readonly LineField[] }>
> = {
	total: { required: ['varId', 'per'], optional: [...signalFields, 'range', 'between', 'error'] },
	mean: { required: ['varId'], optional: [...signalFields, 'range', 'between', 'error'] },
	min: { required: ['varId'], optional: [...signalFields, 'range', 'between', 'error'] },
	max: { required: ['varId'], optional: [...signalFields, 'range', 'between', 'error'] },
	onTime: { required: ['varId'], optional: [...signalFields, 'above', 'limits', 'between'] },
	starts: { required: ['varId'], optional: [...signalFields, 'above', 'limits'] },
	increase: { required: ['varId'], optional: ['holdSeconds', 'counter', 'error'] },
	formula: { required: ['equation'], optional: [] },
	raised: { required: [], optional: ['severity'] },
	leastMean: { required: ['varId', 'over'], optional: [...signalFields, 'range', 'between', 'error'] },
	change: { required: ['varId'], optional: [...signalFields, 'range', 'error'] },
	within: { required: ['varId', 'limits'], optional: [...signalFields, 'every', 'between'] },
	longest: { required: ['varId', 'limits'], optional: signalFields },
	readings: { required: ['varId', 'every'], optional: [...signalFields, 'limits', 'between'] },
	excursions: { required: ['varId', 'limits', 'forSeconds'], optional: signalFields },
	// Only reports have its numbers: somebody enters them.
	entered: { required: [], optional: [] },
};

/**
 * Checks the rules over several fields and lines. They are checked on raw lines, so that a wrong field does not hide the issues of others.
 * @param dayStart the time of day at which days begin, as it was sent; left out: 00:00
 */
export function checkLines(sent: unknown, issues: ValidationIssues, dayStart: unknown): void {
	if (!Array.isArray(sent) || sent.length > maxLines) return;
	const earlierKeys = new Set<string>();
	for (const [index, line] of sent.entries()) {
		const functionName = lineFunctions.find((name) => name === fieldOf(line, 'function'));
		const report = (field: string, cause: Problem) => issues.add(`lines.${index}.${field}`, cause);
		if (functionName !== undefined) checkFields(line, functionName, report);
		if (functionName !== undefined) checkHours(line, functionName, dayStart ?? '00:00', report);
		if (functionName === 'formula') checkFormula(fieldOf(line, 'equation'), earlierKeys, report);
		const key = fieldOf(line, 'key');
		if (typeof key !== 'string') continue;
		if (earlierKeys.has(key)) report('key', problem('repeated_key', 'Must be unique: an earlier line has the same key.'));
		earlierKeys.add(key);
	}
}

type ReportField = (field: string, cause: Problem) => void;

/**
 * Checks that a line has the fields that its function needs, and no others. A field without effect is refused, because the number would
 * not be the one that was meant.
 */
function checkFields(line: unknown, functionName: SentLine['function'], report: ReportField): void {
	const { required, optional } = functionFields[functionName];
	for (const field of lineFieldNames) {
		const isSent = (fieldOf(line, field) ?? null) !== null;
		const isRequired = required.includes(field);
		if (isRequired && !isSent)
			report(field, problem('required_by_function', `Is required for the function ${functionName}.`, { function: functionName }));
		else if (isSent && !isRequired && !optional.includes(field)) {
			const message = `Has no effect on the function ${functionName}: leave it out.`;
			report(field, problem('not_of_function', message, { function: functionName }));
		}
	}
	if (optional.includes('above') && [fieldOf(line, 'above'), fieldOf(line, 'limits')].every((field) => (field ?? null) !== null))
		report('limits', problem('limits_and_above', 'Say above or limits, not both.'));
	if (functionName === 'increase' && (fieldOf(fieldOf(line, 'error'), '1') ?? 0) !== 0)
		report(
			'error.1',
			problem('only_percent', 'Must be 0: an increase is a difference of readings, whose absolute error goes away.'),
		);
}

/** Checks that the hours of a line have room for what it counts: a stretch for a least mean, the beginning of a slot for readings. */
function checkHours(line: unknown, functionName: SentLine['function'], dayStart: unknown, report: ReportField): void {
	const between = fieldOf(line, 'between');
	if (!v.is(hoursSchema, between) || between[0] === between[1] || !v.is(timeOfDaySchema, dayStart)) return;
	const [from, to, dayFrom] = [timeOfDayMs(between[0]), timeOfDayMs(between[1]), timeOfDayMs(dayStart)];
	const [lengthMs, dayFromMs] = [afterMs(from, to), afterMs(from, dayFrom)];
	const field = functionName === 'leastMean' ? 'over' : 'every';
	const seconds = fieldOf(line, field);
	if (functionName === 'leastMean' && dayFromMs > 0 && dayFromMs < lengthMs)
		report('between', problem('hours_cut_by_day', 'Must lie in one day: let days begin at another time, such as 12:00.'));
	if (functionName === 'leastMean' && typeof seconds === 'number' && seconds * secondMs > lengthMs)
		report('over', problem('longer_than_hours', 'Must not be longer than the hours of day that count.'));
	const takesReadings = functionName === 'readings' || functionName === 'within';
	if (takesReadings && v.is(everySchema, seconds) && dayFromMs % (seconds * secondMs) >= lengthMs)
		report(
			'every',
			problem('no_reading_in_hours', 'Must begin a slot in the hours of day that count: slots begin anew with each day.'),
		);
}

/** Returns how long after a time of day another one comes first, in milliseconds. */
const afterMs = (from: number, to: number): number => (to - from + dayMs) % dayMs;

/** Checks the grammar of a formula and that each name is a key of an earlier line. */
function checkFormula(equation: unknown, earlierKeys: ReadonlySet<string>, report: ReportField): void {
	// Tokens that are not valid have issues of their own.
	if (!v.is(tokensSchema, equation)) return;
	const result = checkEquation(equation, earlierKeys, 'the key of an earlier line');
	if ('tokens' in result) return;
	for (const { index, code, message, params } of result.faults)
		report(index === null ? 'equation' : `equation.${index}`, { code, message, params });
}
