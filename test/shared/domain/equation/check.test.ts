import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkEquation } from '#domain/equation/check.ts';
import { compile } from '#domain/equation/evaluate.ts';
import { maxDepth, maxTokens, type Token } from '#domain/equation/token.ts';
import { formulas, tokensOf, treeNames } from '#test/support/builders/equations.ts';
import { readVectors } from '#test/support/vectors.ts';

/** An equation that is refused. `names` are the keys of varsTsdb, a, b and c unless given; `json` is the raw text of `tokens`. */
interface InvalidVector {
	readonly reason: string;
	readonly tokens?: unknown;
	readonly json?: string;
	readonly names?: readonly string[];
	readonly expected: readonly { readonly index: number | null; readonly says: string }[];
}

const abc = new Set(['a', 'b', 'c']);
const faultsIn = (input: unknown, names: ReadonlySet<string> | undefined = abc) => {
	const result = checkEquation(input, names);
	return 'faults' in result ? result.faults : [];
};
const sum = (operands: number): Token[] => tokensOf(Array(operands).fill('a').join(' + '));
const nested = (depth: number): Token[] => tokensOf([...Array(depth).fill('('), 'a', ...Array(depth).fill(')')].join(' '));

describe('an equation', () => {
	test.each(readVectors<InvalidVector>('equations-invalid'))('is refused: $reason', ({ tokens, json, names, expected }) => {
		const input: unknown = json === undefined ? (typeof tokens === 'string' ? tokensOf(tokens) : tokens) : JSON.parse(json);
		const faults = faultsIn(input, names === undefined ? abc : new Set(names));
		expect(faults).toEqual(expected.map(({ index, says }) => ({ index, message: expect.stringContaining(says) })));
	});

	test('has at most 256 tokens', () => {
		const most = [...tokensOf('-'), ...sum(maxTokens / 2)];
		expect(most).toHaveLength(256);
		expect(faultsIn(most)).toEqual([]);
		expect(faultsIn([...tokensOf('-'), ...most])).toEqual([{ index: null, message: 'At most 256 tokens; this has 257.' }]);
	});

	test('has parentheses at most 32 deep, side by side as many as there is room for', () => {
		expect(faultsIn(nested(maxDepth))).toEqual([]);
		expect(faultsIn(nested(33))).toEqual([{ index: 32, message: 'Parentheses may be nested at most 32 deep.' }]);
		const sideBySide = tokensOf(Array(40).fill('( a )').join(' + '));
		expect(faultsIn(sideBySide)).toEqual([]);
	});

	test('that is nested ever deeper is told so once', () => {
		expect(faultsIn(nested(100))).toEqual([{ index: 32, message: 'Parentheses may be nested at most 32 deep.' }]);
	});

	test('may name anything where the names cannot be known', () => {
		expect(checkEquation(tokensOf('a + zzz'), undefined)).toEqual({ tokens: tokensOf('a + zzz') });
	});

	test('is only the value and the type of its tokens', () => {
		const [token] = tokensOf('a');
		expect(checkEquation([{ ...token, color: 'red' }], abc)).toEqual({ tokens: [token] });
	});

	test('is told of what follows a fault, too', () => {
		fc.assert(
			fc.property(fc.nat({ max: 60 }), fc.nat({ max: 60 }), (first, second) => {
				const tokens = sum(61).map((token, index): unknown => (index === 2 * first || index === 2 * second ? null : token));
				expect(faultsIn(tokens).map(({ index }) => index)).toEqual(
					[...new Set([2 * first, 2 * second])].toSorted((a, b) => a - b),
				);
			}),
		);
	});
});

/** Whether a grammar takes the tokens, by replacing what is an operand by `n` until nothing changes. */
const isFormula = (tokens: readonly Token[]): boolean => {
	const sum = '[+-]*n(?:[-+*/][+-]*n)*';
	const inParentheses = new RegExp(`\\(${sum}\\)`, 'g');
	let text = tokens.map(({ type, value }) => (type === 'operator' ? value : 'n')).join('');
	for (let before = ''; before !== text; ) {
		before = text;
		text = text.replace(inParentheses, 'n');
	}
	return new RegExp(`^${sum}$`).test(text);
};

describe('checking', () => {
	const names = new Set<string>(treeNames);
	const word = fc.constantFrom(...tokensOf('a b 1 2.5 + - * / ( )'));
	const anything = fc.oneof(
		{ weight: 6, arbitrary: word },
		{ weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) },
		{
			weight: 2,
			arbitrary: fc.record(
				{
					type: fc.oneof(fc.constantFrom('variable', 'operator', 'number', '__proto__'), fc.jsonValue({ maxDepth: 0 })),
					value: fc.oneof(fc.constantFrom(...treeNames, '1e5', ' 1', '^', '(', ')', '-'), fc.jsonValue({ maxDepth: 0 })),
				},
				{ requiredKeys: [] },
			),
		},
	);

	/** What must hold of any input at all. */
	const holds = (input: unknown): void => {
		const result = checkEquation(input, names);
		if ('tokens' in result) {
			expect(result.tokens).toEqual(input);
			const { evaluate, diagnose, names: used } = compile(result.tokens);
			const slots = new Float64Array(used.length);
			if (!Number.isFinite(evaluate(slots))) expect(diagnose(slots).fault).toBe('division_by_zero');
			return;
		}
		const count = Array.isArray(input) ? input.length : 0;
		expect(result.faults.length).toBeGreaterThan(0);
		for (const { index, message } of result.faults) {
			expect(index === null || (Number.isInteger(index) && index >= 0 && index < count)).toBe(true);
			expect(message).toMatch(/^[A-Z].*\.$/s);
		}
		expect(result.faults).toEqual(result.faults.toSorted((a, b) => (a.index ?? -1) - (b.index ?? -1)));
	};

	test('throws at no tokens, names faults within the equation, and takes only what compiles', () => {
		fc.assert(
			fc.property(fc.array(anything, { maxLength: 12 }), (tokens) => holds(tokens)),
			{ numRuns: 1000 },
		);
	});

	test('throws at no JSON', () => {
		fc.assert(fc.property(fc.jsonValue(), (input) => holds(input)));
	});

	test('takes exactly what a grammar takes', () => {
		fc.assert(
			fc.property(fc.array(word, { minLength: 1, maxLength: 9 }), (tokens) => {
				expect(faultsIn(tokens).length === 0).toBe(isFormula(tokens));
			}),
			{ numRuns: 3000 },
		);
	});

	test('takes every formula, and of one with a token more or less exactly what a grammar takes', () => {
		fc.assert(
			fc.property(formulas, fc.nat(), word, ({ tokens }, place, extra) => {
				expect(faultsIn(tokens, names)).toEqual([]);
				const at = place % tokens.length;
				for (const changed of [tokens.toSpliced(at, 1), tokens.toSpliced(at, 0, extra)]) {
					if (changed.length === 0 || changed.length > maxTokens) continue;
					const faults = faultsIn(changed, names).filter(({ message }) => !message.startsWith('Unknown name'));
					// One parenthesis more can be one too deep as well.
					if (faults.every(({ message }) => message.startsWith('Parentheses may'))) expect(isFormula(changed)).toBe(true);
					else expect(isFormula(changed)).toBe(false);
				}
			}),
			{ numRuns: 500 },
		);
	});
});
