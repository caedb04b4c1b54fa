import * as v from 'valibot';
import { qualities, reasonMessages, skipCodes } from '#domain/reading/quality.ts';
import { maxIds, readRequestSchema } from '#domain/use-cases/read-variables.ts';
import { bitPositionSchema, idSchema } from '#domain/validation/field.ts';
import { described, describedObject } from '../component.ts';

/** The quality of a reading. */
export const qualitySchema = v.picklist(qualities);

const value = v.nullable(v.number());

/** A time in ISO 8601, UTC. */
export const timestampSchema = v.pipe(v.string(), v.isoTimestamp());

const time = v.nullable(timestampSchema);

/** Why a reading is not good. */
export const reasonSchema = v.object({
	code: v.picklist([...Object.keys(reasonMessages), ...skipCodes]),
	message: v.string(),
	inputs: v.array(v.string()),
});

const bitState = v.object({
	id: idSchema,
	name: v.string(),
	bit: bitPositionSchema,
	value: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1))),
});

const point = v.strictTuple([timestampSchema, value]);

// Enumerations of one value. A client in Go checks them and so tells a reading from a missing one, whose type is null.
const lastType = v.picklist(['last']);
const historyType = v.picklist(['history']);

const common = { id: idSchema, name: v.string(), unit: v.string(), quality: qualitySchema, reason: v.optional(reasonSchema) };
const last = { ...common, type: lastType, value, time };
const history = { ...common, type: historyType, series: v.array(point) };
const bits = { bits: v.array(bitState) };
const inputTimes = { oldestInputAt: time, newestInputAt: time };
const missing = {
	id: idSchema,
	name: v.null(),
	unit: v.null(),
	type: v.null(),
	value,
	time,
	reason: reasonSchema,
};

const schemas = {
	last: v.object(last),
	history: v.object(history),
	bitsLast: v.object({ ...last, ...bits }),
	bitsHistory: v.object({ ...history, ...bits }),
	calculatedLast: v.object({ ...last, ...inputTimes }),
	calculatedHistory: v.object({ ...history, ...inputTimes }),
	missing: v.object({ ...missing, quality: v.picklist(['missing_reference', 'skipped']) }),
};

/** The reading of a variable of any kind and type. */
export const readingSchema = v.union([
	schemas.bitsLast,
	schemas.bitsHistory,
	schemas.calculatedLast,
	schemas.calculatedHistory,
	schemas.last,
	schemas.history,
	schemas.missing,
]);

const texts = {
	id: 'The id of the variable.',
	name: 'The name of the variable.',
	unit: 'The unit of the value.',
	type: 'The type of the variable.',
	quality: 'Whether the value can be trusted.',
	reason: 'Why the quality is not `good`; absent only where it is.',
} as const;
const lastTexts = {
	...texts,
	value: 'The value; null where there is no number. 0 is a value.',
	time: 'When the value was sampled, in UTC.',
};
const historyTexts = {
	...texts,
	series: '`[time, value]` of each window that holds samples, oldest first. The time is the end of the window.',
};
const bitsText = { bits: 'The state of every named bit, of the newest byte.' };
const inputTexts = {
	oldestInputAt: 'The time of the oldest input, in UTC; null where no input has one.',
	newestInputAt: 'The time of the newest input, in UTC; null where no input has one.',
} as const;

/** The schemas of readings. */
export const readingComponents = {
	ReadRequest: describedObject(readRequestSchema, 'The variables to read.', {
		ids: `The ids of the variables, at most ${maxIds} (413 otherwise), answered in this order. Left out: every variable of the schema.`,
	}),
	Quality: described(
		qualitySchema,
		'Worst first. `bad`: no usable number. `missing_reference`: no such variable. `skipped`: not read, because the request asks for too much. `no_data`: no sample within the lookback. `stale`: the newest sample is older than two periods, at least 60 s. `good`: the value can be trusted.',
	),
	LastType: described(lastType, 'The reading has the newest value.'),
	HistoryType: described(historyType, 'The reading has a series of windows.'),
	Reason: describedObject(reasonSchema, 'Why a reading is not `good`.', {
		code: 'The reason, for programs.',
		message: 'The reason, for people, and what to check.',
		inputs: 'The names of the inputs at fault, as in `varsTsdb`.',
	}),
	BitState: describedObject(bitState, 'The state of a named bit.', {
		id: 'The id of the bit.',
		name: 'The name of the bit.',
		bit: 'The position: 0 is the least significant bit.',
		value: 'The state: 1 or 0; null where the byte is unknown.',
	}),
	HistoryPoint: described(point, 'The end of a window, in UTC, and its value; null where a formula has no value there.'),
	LastReading: describedObject(schemas.last, 'The newest value of a simple variable.', lastTexts),
	HistoryReading: describedObject(schemas.history, 'The history of a simple variable.', historyTexts),
	BitsReading: describedObject(schemas.bitsLast, 'The newest byte of a bit-compressed variable.', { ...lastTexts, ...bitsText }),
	BitsHistoryReading: describedObject(schemas.bitsHistory, 'The history of a bit-compressed variable.', {
		...historyTexts,
		...bitsText,
	}),
	CalculatedReading: describedObject(
		schemas.calculatedLast,
		'The value of a formula. Its time is that of its oldest input, its quality the worst of its inputs.',
		{ ...lastTexts, ...inputTexts },
	),
	CalculatedHistoryReading: describedObject(schemas.calculatedHistory, 'The history of a formula.', {
		...historyTexts,
		...inputTexts,
	}),
	MissingReading: describedObject(
		schemas.missing,
		'The answer for an id that no variable has, and for a variable whose name would make the answer too large.',
		{
			...texts,
			value: 'Null.',
			time: 'Null.',
		},
	),
	Reading: described(readingSchema, 'What a variable shows at one moment. One that cannot be read never fails the others.'),
} as const;
