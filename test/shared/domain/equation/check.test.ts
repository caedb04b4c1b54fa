import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkEquation } from '#domain/equation/check.ts';
import { compileEquation } from '#domain/equation/compile.ts';
import { maxDepth, maxTokens, type Token } from '#domain/equation/token.ts';
import { formulas, tokensOf, treeNames } from '#test/support/builders/equations.ts';
import { readVectors } from '#test/support/vectors.ts';

/** An invalid equation. `names` are the keys of varsTsdb (default: a, b and c); `json` is the raw text of `tokens`. */
interface InvalidVector {
	readonly reason: string;
	readonly tokens?: unknown;
	readonly json?: string;
	readonly names?: readonly string[];
	readonly expected: readonly { readonly index: number | null; readonly code: string; readonly says: string }[];
}

const abc = new Set(['a', 'b', 'c']);
const faultsIn = (input: unknown, names: ReadonlySet<string> | undefined = abc) => {
	const result = checkEquation(input, names);
	return 'faults' in result ? result.faults : [];
};
const sum = (operands: number): Token[] => tokensOf(Array(operands).fill('a').join(' + '));
const nested = (depth: number): Token[] => tokensOf([...Array(depth).fill('('), 'a', ...Array(depth).fill(')')].join(' '));

describe('checkEquation', () => {
	test.each(readVectors<InvalidVector>('equations-invalid'))('rejects: $reason', ({ tokens, json, names, expected }) => {
		const input: unknown = json === undefined ? (typeof tokens === 'string' ? tokensOf(tokens) : tokens) : JSON.parse(json);
		const faults = faultsIn(input, names === undefined ? abc : new Set(names));
		expect(faults).toMatchObject(
			expected.map(({ index, code, says }) => ({ index, code, message: expect.stringContaining(says) })),
		);
		for (const { index, params } of faults) expect(params['position']).toBe(index ?? undefined);
	});

	test('accepts 256 tokens and rejects 257', () => {
		const longest = [...tokensOf('-'), ...sum(maxTokens / 2)];
		expect(longest).toHaveLength(256);
		expect(faultsIn(longest)).toEqual([]);
		expect(faultsIn([...tokensOf('-'), ...longest])).toMatchObject([
			{ index: null, message: 'At most 256 tokens; this has 257.' },
		]);
	});

	test('accepts parentheses nested 32 deep, rejects 33, and does not limit pairs side by side', () => {
		expect(faultsIn(nested(maxDepth))).toEqual([]);
		expect(faultsIn(nested(33))).toMatchObject([{ index: 32, message: 'Parentheses may be nested at most 32 deep.' }]);
		const sideBySide = tokensOf(Array(40).fill('( a )').join(' + '));
		expect(faultsIn(sideBySide)).toEqual([]);
	});

	test('reports too deep nesting once', () => {
		expect(faultsIn(nested(100))).toMatchObject([{ index: 32, message: 'Parentheses may be nested at most 32 deep.' }]);
	});

	test('accepts any name when the names are not known', () => {
		expect(checkEquation(tokensOf('a + zzz'), undefined)).toEqual({ tokens: tokensOf('a + zzz') });
	});

	test('drops unknown fields of tokens', () => {
		const [token] = tokensOf('a');
		expect(checkEquation([{ ...token, color: 'red' }], abc)).toEqual({ tokens: [token] });
	});

	test('reports faults after the first one', () => {
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

/** Returns whether a grammar accepts the tokens, by replacing operands with `n` until nothing changes. */
const isEquation = (tokens: readonly Token[]): boolean => {
	const sum = '[+-]*n(?:[-+*/][+-]*n)*';
	const inParentheses = new RegExp(`\\(${sum}\\)`, 'g');
	let text = tokens.map(({ type, value }) => (type === 'operator' ? value : 'n')).join('');
	for (let before = ''; before !== text; ) {
		before = text;
		text = text.replace(inParentheses, 'n');
	}
	return new RegExp(`^${sum}$`).test(text);
};

describe('checkEquation, over random input', () => {
	const names = new Set<string>(treeNames);
	const validToken = fc.constantFrom(...tokensOf('a b 1 2.5 + - * / ( )'));
	const anyToken = fc.oneof(
		{ weight: 6, arbitrary: validToken },
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

	/** Checks what must hold for any input, and returns whether the input was accepted. */
	const expectConsistent = (input: unknown): boolean => {
		const result = checkEquation(input, names);
		if ('tokens' in result) {
			expect(result.tokens).toEqual(input);
			const { evaluate, diagnose, createSlots, names: used } = compileEquation(result.tokens);
			const slots = createSlots().fill(0, 0, used.length);
			if (!Number.isFinite(evaluate(slots))) expect(diagnose(slots).fault).toBe('division_by_zero');
			return true;
		}
		const count = Array.isArray(input) ? input.length : 0;
		expect(result.faults.length).toBeGreaterThan(0);
		for (const { index, message } of result.faults) {
			expect(index === null || (Number.isInteger(index) && index >= 0 && index < count)).toBe(true);
			expect(message).toMatch(/^[A-Z].*\.$/s);
		}
		expect(result.faults).toEqual(result.faults.toSorted((a, b) => (a.index ?? -1) - (b.index ?? -1)));
		return false;
	};

	test('never throws for tokens, reports faults within the equation, and accepts only what compiles', () => {
		let accepted = 0;
		fc.assert(
			fc.property(fc.array(anyToken, { maxLength: 12 }), (tokens) => {
				if (expectConsistent(tokens)) accepted += 1;
			}),
			{ numRuns: 1000 },
		);
		expect(accepted).toBeGreaterThan(0);
	});

	test('never throws for JSON', () => {
		fc.assert(fc.property(fc.jsonValue(), (input) => void expectConsistent(input)));
	});

	test('accepts exactly what a grammar accepts', () => {
		fc.assert(
			fc.property(fc.array(validToken, { minLength: 1, maxLength: 9 }), (tokens) => {
				expect(faultsIn(tokens).length === 0).toBe(isEquation(tokens));
			}),
			{ numRuns: 3000 },
		);
	});

	test('accepts every equation, and with a token added or removed exactly what a grammar accepts', () => {
		let compared = 0;
		fc.assert(
			fc.property(formulas, fc.nat(), validToken, ({ tokens }, place, extra) => {
				expect(faultsIn(tokens, names)).toEqual([]);
				const at = place % tokens.length;
				for (const changed of [tokens.toSpliced(at, 1), tokens.toSpliced(at, 0, extra)]) {
					if (changed.length === 0 || changed.length > maxTokens) continue;
					compared += 1;
					const faults = faultsIn(changed, names).filter(({ message }) => !message.startsWith('Unknown name'));
					// An added parenthesis can also exceed the depth.
					if (faults.every(({ message }) => message.startsWith('Parentheses may'))) expect(isEquation(changed)).toBe(true);
					else expect(isEquation(changed)).toBe(false);
				}
			}),
			{ numRuns: 500 },
		);
		expect(compared).toBeGreaterThan(0);
	});
});
