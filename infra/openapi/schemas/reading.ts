import * as v from 'valibot';
import { type FaultCode, qualities, reasonMessages, skipCodes } from '#domain/reading/quality.ts';
import { maxIds, readRequestSchema } from '#domain/use-cases/read-variables.ts';
import { bitPositionSchema, idSchema } from '#domain/validation/field.ts';
import { described, describedObject } from '../component.ts';

/** The quality of a reading. */
export const qualitySchema = v.picklist(qualities);

const numberOrNull = v.nullable(v.number());

/** A time in ISO 8601, UTC. */
export const timestampSchema = v.pipe(v.string(), v.isoTimestamp());

/** The same, or null. */
export const nullableTimestampSchema = v.nullable(timestampSchema);

const faultCodes = Object.keys(reasonMessages).filter((code): code is FaultCode => code in reasonMessages);

/** A tag in which sources differ. */
export const differingTagSchema = v.object({ name: v.string(), values: v.array(v.string()) });

/** Why a reading is not good. */
export const reasonSchema = v.object({
	code: v.picklist([...faultCodes, ...skipCodes]),
	message: v.string(),
	inputs: v.array(v.string()),
	tags: v.optional(v.array(differingTagSchema)),
});

const bitStateSchema = v.object({
	id: idSchema,
	name: v.string(),
	bit: bitPositionSchema,
	value: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1))),
});

const pointSchema = v.strictTuple([timestampSchema, numberOrNull]);

const lastTypeSchema = v.picklist(['last']);
const historyTypeSchema = v.picklist(['history']);

/**
 * The kinds of readings, which tell the fields that each has: clients of any language choose the type by them. They are components, because
 * a client in Go checks only those.
 */
const kindSchemas = {
	newest: v.picklist(['newest']),
	history: v.picklist(['history']),
	bits: v.picklist(['bits']),
	bitsHistory: v.picklist(['bits_history']),
	calculated: v.picklist(['calculated']),
	calculatedHistory: v.picklist(['calculated_history']),
	missing: v.picklist(['missing']),
};

// The fields of the readings, from which the schemas of all kinds and types are built.
const commonFields = {
	id: idSchema,
	name: v.string(),
	unit: v.string(),
	quality: qualitySchema,
	reason: v.optional(reasonSchema),
};
const lastFields = { ...commonFields, type: lastTypeSchema, value: numberOrNull, time: nullableTimestampSchema };
const historyFields = { ...commonFields, type: historyTypeSchema, series: v.array(pointSchema) };
const bitsFields = { bits: v.array(bitStateSchema) };
const inputTimeFields = { oldestInputAt: nullableTimestampSchema, newestInputAt: nullableTimestampSchema };
const missingFields = {
	id: idSchema,
	// These five are always null. They have the types of other readings, because generators of clients fail on a field that is only null.
	name: v.nullable(v.string()),
	unit: v.nullable(v.string()),
	type: v.nullable(v.string()),
	value: numberOrNull,
	time: nullableTimestampSchema,
	reason: reasonSchema,
};

const readingSchemas = {
	last: v.object({ kind: kindSchemas.newest, ...lastFields }),
	history: v.object({ kind: kindSchemas.history, ...historyFields }),
	bitsLast: v.object({ kind: kindSchemas.bits, ...lastFields, ...bitsFields }),
	bitsHistory: v.object({ kind: kindSchemas.bitsHistory, ...historyFields, ...bitsFields }),
	calculatedLast: v.object({ kind: kindSchemas.calculated, ...lastFields, ...inputTimeFields }),
	calculatedHistory: v.object({ kind: kindSchemas.calculatedHistory, ...historyFields, ...inputTimeFields }),
	missing: v.object({ kind: kindSchemas.missing, ...missingFields, quality: v.picklist(['missing_reference', 'skipped']) }),
};

/** The reading of a variable of any kind and type. */
export const readingSchema = v.variant('kind', [
	readingSchemas.last,
	readingSchemas.history,
	readingSchemas.bitsLast,
	readingSchemas.bitsHistory,
	readingSchemas.calculatedLast,
	readingSchemas.calculatedHistory,
	readingSchemas.missing,
]);

const texts = {
	kind: 'Which fields the reading has.',
	id: 'The id of the variable.',
	name: 'The name of the variable.',
	unit: 'The unit of the value.',
	type: 'The type of the variable: `last` has the newest value, `history` a series of windows.',
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
	NewestKind: described(kindSchemas.newest, 'The newest value of a simple variable.'),
	HistoryKind: described(kindSchemas.history, 'The history of a simple variable.'),
	BitsKind: described(kindSchemas.bits, 'The newest byte of a bit-compressed variable.'),
	BitsHistoryKind: described(kindSchemas.bitsHistory, 'The history of a bit-compressed variable.'),
	CalculatedKind: described(kindSchemas.calculated, 'The value of a formula.'),
	CalculatedHistoryKind: described(kindSchemas.calculatedHistory, 'The history of a formula.'),
	MissingKind: described(kindSchemas.missing, 'The answer for a variable that cannot be shown.'),
	ReadRequest: describedObject(readRequestSchema, 'The variables to read.', {
		ids: `The ids of the variables, at most ${maxIds} (413 otherwise), answered in this order. Left out: every variable of the schema.`,
	}),
	Quality: described(
		qualitySchema,
		'Worst first. `bad`: no usable number. `missing_reference`: no such variable. `skipped`: not read, because the request asks for too much. `no_data`: no sample within the lookback. `stale`: the newest sample is older than two periods, at least 60 s. `good`: the value can be trusted.',
	),
	Reason: describedObject(reasonSchema, 'Why a reading is not `good`.', {
		code: 'The reason, for programs.',
		message: 'The reason, for people, and what to check.',
		inputs: 'The names of the inputs at fault, as in `varsTsdb`.',
		tags: 'Of `several_series`: the tags in which the sources differ, each with its first three values. `calc_tags` chooses one. Absent where they could not be read, and for all but 20 series of an answer.',
	}),
	BitState: describedObject(bitStateSchema, 'The state of a named bit.', {
		id: 'The id of the bit.',
		name: 'The name of the bit.',
		bit: 'The position: 0 is the least significant bit.',
		value: 'The state: 1 or 0; null where the byte is unknown.',
	}),
	HistoryPoint: described(pointSchema, 'The end of a window, in UTC, and its value; null where a formula has no value there.'),
	LastReading: describedObject(readingSchemas.last, 'The newest value of a simple variable.', lastTexts),
	HistoryReading: describedObject(readingSchemas.history, 'The history of a simple variable.', historyTexts),
	BitsReading: describedObject(readingSchemas.bitsLast, 'The newest byte of a bit-compressed variable.', {
		...lastTexts,
		...bitsText,
	}),
	BitsHistoryReading: describedObject(readingSchemas.bitsHistory, 'The history of a bit-compressed variable.', {
		...historyTexts,
		...bitsText,
	}),
	CalculatedReading: describedObject(
		readingSchemas.calculatedLast,
		'The value of a formula. Its time is that of its oldest input, its quality the worst of its inputs.',
		{ ...lastTexts, ...inputTexts },
	),
	CalculatedHistoryReading: describedObject(readingSchemas.calculatedHistory, 'The history of a formula.', {
		...historyTexts,
		...inputTexts,
	}),
	MissingReading: describedObject(
		readingSchemas.missing,
		'The answer for an id that no variable has, and for a variable whose name would make the answer too large.',
		{
			...texts,
			value: 'Null.',
			time: 'Null.',
		},
	),
	Reading: described(readingSchema, 'What a variable shows at one moment. One that cannot be read never fails the others.'),
} as const;
