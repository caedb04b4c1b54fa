import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkEquation } from '#domain/equation/check.ts';
import { type Compiled, compile, createCompiler, type EvaluationFault } from '#domain/equation/evaluate.ts';
import type { Token } from '#domain/equation/token.ts';
import { formulas, measured, StepFault, tokensOf, treeNames, treeValue } from '#test/support/builders/equations.ts';
import { readVectors } from '#test/support/vectors.ts';

/** An equation that is right, and what it gives over `values` (`json`: their raw text): a value, or a fault and its culprits. */
interface ValidVector {
	readonly reason: string;
	readonly tokens: string | readonly Token[];
	readonly values?: Readonly<Record<string, number>>;
	readonly json?: string;
	readonly expected?: number;
	readonly fault?: EvaluationFault;
	readonly culprits?: readonly string[];
}

const slotsFor = ({ names }: Compiled, values: ReadonlyMap<string, number>): Float64Array =>
	Float64Array.from(names, (name) => values.get(name) ?? Number.NaN);

const evaluated = (text: string, values: Readonly<Record<string, number>> = {}): number => {
	const compiled = compile(tokensOf(text));
	return compiled.evaluate(slotsFor(compiled, new Map(Object.entries(values))));
};

describe('an equation', () => {
	test.each(readVectors<ValidVector>('equations-valid'))('$tokens: $reason', (vector) => {
		const tokens = typeof vector.tokens === 'string' ? tokensOf(vector.tokens) : vector.tokens;
		const given: Readonly<Record<string, number>> = vector.json === undefined ? vector.values : JSON.parse(vector.json);
		const values = new Map(Object.entries(given));
		expect(checkEquation(tokens, new Set(values.keys()))).toEqual({ tokens });
		const compiled = compile(tokens);
		const slots = slotsFor(compiled, values);
		const value = compiled.evaluate(slots);
		if (vector.fault === undefined) {
			expect(value).toBe(vector.expected);
			expect(() => compiled.diagnose(slots)).toThrow(RangeError);
		} else {
			expect(value).not.toSatisfy(Number.isFinite);
			expect(compiled.diagnose(slots)).toEqual({ fault: vector.fault, names: vector.culprits });
		}
	});

	test('names every variable once, in the order of the slots', () => {
		expect(compile(tokensOf('b * a - b / ( c - a )')).names).toEqual(['b', 'a', 'c']);
	});

	test('may be as long as 256 tokens, all of them signs but one', () => {
		expect(evaluated(`${'- '.repeat(255)}a`, { a: 3 })).toBe(-3);
	});

	test('may be nested 32 deep', () => {
		expect(evaluated(`${'( 1 + '.repeat(32)}a${' )'.repeat(32)}`, { a: 3 })).toBe(35);
	});

	test('over any formula gives the value of its meaning, and each fault with what is at fault', () => {
		const all = fc.tuple(...treeNames.map(() => measured));
		fc.assert(
			fc.property(formulas, all, ({ tree, tokens }, numbers) => {
				const values = new Map<string, number>(treeNames.map((name, index) => [name, numbers[index] ?? 0]));
				expect(checkEquation(tokens, new Set(treeNames))).toEqual({ tokens });
				const compiled = compile(tokens);
				const slots = slotsFor(compiled, values);
				try {
					const expected = treeValue(tree, values);
					expect(compiled.evaluate(slots)).toBe(expected);
				} catch (error) {
					if (!(error instanceof StepFault)) throw error;
					expect(compiled.evaluate(slots)).not.toSatisfy(Number.isFinite);
					const { fault, names } = compiled.diagnose(slots);
					expect(fault).toBe(error.fault);
					expect(new Set(names)).toEqual(error.names);
					expect(names).toEqual(compiled.names.filter((name) => error.names.has(name)));
				}
			}),
			{ numRuns: 5000 },
		);
	});
});

describe('a fault', () => {
	/** Equations around a part `x` that fails, none of which may hide it. */
	const around = [
		'y / F',
		'F / y',
		'y * F',
		'0 * F',
		'F * 0',
		'y - F',
		'F - y',
		'F + y',
		'0 / F',
		'- F',
		'1 / ( 1 / F )',
		'F - F',
	];
	const around2 = ['F / F', '( F + F ) / F', '0 / ( y / F )', '( y - F ) * 0', '1 / ( - F )', '1 / ( F + y )', 'y / ( 2 / F )'];
	const failing = ['( x / 0 )', '( - 1 / 0 )', '( x / ( x - x ) )', '( 1e308 * 10 )', '( - 1e308 * 10 )', '( 1e308 + 1e308 )'];

	test.each(failing.flatMap((part) => [...around, ...around2].map((formula) => formula.replaceAll('F', part))))(
		'never vanishes: %s',
		(formula) => {
			for (const x of [0, 1, -3, 1e300])
				for (const y of [0, -2, 1e-300]) expect(evaluated(formula, { x, y })).not.toSatisfy(Number.isFinite);
		},
	);

	test('of an operand that is no number is not finite either', () => {
		for (const absent of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
			for (const formula of ['x', '- x', '1 / x', 'x / x', '0 * x', 'y / x', '( y + 1 ) / x', '1 / ( 1 / x )'])
				expect(evaluated(formula, { x: absent, y: 1 })).not.toSatisfy(Number.isFinite);
	});
});

describe('a compiler', () => {
	test('compiles equal tokens once', () => {
		const compiler = createCompiler();
		expect(compiler(tokensOf('a + b'))).toBe(compiler(tokensOf('a + b')));
	});

	test('tells apart tokens that read alike', () => {
		const compiler = createCompiler();
		const alike: readonly (readonly Token[])[] = [
			[{ value: '5', type: 'number' }],
			[{ value: '5', type: 'variable' }],
			[{ value: 'number","5', type: 'variable' }],
			[
				{ value: '-', type: 'operator' },
				{ value: '5', type: 'number' },
			],
			[{ value: '-5', type: 'number' }],
		];
		expect(new Set(alike.map(compiler)).size).toBe(alike.length);
	});

	test('forgets, of more than 2000, the one not asked for the longest, and only that', () => {
		const compiler = createCompiler();
		const compiledOf = (index: number) => compiler(tokensOf(`a + ${index}`));
		const all = Array.from({ length: 2000 }, (_, index) => compiledOf(index));
		expect(compiledOf(0)).toBe(all[0]);
		compiledOf(2000);
		expect(compiledOf(0)).toBe(all[0]);
		expect(compiledOf(1)).not.toBe(all[1]);
	});
});
