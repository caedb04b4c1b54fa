import * as v from 'valibot';
import { lineFields, maxLines } from '#domain/board/line.ts';
import { totalsFields } from '#domain/totals/totals-request.ts';
import { idSchema } from '#domain/validation/field.ts';
import { describedObject } from '../component.ts';
import { boundsSchema, columnSchema, epochMsSchema, periodSchema } from './history.ts';
import { differingTagSchema } from './reading.ts';

const numberOrNull = v.nullable(v.number());

const cutSchema = v.nullable(v.pipe(v.array(v.boolean()), v.length(2)));

const counterReadingSchema = v.object({ at: epochMsSchema, value: v.number() });

const faultSchema = v.object({
	code: v.string(),
	window: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
	at: v.optional(epochMsSchema),
	tags: v.optional(v.array(differingTagSchema)),
	from: v.optional(counterReadingSchema),
	to: v.optional(counterReadingSchema),
});

/** A line that a formula uses. */
export const termSchema = v.object({ key: v.string(), width: numberOrNull });

/** A number with its bounds. */
export const totalNumberSchema = v.object({
	value: numberOrNull,
	known: numberOrNull,
	low: numberOrNull,
	high: numberOrNull,
	at: v.optional(numberOrNull),
	cut: v.optional(cutSchema),
	expected: v.optional(numberOrNull),
	taken: v.optional(numberOrNull),
});

/** The numbers of a line. */
export const countedLineSchema = v.object({
	key: v.string(),
	values: columnSchema,
	known: columnSchema,
	low: columnSchema,
	high: columnSchema,
	at: v.optional(columnSchema),
	cut: v.optional(v.array(cutSchema)),
	expected: v.optional(columnSchema),
	taken: v.optional(columnSchema),
	total: totalNumberSchema,
	terms: v.optional(v.array(termSchema)),
	mixed: v.optional(v.literal(true)),
	faults: v.optional(v.array(faultSchema)),
	moreFaults: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
	corrections: v.optional(v.array(idSchema)),
});

/** The lines of a request over the same windows. */
export const totalsSchema = v.object({
	bounds: boundsSchema,
	period: v.nullable(periodSchema),
	timeZone: v.string(),
	dayStart: v.string(),
	lines: v.array(countedLineSchema),
});

/** What the document says of `mixed`. */
export const mixedText =
	'True for a formula that uses lines which count the whole window (`starts`, `leastMean`, `longest`, `readings`, `excursions`, `within` with `every`, `raised`, `entered`) beside lines which count the time that its lines have in common (`total`, `mean`, `min`, `max`, `onTime`, `within`), or lines with another `between`. Left out otherwise.';

/** What the document says of `terms`. */
export const termsText =
	'Of a formula: the lines that it uses, directly or through other formulas, the widest first. They tell where what is not known comes from.';

/** What the document says of the fields of a line. */
export const lineTexts = {
	key: 'The name of the line, for formulas and in the answer.',
	function:
		'`total` is the integral, `mean` is weighted by time, `onTime` are the hours in which the variable is on, `starts` are changes from off to on, `within` is the share of the time within limits in per cent, `longest` are the hours of the longest stretch outside, `excursions` the number of stretches outside that last for `forSeconds`, `readings` the number of values that are taken each `every` seconds (with `limits`: of those within), `increase` is what a counter advanced, `change` the value at the end less that at the beginning, `leastMean` the least mean over a stretch of `over` seconds in each local day (of several days the median), `formula` is an equation over earlier lines, `raised` the number of alarms that were raised, `entered` what somebody entered (only in reports). The set of functions is open: later releases add some. Show one that you do not know by its name, and keep all fields of its line when you save it.',
	varId: 'The variable; not for `formula`, `raised` and `entered`.',
	bit: 'The position of a bit of a bit-compressed variable.',
	per: 'The time unit of the rate: a flow in m³/h has `h`. Required for `total`.',
	holdSeconds:
		'How long a sample is known. Left out: two periods of the variable, and a minute at least. Required where the variable reads windows (`mean`, `min` …), and for sources that report by exception.',
	above: 'Of `onTime` and `starts`: the variable is on above this value. Left out: where it is not 0.',
	limits:
		'The least and the greatest value that are within the limits; null: there is none. On `onTime` and `starts` in place of `above`: the variable is on outside of them.',
	every:
		'Of `readings` and `within`: the seconds from one reading to the next, beginning anew with each local day. A divisor of 86400. A reading is the value at that moment.',
	forSeconds: 'Of `excursions`: how long one lasts at least. It is counted at the moment when it has lasted that long.',
	over: 'Of `leastMean`: the length of the stretch whose mean counts, in seconds.',
	range: 'The lowest and the highest value that is possible, for `low` and `high` where data is missing.',
	error:
		'The greatest error of the instrument: `[per cent of its reading, in the unit of the variable]`. It widens `low` and `high`, never the value. Of `increase` the second is 0.',
	counter: 'How the counter of `increase` is read.',
	between: 'Two local times of day: only these hours of each day count. May pass midnight.',
	equation: 'Of `formula`: tokens as in a calculated variable, whose variables are keys of earlier lines.',
	severity: 'Of `raised`: only alarms of this severity. Left out: all.',
} as const;

/** What the document says of the details that some functions tell of a number. */
export const detailTexts = {
	at: 'Of `min` and `max`: when it was reached first. Of `onTime`: when it was first on. Of `longest` and of `leastMean` of one day: when it began. Epoch milliseconds.',
	cut: 'Of `longest`: whether it touches the beginning and the end of the time, so that it may be longer than it reads.',
	expected:
		'Of `readings`, and of `within` with `every`: how many readings were due. Of `leastMean`: how many days have a stretch that is long enough.',
	taken: 'How many of those were taken: the value was known at their moments. Of `leastMean`: how many of the days have a value.',
} as const;

/** The schemas of POST /totals. */
export const totalsComponents = {
	TotalsRequest: describedObject(
		totalsFields,
		'Lines, a range and its windows. At most 400 windows of 366 days are answered, and 1,000,000 samples read (413 otherwise, with the range that would fit).',
		{
			lines: `What is counted, 1 to ${maxLines} lines with different keys. A formula uses keys of lines before it.`,
			start:
				'The start of the range: ISO 8601 with `Z` or an offset, or epoch milliseconds. Before now, and at most 366 days before `end`.',
			end: 'The end of the range, in the same forms. An end in the future is taken as now. Left out: now.',
			period:
				'The length of a window. Months and years are whole numbers. Unless days begin at 00:00 UTC, a period must divide 24 h or be whole days, months or years. Left out: the range is one window.',
			timeZone:
				'The IANA name of the time zone in which days, months and years begin, such as `Europe/Madrid`, and in which `between` is meant.',
			dayStart: 'The local time at which a day begins, `HH:MM`.',
		},
	),
	TotalsLine: describedObject(
		lineFields,
		'What is counted of a variable, of earlier lines, or of alarms. A field that has no effect on the function is refused.',
		lineTexts,
	),
	CounterReading: describedObject(counterReadingSchema, 'A reading of a counter.', {
		at: 'Its time, epoch milliseconds.',
		value: 'What the counter showed.',
	}),
	FormulaTerm: describedObject(termSchema, 'A line that a formula uses.', {
		key: 'The key of the line.',
		width: '`high` less `low` of its own number of the whole range; null: it lacks a bound.',
	}),
	DifferingTag: describedObject(differingTagSchema, 'A tag in which sources differ.', {
		name: 'The key of the tag; `_measurement` for the measurement.',
		values: 'At most three of its values, in order. Empty: a source is without the tag.',
	}),
	LineFault: describedObject(faultSchema, 'Why there is no number, or why some of the time is unknown.', {
		code: '`overflow`, `division_by_zero`, `domain`, `outside_curve`, `counter_fell`, `counter_jumped`, `several_series` (several sources write below the topic: while more than one is known, the variable is unknown); of a formula with an increase `too_few_readings` (in the time that its lines have in common) or `counted_before` (days were stored before increases counted over that time); of `leastMean` in windows of hours `period_too_short`; of a whole line `not_numeric`, `type_changed`, `missing_reference` or `stored_row_invalid` (the variable, or a correction of it, cannot be read).',
		window: 'The index of the window. Left out: the number of the whole range, or the whole line.',
		at: 'Of `several_series`: when several sources were first known at once. Of `type_changed`: the first sample of another type. Epoch milliseconds.',
		tags: 'Of `several_series`: the tags in which these sources differ.',
		from: 'The earlier of the two readings whose difference is no number.',
		to: 'The later one.',
	}),
	RangeTotal: describedObject(totalNumberSchema, 'The number of the whole range.', {
		value: 'The number; null where nothing is known.',
		known: 'The share of the time that is known, 0 to 1.',
		low: 'The truth is not less; null where nobody knows.',
		high: 'The truth is not more; null where nobody knows.',
		...detailTexts,
	}),
	CountedLine: describedObject(countedLineSchema, 'The numbers of one line.', {
		key: 'The key of the line.',
		values: 'A number for each window; null where nothing is known, and never 0 for that.',
		known:
			'The share of each window’s time that is known, 0 to 1. Null where no time of the window counts: `between` leaves none, or it is an hour of a least mean.',
		low: 'The truth of each window is not less, whatever happened in the unknown time. Equal to `high` where all is known; null where nobody knows. The error of a meter is not in it, unless the line has `error`.',
		high: 'The truth of each window is not more; null where nobody knows.',
		...detailTexts,
		total: 'The number of the whole range. Only volumes, hours, starts and counts are the sum of the windows.',
		terms: termsText,
		mixed: mixedText,
		faults:
			'Why numbers are missing, or time is unknown, at most 100. A difference of readings that is no number makes its window and the range null.',
		moreFaults: 'How many faults are not listed.',
		corrections: 'The ids of the corrections of the variable that are about some of the range, ascending.',
	}),
	Totals: describedObject(totalsSchema, 'Lines over the same windows.', {
		bounds:
			'n + 1 epoch milliseconds: window i is [bounds[i], bounds[i + 1]), for `increase` and `excursions` (bounds[i], bounds[i + 1]]. A `change` is taken from the value at bounds[i] to that at bounds[i + 1]. The first is the start of the range and the last its end.',
		period: 'The length of the windows; the first and the last may be cut at the range. Null: the range is one window.',
		timeZone: 'The canonical name of the time zone of the windows.',
		dayStart: 'The local time at which a day begins.',
		lines: 'The lines, in the order of the request.',
	}),
} as const;
