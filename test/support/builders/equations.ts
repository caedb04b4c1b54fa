import fc from 'fast-check';
import type { BinaryOperator, Token } from '#domain/equation/token.ts';

/** An equation as a vector has it: tokens with blanks between, or whatever a client might send instead of tokens. */
export const tokensOf = (text: string): Token[] =>
	text.split(' ').map((value) => ({
		value,
		type: /^[-+*/()]$/.test(value) ? 'operator' : /^[\d.]/.test(value) ? 'number' : 'variable',
	}));

/** What an equation means, made before its tokens are: the tests' own tree, which knows nothing of the domain's parser. */
export type Tree = { readonly wrapped: number } & (
	| { readonly kind: 'number'; readonly text: string }
	| { readonly kind: 'variable'; readonly name: string }
	| { readonly kind: 'sign'; readonly sign: '+' | '-'; readonly of: Tree }
	| { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: Tree; readonly right: Tree }
);

export const treeNames = ['a', 'b', 'Tank level', '__proto__', 'constructor', '+', '5'] as const;

/** Values around which arithmetic fails: zeros, the largest, the smallest, and pairs that cancel. */
export const measured = fc.oneof(
	fc.constantFrom(0, -0, 1, -1, 2, 0.5, 1e308, -1e308, Number.MAX_VALUE, -Number.MAX_VALUE, 5e-324, 1e-300),
	fc.integer({ min: -3, max: 3 }),
	fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const wrapped = fc.nat({ max: 4 }).map((count) => Math.max(0, count - 2));

/** Any meaning that an equation can have, with redundant parentheses (`wrapped`) and signs. */
export const trees: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>((tie) => ({
	tree: fc.oneof(
		{ maxDepth: 5, depthSize: 'medium' },
		fc.record({ kind: fc.constant('variable' as const), name: fc.constantFrom(...treeNames), wrapped }),
		fc.record({
			kind: fc.constant('number' as const),
			text: fc.constantFrom('0', '1', '2.5', '.5', '3.', '1e308', '-1e308', '1e-300', '-2', '+4', '0.0', '1E3', '1e-400'),
			wrapped,
		}),
		fc.record({
			kind: fc.constant('sign' as const),
			sign: fc.constantFrom('+' as const, '-' as const),
			of: tie('tree'),
			wrapped,
		}),
		fc.record({
			kind: fc.constant('binary' as const),
			operator: fc.constantFrom<BinaryOperator>('+', '-', '*', '/', '/'),
			left: tie('tree'),
			right: tie('tree'),
			wrapped,
		}),
	),
})).tree;

const operator = (value: string): Token => ({ value, type: 'operator' });
const bindings: Readonly<Record<BinaryOperator, number>> = { '+': 1, '-': 1, '*': 2, '/': 2 };
const operandBinding = 3;

const bare = (tree: Tree): { readonly tokens: Token[]; readonly binding: number } => {
	switch (tree.kind) {
		case 'number':
			return { tokens: [{ value: tree.text, type: 'number' }], binding: operandBinding };
		case 'variable':
			return { tokens: [{ value: tree.name, type: 'variable' }], binding: operandBinding };
		case 'sign':
			return { tokens: [operator(tree.sign), ...printed(tree.of, operandBinding)], binding: operandBinding };
		case 'binary': {
			const binding = bindings[tree.operator];
			const tokens = [...printed(tree.left, binding), operator(tree.operator), ...printed(tree.right, binding + 1)];
			return { tokens, binding };
		}
	}
};

/** The tree's tokens, in parentheses where what is around it binds closer, and in its redundant ones. */
export const printed = (tree: Tree, around = 0): Token[] => {
	const { tokens, binding } = bare(tree);
	const pairs = tree.wrapped + (binding < around ? 1 : 0);
	return [...Array<Token>(pairs).fill(operator('(')), ...tokens, ...Array<Token>(pairs).fill(operator(')'))];
};

/** How deep parentheses are nested. */
export const depthOf = (tokens: readonly Token[]): number => {
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

/** Trees that an equation has room for, with their tokens. */
export const formulas = trees
	.map((tree) => ({ tree, tokens: printed(tree) }))
	.filter(({ tokens }) => tokens.length <= 256 && depthOf(tokens) <= 32);

const namesIn = (tree: Tree): readonly string[] => {
	switch (tree.kind) {
		case 'number':
			return [];
		case 'variable':
			return [tree.name];
		case 'sign':
			return namesIn(tree.of);
		case 'binary':
			return [...namesIn(tree.left), ...namesIn(tree.right)];
	}
};

/** The first step that failed, thrown out of all the others. */
export class StepFault extends Error {
	readonly fault: 'division_by_zero' | 'overflow';
	readonly names: ReadonlySet<string>;

	constructor(fault: 'division_by_zero' | 'overflow', at: Tree) {
		super(fault);
		this.fault = fault;
		this.names = new Set(namesIn(at));
	}
}

/** The value of a tree, every step of it looked at. Throws StepFault for the first that has none, from the left. */
export const treeValue = (tree: Tree, values: ReadonlyMap<string, number>): number => {
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
			return tree.sign === '-' ? -treeValue(tree.of, values) : treeValue(tree.of, values);
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
