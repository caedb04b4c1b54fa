import fc from 'fast-check';
import { operators, type Token } from '#domain/equation/token.ts';

/** Splits the text of an equation at its blanks into tokens. */
export const tokensOf = (text: string): Token[] => text.split(' ').map((value) => ({ value, type: typeOf(value) }));

const typeOf = (value: string): Token['type'] => {
	if (operators.some((operator) => operator === value)) return 'operator';
	return /^[\d.]/.test(value) ? 'number' : 'variable';
};

/** The tests' own tree of an equation, from which tokens are made. It does not use the product's parser. */
type Arithmetic = '+' | '-' | '*' | '/';

type EquationTree = { readonly extraParentheses: number } & (
	| { readonly kind: 'number'; readonly text: string }
	| { readonly kind: 'variable'; readonly name: string }
	| { readonly kind: 'sign'; readonly sign: '+' | '-'; readonly operand: EquationTree }
	| { readonly kind: 'binary'; readonly operator: Arithmetic; readonly left: EquationTree; readonly right: EquationTree }
);

/** The names of variables in random equations, among them names that look like something else. */
export const treeNames = ['a', 'b', 'Tank level', '__proto__', 'constructor', '+', '5'] as const;

/** Operands near the limits of arithmetic: zeros, the largest, the smallest, and pairs that cancel. */
export const operandValues = fc.oneof(
	fc.constantFrom(0, -0, 1, -1, 2, 0.5, 1e308, -1e308, Number.MAX_VALUE, -Number.MAX_VALUE, 5e-324, 1e-300),
	fc.integer({ min: -3, max: 3 }),
	fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const extraParentheses = fc.nat({ max: 4 }).map((count) => Math.max(0, count - 2));

/** Any equation, with redundant parentheses and signs. */
const equationTrees: fc.Arbitrary<EquationTree> = fc.letrec<{ tree: EquationTree }>((tie) => ({
	tree: fc.oneof(
		{ maxDepth: 5, depthSize: 'medium' },
		fc.record({ kind: fc.constant('variable' as const), name: fc.constantFrom(...treeNames), extraParentheses }),
		fc.record({
			kind: fc.constant('number' as const),
			text: fc.constantFrom('0', '1', '2.5', '.5', '3.', '1e308', '-1e308', '1e-300', '-2', '+4', '0.0', '1E3', '1e-400'),
			extraParentheses,
		}),
		fc.record({
			kind: fc.constant('sign' as const),
			sign: fc.constantFrom('+' as const, '-' as const),
			operand: tie('tree'),
			extraParentheses,
		}),
		fc.record({
			kind: fc.constant('binary' as const),
			operator: fc.constantFrom<Arithmetic>('+', '-', '*', '/', '/'),
			left: tie('tree'),
			right: tie('tree'),
			extraParentheses,
		}),
	),
})).tree;

const operatorToken = (value: string): Token => ({ value, type: 'operator' });
const bindings: Readonly<Record<Arithmetic, number>> = { '+': 1, '-': 1, '*': 2, '/': 2 };
const operandBinding = 3;

const withoutParentheses = (tree: EquationTree): { readonly tokens: Token[]; readonly binding: number } => {
	switch (tree.kind) {
		case 'number':
			return { tokens: [{ value: tree.text, type: 'number' }], binding: operandBinding };
		case 'variable':
			return { tokens: [{ value: tree.name, type: 'variable' }], binding: operandBinding };
		case 'sign':
			return { tokens: [operatorToken(tree.sign), ...tokensOfTree(tree.operand, operandBinding)], binding: operandBinding };
		case 'binary': {
			const binding = bindings[tree.operator];
			const tokens = [
				...tokensOfTree(tree.left, binding),
				operatorToken(tree.operator),
				...tokensOfTree(tree.right, binding + 1),
			];
			return { tokens, binding };
		}
	}
};

/** The tokens of a tree. Adds parentheses when the surrounding operator binds closer, and the tree's redundant ones. */
const tokensOfTree = (tree: EquationTree, surroundingBinding = 0): Token[] => {
	const { tokens, binding } = withoutParentheses(tree);
	const pairs = tree.extraParentheses + (binding < surroundingBinding ? 1 : 0);
	return [...Array<Token>(pairs).fill(operatorToken('(')), ...tokens, ...Array<Token>(pairs).fill(operatorToken(')'))];
};

/** Returns how deep parentheses are nested. */
const depthOf = (tokens: readonly Token[]): number => {
	let depth = 0;
	let deepest = 0;
	for (const { type, value } of tokens) {
		if (type !== 'operator') continue;
		if (value === '(') depth += 1;
		if (value === ')') depth -= 1;
		deepest = Math.max(deepest, depth);
	}
	return deepest;
};

/** Trees that fit in one equation, with their tokens. */
export const formulas = equationTrees
	.map((tree) => ({ tree, tokens: tokensOfTree(tree) }))
	.filter(({ tokens }) => tokens.length <= 256 && depthOf(tokens) <= 32);

const namesIn = (tree: EquationTree): readonly string[] => {
	switch (tree.kind) {
		case 'number':
			return [];
		case 'variable':
			return [tree.name];
		case 'sign':
			return namesIn(tree.operand);
		case 'binary':
			return [...namesIn(tree.left), ...namesIn(tree.right)];
	}
};

/** The first step that has no value. */
export class StepFault extends Error {
	readonly fault: 'division_by_zero' | 'overflow';
	readonly names: ReadonlySet<string>;

	constructor(fault: 'division_by_zero' | 'overflow', part: EquationTree) {
		super(fault);
		this.fault = fault;
		this.names = new Set(namesIn(part));
	}
}

/**
 * Returns the value of a tree, checking every step from the left.
 * @throws StepFault at the first step that has no value
 */
export const treeValue = (tree: EquationTree, values: ReadonlyMap<string, number>): number => {
	const checked = (value: number): number => {
		if (!Number.isFinite(value)) throw new StepFault('overflow', tree);
		return value;
	};
	switch (tree.kind) {
		case 'number':
			return Number(tree.text);
		case 'variable':
			return values.get(tree.name) ?? Number.NaN;
		case 'sign':
			return tree.sign === '-' ? -treeValue(tree.operand, values) : treeValue(tree.operand, values);
		case 'binary': {
			const left = treeValue(tree.left, values);
			const right = treeValue(tree.right, values);
			if (tree.operator === '+') return checked(left + right);
			if (tree.operator === '-') return checked(left - right);
			if (tree.operator === '*') return checked(left * right);
			if (right === 0) throw new StepFault('division_by_zero', tree.right);
			return checked(left / right);
		}
	}
};
