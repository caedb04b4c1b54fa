import * as v from 'valibot';
import { maxTokens, tokenSchema, tokensSchema } from '#domain/equation/token.ts';
import { idSchema, text } from '#domain/validation/field.ts';
import { maxNameLength } from '#domain/validation/input-limits.ts';
import { type Aggregate, queryAggregates } from '#domain/variable/aggregates.ts';
import { bitSchema, bitsSchema } from '#domain/variable/bit.ts';
import { maxQueries } from '#domain/variable/queries.ts';
import { maxWindowsPerQuery, querySchema } from '#domain/variable/query.ts';
import { maxQueryTags } from '#domain/variable/tags.ts';
import { commonSchema } from '#domain/variable/variable.ts';
import { described, describedObject } from '../component.ts';

const queries = v.record(text(maxNameLength), querySchema);

const simpleFields = {
	...commonSchema.entries,
	calc: v.literal(false),
	binary_compressed: v.literal(false),
	varsTsdb: v.pipe(queries, v.entries(1)),
};

const calculatedFields = {
	...commonSchema.entries,
	calc: v.literal(true),
	binary_compressed: v.literal(false),
	equation: v.pipe(tokensSchema, v.nonEmpty()),
	varsTsdb: v.pipe(queries, v.maxEntries(maxQueries)),
};

const compressedFields = { ...simpleFields, binary_compressed: v.literal(true), bits: bitsSchema };

/** An input may leave out that it is not bit-compressed; a stored variable always says it. */
const optionalFalse = { binary_compressed: v.nullish(v.literal(false), false) };

/** Why what is stored cannot be shown. */
export const rowFaultSchema = v.object({ code: v.picklist(['stored_row_invalid']), message: v.string() });

/**
 * What a saved row has beside its content: its version, and why it cannot be shown. Versions count from 1, so the schema of ids fits.
 */
export const savedFields = { version: idSchema, fault: v.optional(rowFaultSchema) };

/** The texts of `savedFields`. */
export const savedTexts = {
	version: 'Number of saves, from 1. The `ETag` of the save repeats it, in quotes.',
	fault:
		'Only where what is stored cannot be read. The other fields then stand in for it: they show nothing, and a `varId` is 0. A save replaces it, a deletion removes it, and `changes` holds what was stored.',
} as const;

const simpleInput = v.object({ ...simpleFields, ...optionalFalse });
const calculatedInput = v.object({ ...calculatedFields, ...optionalFalse });
const compressedInput = v.object(compressedFields);
const simpleVariable = v.object({ ...simpleFields, ...savedFields });
// Without tokens where the stored variable cannot be read.
const calculatedVariable = v.object({ ...calculatedFields, equation: tokensSchema, ...savedFields });
const compressedVariable = v.object({ ...compressedFields, ...savedFields });

/** A variable as it is saved and listed. The kind with most fields comes first, because some clients take the first that fits. */
export const variableSchema = v.union([calculatedVariable, compressedVariable, simpleVariable]);

const texts = {
	id: 'The id of the variable. In a save, 0 creates a variable and any other id replaces that one.',
	name: 'The name that users see, at most 200 characters. Outer blanks are removed.',
	unit: 'The unit of the value, as users see it, such as `m³/h`. Empty for a value without a unit, such as a ratio or pH.',
	type: '`last`: the newest value. `history`: a series of windows.',
	process: 'The part of the plant, for grouping.',
	calc: 'False: the variable has no `equation`.',
	binary_compressed: 'False: the value is no byte of `bits`.',
	varsTsdb: 'One query, whose key is the name of the variable.',
} as const;

const calculatedTexts = {
	...texts,
	calc: 'True: the variable is calculated from `equation`.',
	equation: `A formula as a list of tokens, at most ${maxTokens}, with parentheses at most 32 deep. From weak to strong bind comparisons, \`+ -\`, \`* /\`, signs and \`^\`. A fault is reported at the index of its token.`,
	varsTsdb: 'The queries by the names that the equation uses: exactly those.',
} as const;

const compressedTexts = {
	...texts,
	binary_compressed: 'True: the value is one byte whose `bits` are states.',
	bits: 'The named bits, each with its own id and position.',
} as const;

const aggregateTexts: Readonly<Record<Aggregate, string>> = {
	last: 'its newest sample',
	mean: 'the mean of its samples, not weighted by time',
};

/** The schemas of variables. */
export const variableComponents = {
	RowFault: describedObject(rowFaultSchema, 'Why what is stored cannot be shown. The other rows are as always.', {
		code: 'The reason, for programs: `stored_row_invalid`.',
		message: 'The reason, for people, and what to do.',
	}),
	Query: describedObject(
		querySchema,
		`What is read from the time-series database. A history or a mean has at most ${maxWindowsPerQuery} windows (\`calc_time\` over \`calc_period\`). Durations are from 1 ms to 100 years, months and years in whole numbers.`,
		{
			calc_topic: 'The source path of the samples.',
			calc_field: 'The field that is read from the topic.',
			calc_time: 'How far back to read, in `calc_unit`.',
			calc_unit:
				'The unit of `calc_time`: this field or `calc_unit_topic` is required; both must be equal. `m` is minutes, `mo` months.',
			calc_unit_topic: 'Another name of `calc_unit`.',
			calc_period:
				'The length of a window, in `calc_unit_period`. With the aggregate `last`: the expected interval between samples.',
			calc_unit_period: 'The unit of `calc_period`.',
			calc_tags: `Tags by which series of the topic and field are chosen, such as \`{"slave_id": "1"}\`: those that have all of them, at most ${maxQueryTags}. An empty value chooses series without the tag. Left out on an update, the stored tags stay where topic and field do; null removes them.`,
			calc_type_period: `How a window becomes one value: ${queryAggregates.map((name) => aggregateTexts[name]).join(', or ')}.`,
		},
	),
	Token: describedObject(tokenSchema, 'One token of an equation.', {
		value:
			'The name of a query, an operator, or a decimal number as text. Operators are `+ - * / ( ) ^ ,`, `< <= > >= = <>`, and functions, which "(" follows: `abs sqrt exp ln log10 min max round if curve`. The set of operators is open: show one that you do not know as it is.',
		type: 'What the value is.',
	}),
	Bit: describedObject(bitSchema, 'A named bit of a byte.', {
		id: 'The id of the bit, its own within the variable.',
		name: 'The name that users see.',
		bit: 'The position: 0 is the least significant bit, 7 the most significant.',
	}),
	SimpleVariableInput: describedObject(simpleInput, 'A variable to save, with one query.', texts),
	CalculatedVariableInput: describedObject(calculatedInput, 'A variable to save, with a formula over queries.', calculatedTexts),
	BitCompressedVariableInput: describedObject(
		compressedInput,
		'A variable to save, whose value is a byte of named bits. Its aggregate is `last`.',
		compressedTexts,
	),
	VariableInput: described(
		v.union([calculatedInput, compressedInput, simpleInput]),
		'A variable to save: simple, calculated or bit-compressed. Unknown fields are ignored.',
	),
	SimpleVariable: describedObject(simpleVariable, 'A saved variable with one query.', { ...texts, ...savedTexts }),
	CalculatedVariable: describedObject(calculatedVariable, 'A saved variable with a formula over queries.', {
		...calculatedTexts,
		...savedTexts,
	}),
	BitCompressedVariable: describedObject(compressedVariable, 'A saved variable whose value is a byte of named bits.', {
		...compressedTexts,
		...savedTexts,
	}),
	Variable: described(variableSchema, 'A saved variable: simple, calculated or bit-compressed.'),
} as const;
