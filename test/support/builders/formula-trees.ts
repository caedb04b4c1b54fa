import fc from 'fast-check';
import { maxDepth, maxTokens, type Token } from '#domain/equation/token.ts';

/** The tests' own meaning of a formula: the value for operands, null for one that is not known. It does not use the product's parser. */
export interface FormulaTree {
	readonly tokens: readonly Token[];
	/** How closely the tokens are bound: 0 comparison, 1 sum, 2 product, 3 sign, 4 power, 5 operand. */
	readonly binding: number;
	/** @throws Unknown, NoValue */
	readonly value: (operands: Operands) => number;
}

export type Operands = Readonly<Record<string, number | null>>;
/** An operand is not known. */
export class Unknown extends Error {}
/** A step has no value. */
export class NoValue extends Error {}

/** The names of operands in random formulas; some look like functions. */
export const formulaNames: readonly string[] = ['a', 'b', 'c', 'if', 'Tank {1}'];

const sign = (value: string): Token => ({ value, type: 'operator' });
const inside = ({ tokens, binding }: FormulaTree, least: number): readonly Token[] =>
	binding < least ? [sign('('), ...tokens, sign(')')] : tokens;
const finite = (value: number): number => {
	if (!Number.isFinite(value)) throw new NoValue();
	return value;
};

const number = (text: string): FormulaTree => ({
	tokens: [{ value: text, type: 'number' }],
	binding: /^[+-]/.test(text) ? 3 : 5,
	value: () => Number(text),
});
const name = (of: string): FormulaTree => ({
	tokens: [{ value: of, type: 'variable' }],
	binding: 5,
	value: (operands) => {
		const value = operands[of] ?? null;
		if (value === null) throw new Unknown();
		return value;
	},
});
const minus = (operand: FormulaTree): FormulaTree => ({
	tokens: [sign('-'), ...inside(operand, operand.binding === 4 ? 5 : 3)],
	binding: 3,
	value: (operands) => -operand.value(operands),
});

const joins: Readonly<Record<string, readonly [binding: number, value: (a: number, b: number) => number]>> = {
	'+': [1, (a, b) => a + b],
	'-': [1, (a, b) => a - b],
	'*': [2, (a, b) => a * b],
	'/': [2, (a, b) => a / b],
	'<': [0, (a, b) => Number(a < b)],
	'<=': [0, (a, b) => Number(a <= b)],
	'>': [0, (a, b) => Number(a > b)],
	'>=': [0, (a, b) => Number(a >= b)],
	'=': [0, (a, b) => Number(a === b)],
	'<>': [0, (a, b) => Number(a !== b)],
};
const join = (operator: string, left: FormulaTree, right: FormulaTree): FormulaTree => {
	const [binding, value] = joins[operator] ?? [0, () => Number.NaN];
	// Comparisons are not chained.
	const least = binding === 0 ? 1 : binding;
	return {
		tokens: [...inside(left, least), sign(operator), ...inside(right, least + (binding === 0 ? 0 : 1))],
		binding,
		value: (operands) => bothOf(left, right, operands, value),
	};
};
/** An unknown operand decides before a step without a value. */
const bothOf = (left: FormulaTree, right: FormulaTree, operands: Operands, value: (a: number, b: number) => number): number => {
	const values = [left, right].map((each) => {
		try {
			return each.value(operands);
		} catch (error) {
			if (error instanceof NoValue) return null;
			throw error;
		}
	});
	const [a = null, b = null] = values;
	if (a === null || b === null) throw new NoValue();
	return finite(value(a, b));
};
const power = (base: FormulaTree, exponent: string): FormulaTree => ({
	tokens: [...inside(base, 5), sign('^'), { value: exponent, type: 'number' }],
	binding: 4,
	value: (operands) => {
		const x = base.value(operands);
		const p = Number(exponent);
		const size = finite(Math.abs(p) === 1.5 ? x * Math.sqrt(x) : ([1, x, x * x, x * (x * x)][Math.abs(p)] ?? Number.NaN));
		return finite(p < 0 ? 1 / size : size);
	},
});
const call = (of: string, args: readonly FormulaTree[], value: (operands: Operands) => number): FormulaTree => ({
	tokens: [
		sign(of),
		sign('('),
		...args.flatMap(({ tokens }, index) => (index === 0 ? tokens : [sign(','), ...tokens])),
		sign(')'),
	],
	binding: 5,
	value,
});
const unary = (of: string, operand: FormulaTree, value: (x: number) => number, ...constants: readonly string[]): FormulaTree =>
	call(of, [operand, ...constants.map(number)], (operands) => finite(value(operand.value(operands))));
const extreme = (of: 'min' | 'max', left: FormulaTree, right: FormulaTree): FormulaTree =>
	call(of, [left, right], (operands) => bothOf(left, right, operands, Math[of]));
const choice = (condition: FormulaTree, then: FormulaTree, otherwise: FormulaTree): FormulaTree =>
	call('if', [condition, then, otherwise], (operands) => (condition.value(operands) === 0 ? otherwise : then).value(operands));

/** Two segments: 0 to 4 at y 0 to 8, and to 10 at y 2. */
const onCurve = (x: number): number => {
	if (x < 0 || x > 10) return Number.NaN;
	return x <= 4 ? 2 * x : 8 - x + 4;
};

const trees = fc.letrec<{ tree: FormulaTree }>((tie) => {
	const tree = tie('tree');
	return {
		tree: fc.oneof(
			{ maxDepth: 5, depthSize: 'medium', withCrossShrink: true },
			fc.constantFrom(...formulaNames).map(name),
			fc.constantFrom('0', '1', '2.5', '.5', '-2', '3.', '+4', '10').map(number),
			tree.map(minus),
			fc.tuple(fc.constantFrom(...Object.keys(joins)), tree, tree).map(([operator, a, b]) => join(operator, a, b)),
			fc.tuple(tree, fc.constantFrom('2', '3', '1', '0', '1.5', '-1', '-2', '-1.5')).map(([a, p]) => power(a, p)),
			tree.map((a) => unary('sqrt', a, Math.sqrt)),
			tree.map((a) => unary('abs', a, Math.abs)),
			tree.map((a) => unary('curve', a, onCurve, '0', '0', '4', '8', '10', '2')),
			tree.map((a) => unary('round', a, (x) => Math.sign(x) * Math.floor(Math.abs(x) + 0.5))),
			fc.tuple(fc.constantFrom('min' as const, 'max' as const), tree, tree).map(([of, a, b]) => extreme(of, a, b)),
			fc.tuple(tree, tree, tree).map(([a, b, c]) => choice(a, b, c)),
		),
	};
}).tree;

const fits = ({ tokens }: FormulaTree): boolean => {
	let depth = 0;
	return (
		tokens.length <= maxTokens &&
		tokens.every(({ type, value }) => {
			if (type === 'operator') depth += Number(value === '(') - Number(value === ')');
			return depth <= maxDepth;
		})
	);
};

/** Random formulas with functions, each of which fits in one equation. */
export const formulaTrees = trees.filter(fits);

/** As `formulaTrees`, with functions whose last digits are the product's own: their trees have no value. */
export const transcendentalTrees = fc
	.tuple(fc.constantFrom('exp', 'ln', 'log10'), trees, fc.constantFrom('0.3', '-2.7', '70'), trees)
	.map(([of, a, exponent, b]) =>
		join(
			'+',
			unary(of, a, () => Number.NaN),
			join('*', power(a, exponent), b),
		),
	)
	.filter(fits);
