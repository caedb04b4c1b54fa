import * as v from 'valibot';

/** Longest name, unit or process of a variable, in characters (design section 4). */
export const maxNameLength = 200;

/** Longest other text that is not limited by the design: topics, fields, titles, names of bits and panel items. */
export const maxTextLength = 1000;

/**
 * Text that is not empty and can be stored and sent back as it is: a lone surrogate would come back as another character.
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

/** A finite number that survives JSON as it is: 1e400 and -0 do not. */
export const finiteNumber = v.pipe(
	v.number(),
	v.finite('Must be a finite number.'),
	v.check((value) => !Object.is(value, -0), 'Must not be -0.'),
);

/** An identifier chosen by us or the client: an integer from 0 to 2^53 - 1, and not -0 (specification section 2.1). */
export const idSchema = v.pipe(
	finiteNumber,
	v.check((value) => Number.isSafeInteger(value) && value >= 0, 'Must be a whole number from 0 to 9007199254740991.'),
);

/** The id of a variable that something refers to: a positive one, for 0 is no variable's. */
export const variableIdSchema = v.pipe(
	finiteNumber,
	v.check((value) => Number.isSafeInteger(value) && value > 0, 'Must be the id of a variable.'),
);

const varIdSchema = v.object({ varId: variableIdSchema });

/** The variables that a list of items refers to, as it came: items that are wrong otherwise count too. */
export function varIdsIn(list: unknown): readonly number[] {
	return Array.isArray(list) ? list.filter((item) => v.is(varIdSchema, item)).map(({ varId }) => varId) : [];
}

/** Position of a bit in a byte, 0 = least significant (design section 4). */
export const bitPositionSchema = v.pipe(
	finiteNumber,
	v.check((value) => Number.isInteger(value) && value >= 0 && value <= 7, 'Must be a whole number from 0 to 7.'),
);

/** A list's length, counting items that are wrong by themselves too: their offences must not hide this one. */
export function atMost<Item>(maxLength: number, what: string) {
	return v.rawCheck<Item[]>(({ dataset, addIssue }) => {
		const given: unknown = dataset.value;
		if (Array.isArray(given) && given.length > maxLength)
			addIssue({ message: `At most ${maxLength} ${what}; this has ${given.length}.` });
	});
}

/**
 * Items of a list that must differ in `key`: every later one that repeats an earlier one is an offence. Looks at items
 * that are wrong otherwise too, so that their offences hide none of these.
 */
export function uniqueBy<Item>(key: keyof Item & string) {
	return v.rawCheck<Item[]>(({ dataset, addIssue }) => {
		const given: unknown = dataset.value;
		if (!Array.isArray(given)) return;
		const items: unknown[] = given;
		const seen = new Map<number, number>();
		for (const [index, item] of items.entries()) {
			const value = numberAt(item, key);
			if (value === undefined) continue;
			const first = seen.get(value);
			if (first === undefined) seen.set(value, index);
			else
				addIssue({
					message: `Must be unique: entry ${first} has ${key} ${value} too.`,
					path: [
						{ type: 'array', origin: 'value', input: items, key: index, value: item },
						{ type: 'object', origin: 'value', input: { item }, key, value },
					],
				});
		}
	});
}

function numberAt(item: unknown, key: string): number | undefined {
	const given: unknown = v.is(v.looseObject({}), item) ? Object.entries(item).find(([name]) => name === key)?.[1] : undefined;
	return typeof given === 'number' ? given : undefined;
}
