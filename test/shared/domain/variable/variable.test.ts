import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completeVariable, parseVariable, toJson } from '#domain/variable/variable.ts';
import { makeBitsBody, makeBody, makeCalculatedBody, makeQuery } from '#test/support/builders/builders.ts';
import { tokensOf } from '#test/support/builders/equations.ts';
import { issuesOf } from '#test/support/validation-issues.ts';
import { readVectors } from '#test/support/vectors.ts';

/** The body of a variable with the paths of its issues. `body` and `json` are raw text, because JSON.stringify loses some values. */
interface VariableVector {
	readonly reason: string;
	readonly base: 'simple' | 'calculated' | 'bits';
	/** The whole body, in place of `base`. */
	readonly body?: string;
	/** Fields that replace those of the base; `json` is the same as raw text. */
	readonly with?: Readonly<Record<string, unknown>>;
	readonly json?: string;
	readonly without?: readonly string[];
	/** Fields that replace those of the base's only query. */
	readonly query?: Readonly<Record<string, unknown>>;
	readonly refused: readonly string[];
	/** Texts in the messages, by path. */
	readonly says?: Readonly<Record<string, readonly string[]>>;
	/** Fields of the parsed variable in its JSON form, and fields that it does not have. */
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

const pathsIn = (body: unknown): readonly string[] => Object.keys(issuesOf(() => parseVariable(body))).toSorted();

describe('parseVariable', () => {
	const vectors = readVectors<VariableVector>('variables');

	test.each(vectors.filter(({ refused }) => refused.length > 0))('rejects $base at $refused: $reason', (vector) => {
		const issues = issuesOf(() => parseVariable(bodyOf(vector)));
		expect(Object.keys(issues).toSorted()).toEqual(vector.refused.toSorted());
		for (const message of Object.values(issues)) expect(message).toMatch(/^[A-Z].*\.$/s);
		for (const [path, words] of Object.entries(vector.says ?? {})) for (const word of words) expect(issues[path]).toContain(word);
	});

	test.each(vectors.filter(({ refused }) => refused.length === 0))('accepts $base: $reason', (vector) => {
		const body = bodyOf(vector);
		const variable = parseVariable(body);
		const json = toJson(variable);
		expect(json).toMatchObject(vector.becomes ?? {});
		expect(parseVariable(json)).toEqual(variable);
		expect(parseVariable(JSON.parse(JSON.stringify(json)))).toEqual(variable);
		for (const key of vector.drops ?? []) expect(Object.hasOwn(json, key)).toBe(false);
		for (const key of vector.dropsInQuery ?? []) expect(JSON.stringify(json)).not.toContain(`"${key}"`);
		if (vector.drops === undefined && vector.dropsInQuery === undefined && vector.becomes === undefined)
			expect(json).toEqual(body);
	});

	test.each([
		['letters', 'é'],
		['emoji', '😀'],
	])('accepts a name, a unit and a process of at most 200 %s', (_, character) => {
		const [longest, tooLong] = [character.repeat(200), character.repeat(201)];
		expect(pathsIn(makeBody({ name: longest, unit: longest, process: longest }))).toEqual([]);
		expect(pathsIn(makeBody({ name: tooLong, unit: longest, process: longest }))).toEqual(['name']);
		expect(pathsIn(makeBody({ name: tooLong, unit: tooLong, process: tooLong }))).toEqual(['name', 'process', 'unit']);
	});

	test.each([
		['letters', 'é'],
		['emoji', '😀'],
	])('accepts names in the equation of at most 200 %s', (_, character) => {
		expect(pathsIn(makeCalculatedBody(character.repeat(200)))).toEqual([]);
		expect(pathsIn(makeCalculatedBody(character.repeat(201)))).toEqual(['varsTsdb']);
	});

	test('accepts an equation of 256 tokens, and reports no unused names for a longer one', () => {
		const sum = Array(128).fill('a').join(' + ');
		expect(pathsIn(makeCalculatedBody(sum, { equation: tokensOf(`- ${sum}`) }))).toEqual([]);
		expect(pathsIn(makeCalculatedBody(sum, { equation: tokensOf(`- - ${sum}`) }))).toEqual(['equation']);
	});

	test('accepts parentheses in the equation nested 32 deep', () => {
		const nested = (depth: number) => [...Array(depth).fill('('), 'a', ...Array(depth).fill(')')].join(' ');
		expect(pathsIn(makeCalculatedBody(nested(32)))).toEqual([]);
		expect(pathsIn(makeCalculatedBody(nested(33)))).toEqual(['equation.32']);
	});

	const wrongQueries = (count: number) =>
		makeCalculatedBody('1', { varsTsdb: Object.fromEntries(Array.from({ length: count }, (_, index) => [`q${index}`, null])) });

	test('lists 100 issues and says that there are more', () => {
		const issues = issuesOf(() => parseVariable(wrongQueries(128)));
		expect(Object.keys(issues)).toHaveLength(101);
		expect(issues['request']).toBe('More fields are wrong and not listed: correct the listed ones first.');
	});

	test('does not look at more than 128 queries', () => {
		expect(issuesOf(() => parseVariable(wrongQueries(129)))).toEqual({ varsTsdb: 'At most 128 queries; this has 129.' });
	});

	test('does not change the prototype of objects', () => {
		parseVariable(
			JSON.parse(
				JSON.stringify(makeBody()).replace('{', '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},'),
			),
		);
		expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
	});
});

const name = fc.oneof(
	fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
	fc.constantFrom('__proto__', 'constructor', 'toString', ' ', '.', '5'),
);
const query = fc.record({
	calc_topic: name,
	calc_time: fc.integer({ min: 1, max: 500 }),
	calc_unit_period: fc.constantFrom('s', 'mo', 'y'),
});

/** Valid bodies of every kind. */
const bodies = fc
	.record({ id: fc.maxSafeNat(), name, unit: name, process: name, type: fc.constantFrom('last', 'history') })
	.chain((common) => {
		const queries = (names: readonly string[]) =>
			fc
				.tuple(...names.map(() => query))
				.map((made) =>
					Object.fromEntries(names.map((name, index) => [name, { ...makeQuery({ calc_unit: 's' }), ...made[index] }])),
				);
		const single = queries([common.name]);
		return fc.oneof(
			single.map((varsTsdb) => ({ ...makeBody(), ...common, varsTsdb })),
			single.map((varsTsdb) => ({ ...makeBitsBody(), ...common, varsTsdb })),
			fc.uniqueArray(name, { minLength: 1, maxLength: 4 }).chain((names) =>
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

/** An invalid field of the body or of its queries. `path` is the path of the issue when it is not the field. */
interface InvalidField {
	readonly field?: readonly [string, unknown];
	readonly inQuery?: readonly [string, unknown];
	readonly path?: string;
}

const common: readonly InvalidField[] = [
	{ field: ['id', 1.5] },
	{ field: ['name', 7] },
	{ field: ['unit', 5] },
	{ field: ['process', null] },
	{ field: ['type', 'first'] },
	{ inQuery: ['calc_topic', ''] },
	{ inQuery: ['calc_field', 5] },
	{ inQuery: ['calc_time', 0] },
	{ inQuery: ['calc_unit_topic', 'h'] },
	{ inQuery: ['calc_period', '1'] },
	{ inQuery: ['calc_unit_period', 'min'] },
];

/** The fields of each kind that can be invalid without causing another issue. */
const independent: readonly { readonly base: VariableVector['base']; readonly invalid: readonly InvalidField[] }[] = [
	{
		base: 'simple',
		invalid: [...common, { field: ['calc', 0] }, { field: ['binary_compressed', 'no'] }, { inQuery: ['calc_type_period', ''] }],
	},
	{
		base: 'calculated',
		invalid: [
			...common,
			{ field: ['binary_compressed', true] },
			{ field: ['equation', tokensOf('a + b +')], path: 'equation.3' },
		],
	},
	{
		base: 'bits',
		invalid: [
			...common,
			{ field: ['bits', [{ id: 1, name: '', bit: 0 }]], path: 'bits.0.name' },
			{ inQuery: ['calc_type_period', 'mean'] },
		],
	},
];

describe('completeVariable', () => {
	const [a, b] = [{ site: 'a' }, { site: 'b' }];
	const simple = (name: string, tags?: Readonly<Record<string, string>> | null) =>
		parseVariable(
			makeBody({ name, varsTsdb: { [name]: { ...makeQuery(), ...(tags === undefined ? {} : { calc_tags: tags }) } } }),
		);
	const formula = (queries: Readonly<Record<string, object>>) =>
		parseVariable(makeCalculatedBody(Object.keys(queries).join(' + '), { varsTsdb: queries }));
	const tagsOf = (variable: ReturnType<typeof parseVariable>) =>
		[...variable.varsTsdb].map(([name, query]) => [name, 'calc_tags' in query ? query.calc_tags : 'absent']);

	test('keeps tags that were not sent, also of a variable that is renamed, and removes null and {}', () => {
		expect(tagsOf(completeVariable(simple('Flow'), simple('Old name', a)))).toEqual([['Flow', a]]);
		expect(tagsOf(completeVariable(simple('Flow', b), simple('Flow', a)))).toEqual([['Flow', b]]);
		for (const none of [null, {}])
			expect(tagsOf(completeVariable(simple('Flow', none), simple('Flow', a)))).toEqual([['Flow', 'absent']]);
		expect(tagsOf(completeVariable(simple('Flow', null), null))).toEqual([['Flow', 'absent']]);
	});

	test('drops the tags of a query that now reads another topic or field', () => {
		for (const other of [{ calc_topic: 'other' }, { calc_field: 'other' }]) {
			const sent = parseVariable(makeBody({ varsTsdb: { Flow: makeQuery(other) } }));
			expect(tagsOf(completeVariable(sent, simple('Flow', a)))).toEqual([['Flow', 'absent']]);
		}
	});

	test('finds the queries of a formula by their names', () => {
		const stored = formula({ x: makeQuery({ calc_tags: a }), y: makeQuery({ calc_tags: b }), z: makeQuery({ calc_tags: a }) });
		const sent = formula({
			y: makeQuery(),
			x: makeQuery({ calc_topic: 'other' }),
			w: makeQuery(),
			z: makeQuery({ calc_tags: null }),
		});
		expect(tagsOf(completeVariable(sent, stored))).toEqual([
			['y', b],
			['x', 'absent'],
			['w', a],
			['z', 'absent'],
		]);
		expect(tagsOf(completeVariable(formula({ x: makeQuery(), y: makeQuery() }), simple('x', a)))).toEqual([
			['x', a],
			['y', 'absent'],
		]);
	});

	test('finds the queries of a formula that are renamed or swap their names by topic and field', () => {
		const [p, q] = [{ calc_topic: 'p' }, { calc_topic: 'q' }];
		const stored = formula({ x: makeQuery({ ...p, calc_tags: a }), y: makeQuery({ ...q, calc_tags: b }) });
		expect(tagsOf(completeVariable(formula({ w: makeQuery(p), y: makeQuery(q) }), stored))).toEqual([
			['w', a],
			['y', b],
		]);
		expect(tagsOf(completeVariable(formula({ x: makeQuery(q), y: makeQuery(p) }), stored))).toEqual([
			['x', b],
			['y', a],
		]);
	});

	test('keeps no tags where several queries of a topic and field are renamed', () => {
		const two = formula({ x: makeQuery({ calc_tags: a }), y: makeQuery({ calc_tags: b }) });
		const one = formula({ x: makeQuery({ calc_tags: a }) });
		for (const [names, stored] of [
			[['w'], two],
			[['v', 'w'], one],
		] as const) {
			const sent = formula(Object.fromEntries(names.map((name) => [name, makeQuery()])));
			expect(tagsOf(completeVariable(sent, stored))).toEqual(names.map((name) => [name, 'absent']));
		}
	});
});

describe('parseVariable, over random input', () => {
	test('returns a variable whose JSON form equals the body and parses again', () => {
		fc.assert(
			fc.property(bodies, (body) => {
				const variable = parseVariable(body);
				expect(toJson(variable)).toEqual(body);
				expect(parseVariable(JSON.parse(JSON.stringify(toJson(variable))))).toEqual(variable);
			}),
		);
	});

	test('rejects any JSON with issues only', () => {
		fc.assert(fc.property(fc.jsonValue(), (input) => pathsIn(input).length > 0));
	});

	test('rejects any JSON with the fields of a variable with issues only', () => {
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

	test('rejects a body with one changed value with issues only, or returns a variable that parses again', () => {
		let accepted = 0;
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
				accepted += 1;
				const variable = parseVariable(changed);
				expect(parseVariable(JSON.parse(JSON.stringify(toJson(variable))))).toEqual(variable);
			}),
			{ numRuns: 1000 },
		);
		expect(accepted).toBeGreaterThan(0);
	});

	test('reports every independent issue at once', () => {
		fc.assert(
			fc.property(fc.constantFrom(...independent), fc.infiniteStream(fc.boolean()), ({ base, invalid }, chosen) => {
				const broken = invalid.filter(() => chosen.next().value);
				const fields = Object.fromEntries(broken.flatMap(({ field }) => (field === undefined ? [] : [field])));
				const query = Object.fromEntries(broken.flatMap(({ inQuery }) => (inQuery === undefined ? [] : [inQuery])));
				const made = bases[base](fields);
				const names = base === 'calculated' ? ['a', 'b'] : ['Flow'];
				const varsTsdb = Object.fromEntries(names.map((name) => [name, { ...makeQuery(), ...query }]));
				const paths = broken.flatMap(({ field, inQuery, path }) => {
					if (field !== undefined) return [path ?? field[0]];
					return names.map((name) => `varsTsdb.${name}.${inQuery?.[0]}`);
				});
				expect(pathsIn({ ...made, varsTsdb })).toEqual(paths.toSorted());
			}),
			{ numRuns: 500 },
		);
	});
});
