import * as v from 'valibot';
import { DomainError } from '../errors.ts';
import { type CountedThing, countedWords } from './counted.ts';
import { type Keywords, withKeywords } from './keywords.ts';
import { maxIssues, messageFor, problemOf } from './parse.ts';
import { type Problem, problem } from './problem.ts';

/**
 * Creates a schema of text that is not empty. Text with a lone surrogate is rejected, because it would be stored and sent back as
 * another character.
 * @param maxLength in characters (code points), not UTF-16 units
 */
export function text(maxLength: number) {
	return v.pipe(textOrEmpty(maxLength), v.nonEmpty(messageFor(problem('empty', 'Must not be empty.'))));
}

/** Creates a schema of text as `text` does, which may be empty. */
export function textOrEmpty(maxLength: number) {
	return v.pipe(
		v.string(),
		rule<string>(
			(value) => value.isWellFormed(),
			problem('not_well_formed', 'Must be well-formed Unicode (it holds half of a surrogate pair).'),
		),
		rule<string>(
			(value) => isWithin(value, maxLength),
			problem('too_long', `At most ${maxLength} characters.`, { limit: maxLength }),
			{ maxLength },
		),
	);
}

/** Returns whether text has at most `maxLength` characters (code points). A character has one or two UTF-16 units, so most texts need no counting. */
export function isWithin(value: string, maxLength: number): boolean {
	return value.length <= maxLength || (value.length <= 2 * maxLength && [...value].length <= maxLength);
}

/** Creates a schema of a field that may be left out. A client may also send null for it. */
export function optionalField<Schema extends v.GenericSchema>(schema: Schema) {
	const nullToUndefined = v.transform<v.InferOutput<Schema> | null, v.InferOutput<Schema> | undefined>(
		(value) => value ?? undefined,
	);
	return v.optional(v.pipe(v.nullable(schema), withKeywords(nullToUndefined, {})));
}

/** A finite number that JSON keeps as it is. JSON loses 1e400 and -0. */
export const finiteNumber = v.pipe(
	v.number(),
	v.finite(messageFor(problem('not_finite', 'Must be a finite number.'))),
	rule<number>((value) => !Object.is(value, -0), problem('negative_zero', 'Must not be -0.')),
);

/** Creates a schema of a number within limits, both included. */
export function numberFrom(minimum: number, maximum: number) {
	const message = `Must be a number from ${minimum} to ${maximum}.`;
	return v.pipe(
		finiteNumber,
		rule<number>((value) => value >= minimum && value <= maximum, problem('number_out_of_range', message, { minimum, maximum }), {
			minimum,
			maximum,
		}),
	);
}

/** A share, such as a place as a part of a width. */
export const fraction = numberFrom(0, 1);

/**
 * An identifier: an integer from 0 to 2^53 - 1, not -0 (shared/adapters/dynamo/README.md#ids). A variable or a board that is sent with 0 is a
 * new one.
 */
export const idSchema = v.pipe(finiteNumber, integerFrom(0, Number.MAX_SAFE_INTEGER));

/** The id of something stored, at least 1. */
export const storedIdSchema = v.pipe(finiteNumber, integerFrom(1, Number.MAX_SAFE_INTEGER));

/** Counts the ids of a request before they are parsed. @throws DomainError `too_large` */
export function checkIdCount(ids: unknown, limit: number): void {
	if (Array.isArray(ids) && ids.length > limit)
		throw new DomainError('too_large', { field: 'ids', counted: 'ids', actual: ids.length, limit });
}

/** Creates a schema of a list of different ids. `schema` is that of an id. */
export function distinctIds<Schema extends v.GenericSchema<unknown, number>>(maxIds: number, schema: Schema) {
	return v.pipe(
		...listUpTo(schema, maxIds, 'ids'),
		v.nonEmpty(messageFor(problem('no_items', 'At least one id is required.', { items: 'ids' }))),
		distinct(maxIds),
	);
}

/** The id of a referenced variable, at least 1. */
export const variableIdSchema = v.pipe(
	finiteNumber,
	integerFrom(1, Number.MAX_SAFE_INTEGER, problem('not_a_variable_id', 'Must be the id of a variable.')),
);

const maxBitPosition = 7;

/** Position of a bit in a byte, 0 = least significant (shared/domain/variable/README.md#bits). */
export const bitPositionSchema = v.pipe(finiteNumber, integerFrom(0, maxBitPosition));

/** Returns a field of an unchecked object; undefined where `value` is not an object. */
export function fieldOf(value: unknown, key: string): unknown {
	return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

/**
 * Returns the first items of the pipe of a list: it has at most `maxLength` items. The items of a longer list are not parsed, and parsing
 * stops after more invalid items than a response lists.
 * @param itemsName what the list holds, in the plural
 * @param described the items that the API's description shows, where `schema` names more fields to refuse them. Left out: `schema`
 * @example
 * v.pipe(...listUpTo(bitSchema, 8, 'bits'), uniqueBy<Bit>('id'));
 */
export function listUpTo<Schema extends v.GenericSchema, Described extends v.GenericSchema = Schema>(
	schema: Schema,
	maxLength: number,
	itemsName: CountedThing,
	described?: Described,
) {
	return [
		v.instance(Array<v.InferInput<Described>>),
		atMost<v.InferInput<Described>>(maxLength, itemsName),
		withKeywords(eachItem<v.InferInput<Described>, Schema>(schema), { items: described ?? schema }),
	] as const;
}

/**
 * A rule of a schema: reports `cause` for a value that is not valid.
 * @param keywords what JSON Schema can say of the rule
 */
export function rule<Value>(isValid: (value: Value) => boolean, cause: Problem, keywords: Keywords = {}) {
	return withKeywords(v.check<Value, (issue: object) => string>(isValid, messageFor(cause)), keywords);
}

/** Requires a number greater than 0. Follows `finiteNumber` in a pipe. */
export const positive = rule<number>((value) => value > 0, problem('not_positive', 'Must be greater than 0.'), {
	exclusiveMinimum: 0,
});

/** Requires a number that is at least 0. Follows `finiteNumber` in a pipe. */
export const notNegative = rule<number>((value) => value >= 0, problem('below_minimum', 'Must be at least 0.', { minimum: 0 }), {
	minimum: 0,
});

/** Requires a whole number within limits, both included. Follows `finiteNumber` in a pipe. */
export function integerFrom(minimum: number, maximum: number, cause = notWholeWithin(minimum, maximum)) {
	return rule<number>((value) => Number.isSafeInteger(value) && value >= minimum && value <= maximum, cause, {
		type: 'integer',
		minimum,
		maximum,
	});
}

/** The problem of a list or map that is too long. `items` is what it holds. */
export function tooManyItems(items: CountedThing, limit: number, actual: number): Problem {
	return problem('too_many_items', `At most ${limit} ${countedWords[items]}; this has ${actual}.`, { items, limit, actual });
}

/** Limits the length of a list. */
export function atMost<Item>(maxLength: number, items: CountedThing) {
	const check = v.rawCheck<Item[]>(({ dataset, addIssue }) => {
		const raw: unknown = dataset.value;
		if (Array.isArray(raw) && raw.length > maxLength)
			addIssue({ message: messageFor(tooManyItems(items, maxLength, raw.length)) });
	});
	return withKeywords(check, { maxItems: maxLength });
}

/** Parses the items of a list. Stops after more invalid items than a response lists. */
function eachItem<Item, Schema extends v.GenericSchema>(schema: Schema) {
	return v.rawTransform<Item[], v.InferOutput<Schema>[]>(({ dataset, addIssue, NEVER }) => {
		const input = dataset.value;
		const output: v.InferOutput<Schema>[] = [];
		let invalidCount = 0;
		for (const [key, value] of input.entries()) {
			const result = v.safeParse(schema, value);
			if (result.success) output.push(result.output);
			else {
				for (const issue of result.issues)
					addIssue({
						message: messageFor(problemOf(issue)),
						path: [{ type: 'array', origin: 'value', input, key, value }, ...(issue.path ?? [])],
					});
				invalidCount += 1;
				if (invalidCount > maxIssues) break;
			}
		}
		return invalidCount > 0 ? NEVER : output;
	});
}

/** Requires that the items of a list differ, and reports each that repeats an earlier one. A list that is too long has an issue of its own. */
export function distinct<Item>(maxLength: number) {
	const check = v.rawCheck<Item[]>(({ dataset, addIssue }) => {
		const input: unknown = dataset.value;
		if (!Array.isArray(input) || input.length > maxLength) return;
		const firstPositions = new Map<unknown, number>();
		for (const [key, value] of input.entries()) {
			const first = firstPositions.get(value);
			if (first === undefined) firstPositions.set(value, key);
			else
				addIssue({
					message: messageFor(problem('repeated', `Must be unique: entry ${first} is the same.`, { entry: first })),
					path: [{ type: 'array', origin: 'value', input, key, value }],
				});
		}
	});
	return withKeywords(check, { uniqueItems: true });
}

/**
 * Limits the number of different variables that the items of some lists refer to. Counts otherwise invalid items too. A list of more
 * than `maxItems` counts nothing: it has an issue of its own.
 */
export function atMostVariables<Input>(maxVariables: number, maxItems: number, ...lists: readonly (keyof Input & string)[]) {
	return v.rawCheck<Input>(({ dataset, addIssue }) => {
		const count = new Set(lists.flatMap((list) => variableIdsIn(fieldOf(dataset.value, list), maxItems))).size;
		if (count <= maxVariables) return;
		const message = `At most ${maxVariables} different variables; this refers to ${count}.`;
		addIssue({ message: messageFor(problem('too_many_variables', message, { limit: maxVariables, actual: count })) });
	});
}

/**
 * Requires that the items of a list differ in the number `key`, and reports each item that repeats an earlier one, up to one more
 * than a response lists. Compares invalid items too, so that all problems are reported at once.
 */
export function uniqueBy<Item>(key: keyof Item & string) {
	return v.rawCheck<Item[]>(({ dataset, addIssue }) => {
		const raw: unknown = dataset.value;
		if (!Array.isArray(raw)) return;
		const items: readonly unknown[] = raw;
		const firstIndexes = new Map<number, number>();
		let repeatedCount = 0;
		for (const [index, item] of items.entries()) {
			const value = fieldOf(item, key);
			if (typeof value !== 'number') continue;
			const first = firstIndexes.get(value);
			if (first === undefined) firstIndexes.set(value, index);
			else {
				const message = `Must be unique: entry ${first} has ${key} ${value} too.`;
				addIssue({
					message: messageFor(problem('not_unique', message, { entry: first, field: key, value })),
					path: [
						{ type: 'array', origin: 'value', input: raw, key: index, value: item },
						// Valibot's type requires an input of a field, which nothing reads.
						{ type: 'object', origin: 'value', input: { item }, key, value },
					],
				});
				repeatedCount += 1;
				if (repeatedCount > maxIssues) break;
			}
		}
	});
}

function notWholeWithin(minimum: number, maximum: number): Problem {
	const message = `Must be a whole number from ${minimum} to ${maximum}.`;
	return problem('whole_number_out_of_range', message, { minimum, maximum });
}

/** Returns the valid ids of variables in the items of a list; none of a list that is too long. */
function variableIdsIn(list: unknown, maxItems: number): readonly number[] {
	const ids: unknown[] = Array.isArray(list) && list.length <= maxItems ? list.map((item) => fieldOf(item, 'varId')) : [];
	return ids.filter((id) => v.is(variableIdSchema, id));
}
