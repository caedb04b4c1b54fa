import * as v from 'valibot';

/** Maximum length of a name, unit or process of a variable, in characters (DESIGN.md section 3.7). */
export const maxNameLength = 200;

/** Maximum length of any other text (topics, fields, titles, names of bits and panel items), in characters. */
export const maxTextLength = 1000;

/**
 * Creates a schema of text that is not empty. Text with a lone surrogate is rejected, because it would be stored and sent back as
 * another character.
 * @param maxLength in characters (code points), not UTF-16 units
 */
export function text(maxLength: number) {
	return v.pipe(
		v.string(),
		v.nonEmpty('Must not be empty.'),
		v.check((value) => value.isWellFormed(), 'Must be well-formed Unicode (it holds half of a surrogate pair).'),
		v.check((value) => value.length <= maxLength || [...value].length <= maxLength, `At most ${maxLength} characters.`),
	);
}

/** A finite number that JSON keeps as it is. JSON loses 1e400 and -0. */
export const finiteNumber = v.pipe(
	v.number(),
	v.finite('Must be a finite number.'),
	v.check((value) => !Object.is(value, -0), 'Must not be -0.'),
);

/** An identifier: an integer from 0 to 2^53 - 1, not -0 (DESIGN.md section 6.7). */
export const idSchema = v.pipe(
	finiteNumber,
	v.check((value) => Number.isSafeInteger(value) && value >= 0, 'Must be a whole number from 0 to 9007199254740991.'),
);

/** The id of a variable that something refers to. It is positive: no stored variable has id 0. */
export const variableIdSchema = v.pipe(
	finiteNumber,
	v.check((value) => Number.isSafeInteger(value) && value > 0, 'Must be the id of a variable.'),
);

/** Position of a bit in a byte, 0 = least significant (DESIGN.md section 4.3). */
export const bitPositionSchema = v.pipe(
	finiteNumber,
	v.check((value) => Number.isInteger(value) && value >= 0 && value <= 7, 'Must be a whole number from 0 to 7.'),
);

const objectSchema = v.looseObject({});

/** Returns a field of an unchecked object; undefined where `value` is not an object. */
export function fieldOf(value: unknown, key: string): unknown {
	return v.is(objectSchema, value) ? value[key] : undefined;
}

/** Limits the length of a list. Counts invalid items too, so that both problems are reported at once. */
export function atMost<Item>(maxLength: number, itemsName: string) {
	return v.rawCheck<Item[]>(({ dataset, addIssue }) => {
		const raw: unknown = dataset.value;
		if (Array.isArray(raw) && raw.length > maxLength)
			addIssue({ message: `At most ${maxLength} ${itemsName}; this has ${raw.length}.` });
	});
}

/** Limits the number of different variables that the items of some lists refer to. Counts otherwise invalid items too. */
export function atMostVariables<Input>(maxVariables: number, ...lists: readonly (keyof Input & string)[]) {
	return v.rawCheck<Input>(({ dataset, addIssue }) => {
		const count = new Set(lists.flatMap((list) => variableIdsIn(fieldOf(dataset.value, list)))).size;
		if (count > maxVariables) addIssue({ message: `At most ${maxVariables} different variables; this refers to ${count}.` });
	});
}

/**
 * Requires that the items of a list differ in the number `key`, and reports each item that repeats an earlier one. Compares
 * invalid items too, so that all problems are reported at once.
 */
export function uniqueBy<Item>(key: keyof Item & string) {
	return v.rawCheck<Item[]>(({ dataset, addIssue }) => {
		const raw: unknown = dataset.value;
		if (!Array.isArray(raw)) return;
		const items: readonly unknown[] = raw;
		const seen = new Map<number, number>();
		for (const [index, item] of items.entries()) {
			const value = fieldOf(item, key);
			if (typeof value !== 'number') continue;
			const first = seen.get(value);
			if (first === undefined) seen.set(value, index);
			else
				addIssue({
					message: `Must be unique: entry ${first} has ${key} ${value} too.`,
					path: [
						{ type: 'array', origin: 'value', input: raw, key: index, value: item },
						{ type: 'object', origin: 'value', input: { item }, key, value },
					],
				});
		}
	});
}

function variableIdsIn(list: unknown): readonly number[] {
	const ids: unknown[] = Array.isArray(list) ? list.map((item) => fieldOf(item, 'varId')) : [];
	return ids.filter((id) => v.is(variableIdSchema, id));
}
