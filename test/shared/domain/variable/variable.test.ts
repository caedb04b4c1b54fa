import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseVariable, toJson } from '#domain/variable/variable.ts';
import { makeBitsBody, makeBody, makeCalculatedBody, makeQuery } from '#test/support/builders/builders.ts';
import { tokensOf } from '#test/support/builders/equations.ts';
import { offencesOf } from '#test/support/validation-issues.ts';
import { readVectors } from '#test/support/vectors.ts';

/** The body of a variable, and the paths of its offences; JSON in `body` and `json` is raw text, for what JSON's writers lose. */
interface VariableVector {
	readonly reason: string;
	readonly base: 'simple' | 'calculated' | 'bits';
	/** The whole body, instead of `base`. */
	readonly body?: string;
	/** Fields in place of the base's; `json`: the same as raw text. */
	readonly with?: Readonly<Record<string, unknown>>;
	readonly json?: string;
	readonly without?: readonly string[];
	/** Fields in place of those of the base's only query. */
	readonly query?: Readonly<Record<string, unknown>>;
	readonly refused: readonly string[];
	/** What messages contain, by path. */
	readonly says?: Readonly<Record<string, readonly string[]>>;
	/** Fields of the parsed variable, in the wire's form, and fields that it does not have. */
	readonly becomes?: Readonly<Record<string, unknown>>;
	readonly drops?: readonly string[];
	readonly dropsInQuery?: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

const bases: Readonly<Record<VariableVector['base'], (overrides?: Fields) => Record<string, unknown>>> = {
	simple: makeBody,
	calculated: (overrides) => makeCalculatedBody('a + b', overrides),
	bits: makeBitsBody,
};

const bodyOf = ({ base, body, json, with: overrides, without = [], query }: VariableVector): unknown => {
	if (body !== undefined) return JSON.parse(body);
	const raw: Fields = json === undefined ? {} : JSON.parse(json);
	const queries = query === undefined ? {} : { varsTsdb: { Flow: { ...makeQuery(), ...query } } };
	const made = bases[base]({ ...queries, ...overrides, ...raw });
	return Object.fromEntries(Object.entries(made).filter(([key]) => !without.includes(key)));
};

const pathsIn = (body: unknown): readonly string[] => Object.keys(offencesOf(() => parseVariable(body))).toSorted();

describe('a variable', () => {
	const vectors = readVectors<VariableVector>('variables');

	test.each(vectors.filter(({ refused }) => refused.length > 0))('$base, refused at $refused: $reason', (vector) => {
		const offences = offencesOf(() => parseVariable(bodyOf(vector)));
		expect(Object.keys(offences).toSorted()).toEqual(vector.refused.toSorted());
		for (const message of Object.values(offences)) expect(message).toMatch(/^[A-Z].*\.$/s);
		for (const [path, words] of Object.entries(vector.says ?? {}))
			for (const word of words) expect(offences[path]).toContain(word);
	});

	test.each(vectors.filter(({ refused }) => refused.length === 0))('$base: $reason', (vector) => {
		const body = bodyOf(vector);
		const variable = parseVariable(body);
		const wire = toJson(variable);
		expect(wire).toMatchObject(vector.becomes ?? {});
		expect(parseVariable(wire)).toEqual(variable);
		expect(parseVariable(JSON.parse(JSON.stringify(wire)))).toEqual(variable);
		for (const key of vector.drops ?? []) expect(Object.hasOwn(wire, key)).toBe(false);
		for (const key of vector.dropsInQuery ?? []) expect(JSON.stringify(wire)).not.toContain(`"${key}"`);
		if (vector.drops === undefined && vector.dropsInQuery === undefined && vector.becomes === undefined)
			expect(wire).toEqual(body);
	});

	test.each([
		['letters', 'é'],
		['emoji', '😀'],
	])('has a name, a unit and a process of at most 200 %s', (_, character) => {
		const [most, more] = [character.repeat(200), character.repeat(201)];
		expect(pathsIn(makeBody({ name: most, unit: most, process: most }))).toEqual([]);
		expect(pathsIn(makeBody({ name: more, unit: most, process: most }))).toEqual(['name']);
		expect(pathsIn(makeBody({ name: more, unit: more, process: more }))).toEqual(['name', 'process', 'unit']);
	});

	test.each([
		['letters', 'é'],
		['emoji', '😀'],
	])('has names in its equation of at most 200 %s', (_, character) => {
		expect(pathsIn(makeCalculatedBody(character.repeat(200)))).toEqual([]);
		expect(pathsIn(makeCalculatedBody(character.repeat(201)))).toEqual(['varsTsdb']);
	});

	test('has an equation of at most 256 tokens, and with more no name that it does not use', () => {
		const sum = Array(128).fill('a').join(' + ');
		expect(pathsIn(makeCalculatedBody(sum, { equation: tokensOf(`- ${sum}`) }))).toEqual([]);
		expect(pathsIn(makeCalculatedBody(sum, { equation: tokensOf(`- - ${sum}`) }))).toEqual(['equation']);
	});

	test('has parentheses in its equation at most 32 deep', () => {
		const nested = (depth: number) => [...Array(depth).fill('('), 'a', ...Array(depth).fill(')')].join(' ');
		expect(pathsIn(makeCalculatedBody(nested(32)))).toEqual([]);
		expect(pathsIn(makeCalculatedBody(nested(33)))).toEqual(['equation.32']);
	});

	test('that is wrong in thousands of places is told of a thousand, and of how many more', () => {
		const varsTsdb = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`q${index}`, null]));
		const offences = offencesOf(() => parseVariable(makeCalculatedBody('1', { varsTsdb })));
		expect(Object.keys(offences)).toHaveLength(1001);
		expect(offences['request']).toBe('2000 more fields are wrong and not listed.');
	});

	test('changes no object but the one that it returns', () => {
		parseVariable(
			JSON.parse(
				JSON.stringify(makeBody()).replace('{', '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},'),
			),
		);
		expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
	});
});

const word = fc.oneof(
	fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
	fc.constantFrom('__proto__', 'constructor', 'toString', ' ', '.', '5'),
);
const query = fc.record({
	calc_topic: word,
	calc_time: fc.integer({ min: 1, max: 500 }),
	calc_unit_period: fc.constantFrom('s', 'mo', 'y'),
});

/** Right bodies of every kind. */
const bodies = fc
	.record({ id: fc.maxSafeNat(), name: word, unit: word, process: word, type: fc.constantFrom('last', 'history') })
	.chain((common) => {
		const queries = (names: readonly string[]) =>
			fc
				.tuple(...names.map(() => query))
				.map((made) =>
					Object.fromEntries(names.map((name, index) => [name, { ...makeQuery({ calc_unit: 's' }), ...made[index] }])),
				);
		const own = queries([common.name]);
		return fc.oneof(
			own.map((varsTsdb) => ({ ...makeBody(), ...common, varsTsdb })),
			own.map((varsTsdb) => ({ ...makeBitsBody(), ...common, varsTsdb })),
			fc.uniqueArray(word, { minLength: 1, maxLength: 4 }).chain((names) =>
				queries(names).map((varsTsdb) => {
					const equation = names.flatMap((value, index) => [
						{ value: index % 2 === 0 ? '-' : '/', type: 'operator' },
						{ value, type: 'variable' },
					]);
					return { ...makeCalculatedBody('a'), ...common, equation, varsTsdb };
				}),
			),
		);
	});

/** One thing made wrong: a field of the body, or of its queries. `at`: the path of the offence, where it is not the field. */
interface Break {
	readonly field?: readonly [string, unknown];
	readonly inQuery?: readonly [string, unknown];
	readonly at?: string;
}

const common: readonly Break[] = [
	{ field: ['id', 1.5] },
	{ field: ['name', 7] },
	{ field: ['unit', ''] },
	{ field: ['process', null] },
	{ field: ['type', 'first'] },
	{ inQuery: ['calc_topic', ''] },
	{ inQuery: ['calc_field', 5] },
	{ inQuery: ['calc_time', 0] },
	{ inQuery: ['calc_unit_topic', 'h'] },
	{ inQuery: ['calc_period', '1'] },
	{ inQuery: ['calc_unit_period', 'min'] },
];

/** For each kind what can be wrong without making anything else wrong. */
const independent: readonly { readonly base: VariableVector['base']; readonly breaks: readonly Break[] }[] = [
	{
		base: 'simple',
		breaks: [...common, { field: ['calc', 0] }, { field: ['binary_compressed', 'no'] }, { inQuery: ['calc_type_period', ''] }],
	},
	{
		base: 'calculated',
		breaks: [...common, { field: ['binary_compressed', true] }, { field: ['equation', tokensOf('a + b +')], at: 'equation.3' }],
	},
	{
		base: 'bits',
		breaks: [
			...common,
			{ field: ['bits', [{ id: 1, name: '', bit: 0 }]], at: 'bits.0.name' },
			{ inQuery: ['calc_type_period', 'mean'] },
		],
	},
];

describe('parsing a variable', () => {
	test('gives what is sent back as it was, and reads it again', () => {
		fc.assert(
			fc.property(bodies, (body) => {
				const variable = parseVariable(body);
				expect(toJson(variable)).toEqual(body);
				expect(parseVariable(JSON.parse(JSON.stringify(toJson(variable))))).toEqual(variable);
			}),
		);
	});

	test('refuses any JSON with nothing but offences', () => {
		fc.assert(fc.property(fc.jsonValue(), (input) => pathsIn(input).length > 0));
	});

	test('refuses any JSON with the fields of a variable with nothing but offences', () => {
		const fields = ['id', 'name', 'unit', 'type', 'calc', 'process', 'binary_compressed', 'equation', 'bits', 'varsTsdb'];
		const likely = fc.oneof(
			fc.jsonValue({ maxDepth: 3 }),
			fc.boolean(),
			fc.constantFrom<unknown>('last', {}, [], [[]], [{}], { '': {} }),
		);
		fc.assert(
			fc.property(fc.dictionary(fc.constantFrom(...fields), likely), (input) => {
				pathsIn(input);
			}),
		);
	});

	test('refuses every body with one value changed with nothing but offences, or takes what it sends back again', () => {
		const replacement = fc.oneof(
			fc.jsonValue({ maxDepth: 1 }),
			fc.constantFrom<unknown>(Number.POSITIVE_INFINITY, -0, 2 ** 53, '', '\ud83d', '(', 'variable', 'mean', 1e-9, 1e9),
		);
		fc.assert(
			fc.property(bodies, fc.nat(), replacement, (body, place, value) => {
				let index = 0;
				const text = JSON.stringify(body);
				let count = 0;
				JSON.parse(text, (_, each: unknown) => {
					count += 1;
					return each;
				});
				const changed: unknown = JSON.parse(text, (_, each: unknown) => {
					index += 1;
					return index === (place % count) + 1 ? value : each;
				});
				if (pathsIn(changed).length > 0) return;
				const variable = parseVariable(changed);
				expect(parseVariable(JSON.parse(JSON.stringify(toJson(variable))))).toEqual(variable);
			}),
			{ numRuns: 1000 },
		);
	});

	test('tells of everything that is wrong by itself at once, whatever else is', () => {
		fc.assert(
			fc.property(fc.constantFrom(...independent), fc.infiniteStream(fc.boolean()), ({ base, breaks }, chosen) => {
				const broken = breaks.filter(() => chosen.next().value);
				const fields = Object.fromEntries(broken.flatMap(({ field }) => (field === undefined ? [] : [field])));
				const query = Object.fromEntries(broken.flatMap(({ inQuery }) => (inQuery === undefined ? [] : [inQuery])));
				const made = bases[base](fields);
				const names = base === 'calculated' ? ['a', 'b'] : ['Flow'];
				const varsTsdb = Object.fromEntries(names.map((name) => [name, { ...makeQuery(), ...query }]));
				const paths = broken.flatMap(({ field, inQuery, at }) => {
					if (field !== undefined) return [at ?? field[0]];
					return names.map((name) => `varsTsdb.${name}.${inQuery?.[0]}`);
				});
				expect(pathsIn({ ...made, varsTsdb })).toEqual(paths.toSorted());
			}),
			{ numRuns: 500 },
		);
	});
});
