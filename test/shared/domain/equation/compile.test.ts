import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkEquation } from '#domain/equation/check.ts';
import { type CompiledEquation, compileEquation } from '#domain/equation/compile.ts';
import type { EvaluationFault } from '#domain/equation/functions.ts';
import type { Token } from '#domain/equation/token.ts';
import { formulas, operandValues, StepFault, tokensOf, treeNames, treeValue } from '#test/support/builders/equations.ts';
import { readVectors } from '#test/support/vectors.ts';

/** A valid equation with its value over `values`, or its fault and the names at fault. `json` is the raw text of `values`. */
interface ValidVector {
	readonly reason: string;
	readonly tokens: string | readonly Token[];
	readonly values?: Readonly<Record<string, number>>;
	readonly json?: string;
	readonly expected?: number;
	readonly fault?: EvaluationFault;
	readonly culprits?: readonly string[];
}

const slotsFor = ({ names, createSlots }: CompiledEquation, values: ReadonlyMap<string, number>): Float64Array => {
	const slots = createSlots();
	for (const [slot, name] of names.entries()) slots[slot] = values.get(name) ?? Number.NaN;
	return slots;
};

const evaluated = (text: string, values: Readonly<Record<string, number>> = {}): number => {
	const compiled = compileEquation(tokensOf(text));
	return compiled.evaluate(slotsFor(compiled, new Map(Object.entries(values))));
};

describe('compileEquation', () => {
	test.each(readVectors<ValidVector>('equations-valid'))('evaluates $tokens: $reason', (vector) => {
		const tokens = typeof vector.tokens === 'string' ? tokensOf(vector.tokens) : vector.tokens;
		const fields: Readonly<Record<string, number>> = vector.json === undefined ? vector.values : JSON.parse(vector.json);
		const values = new Map(Object.entries(fields));
		expect(checkEquation(tokens, new Set(values.keys()))).toEqual({ tokens });
		const compiled = compileEquation(tokens);
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

	test('lists every name once, in the order of the slots', () => {
		expect(compileEquation(tokensOf('b * a - b / ( c - a )')).names).toEqual(['b', 'a', 'c']);
	});

	test('evaluates 255 signs before an operand', () => {
		expect(evaluated(`${'- '.repeat(255)}a`, { a: 3 })).toBe(-3);
	});

	test('evaluates parentheses nested 32 deep', () => {
		expect(evaluated(`${'( 1 + '.repeat(32)}a${' )'.repeat(32)}`, { a: 3 })).toBe(35);
	});

	test('returns the value or the diagnosis of any equation tree', () => {
		const operands = fc.tuple(...treeNames.map(() => operandValues));
		fc.assert(
			fc.property(formulas, operands, ({ tree, tokens }, numbers) => {
				const values = new Map<string, number>(treeNames.map((name, index) => [name, numbers[index] ?? 0]));
				expect(checkEquation(tokens, new Set(treeNames))).toEqual({ tokens });
				const compiled = compileEquation(tokens);
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
	/** Equations around a part `F` that fails. None of them may hide the fault. */
	const equations = [
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
		'F / F',
		'( F + F ) / F',
		'0 / ( y / F )',
		'( y - F ) * 0',
		'1 / ( - F )',
		'1 / ( F + y )',
		'y / ( 2 / F )',
	];
	const failing = ['( x / 0 )', '( - 1 / 0 )', '( x / ( x - x ) )', '( 1e308 * 10 )', '( - 1e308 * 10 )', '( 1e308 + 1e308 )'];

	test.each(failing.flatMap((part) => equations.map((equation) => equation.replaceAll('F', part))))(
		'makes the value not finite: %s',
		(formula) => {
			for (const x of [0, 1, -3, 1e300])
				for (const y of [0, -2, 1e-300]) expect(evaluated(formula, { x, y })).not.toSatisfy(Number.isFinite);
		},
	);

	test('is not hidden when an operand is NaN or infinite', () => {
		for (const operand of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
			for (const formula of ['x', '- x', '1 / x', 'x / x', '0 * x', 'y / x', '( y + 1 ) / x', '1 / ( 1 / x )'])
				expect(evaluated(formula, { x: operand, y: 1 })).not.toSatisfy(Number.isFinite);
	});
});
