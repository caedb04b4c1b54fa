import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkEquation } from '#domain/equation/check.ts';
import { formatFormula } from '#domain/equation/format-formula.ts';
import { parseFormula, renameReference } from '#domain/equation/formula-text.ts';
import type { Token } from '#domain/equation/token.ts';
import { formulas, tokensOf } from '#test/support/builders/equations.ts';

const tokensIn = (text: string): readonly Token[] => parseFormula(text).map(({ token }) => token);
const valuesIn = (text: string): readonly string[] => tokensIn(text).map(({ value }) => value);

/** Replaces the names of an equation by any texts. */
const renamed = fc
	.tuple(formulas, fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 5 }))
	.map(([{ tokens }, names]) =>
		tokens.map(
			(token, index): Token =>
				token.type === 'variable' ? { type: 'variable', value: names[index % names.length] ?? '' } : token,
		),
	);

describe('the text of a formula', () => {
	test('parses back to the tokens, whatever their names are', () => {
		fc.assert(
			fc.property(
				fc.oneof(
					renamed,
					formulas.map(({ tokens }) => tokens),
				),
				(tokens) => {
					expect('tokens' in checkEquation(tokens, undefined)).toBe(true);
					expect(parseFormula(formatFormula(tokens)).map(({ token, flaw }) => ({ ...token, flaw }))).toEqual(
						tokens.map((token) => ({ ...token, flaw: null })),
					);
				},
			),
			{ numRuns: 1000 },
		);
	});

	test('is written as people write it', () => {
		expect(formatFormula(tokensOf('( a + b ) * 0.5'))).toBe('({a} + {b}) * 0.5');
		expect(formatFormula(tokensOf('- a - - b'))).toBe('-{a} - -{b}');
		expect(formatFormula(tokensOf('- 5'))).toBe('- 5');
		expect(formatFormula([{ type: 'number', value: '-5' }])).toBe('-5');
		expect(formatFormula([{ type: 'variable', value: 'a {b}' }])).toBe('{a {{b}}}');
		expect(formatFormula([])).toBe('');
	});

	test('has pieces one behind the other, with nothing but blanks between them', () => {
		const parts = fc.constantFrom(
			'{',
			'}',
			'{a}',
			'Flow A',
			'1',
			'.5',
			'1e',
			'-',
			'+3',
			'*',
			'(',
			')',
			' ',
			'\n',
			'×',
			'🌊',
			'\ud800',
			',',
		);
		fc.assert(
			fc.property(
				fc.array(parts).map((each) => each.join('')),
				(text) => {
					let end = 0;
					for (const piece of parseFormula(text)) {
						expect(piece.end).toBeGreaterThan(piece.start);
						expect(text.slice(end, piece.start).trim()).toBe('');
						end = piece.end;
					}
					expect(text.slice(end).trim()).toBe('');
				},
			),
		);
	});
});

describe('parseFormula', () => {
	test('reads references, operators and numbers, with any blanks', () => {
		expect(tokensIn(' ({Flow A}+{Flow B} )\n* 0.5 ')).toEqual([
			{ type: 'operator', value: '(' },
			{ type: 'variable', value: 'Flow A' },
			{ type: 'operator', value: '+' },
			{ type: 'variable', value: 'Flow B' },
			{ type: 'operator', value: ')' },
			{ type: 'operator', value: '*' },
			{ type: 'number', value: '0.5' },
		]);
	});

	test('takes a sign as part of a number only where an operand must follow and no blank stands between', () => {
		expect(valuesIn('-5')).toEqual(['-5']);
		expect(valuesIn('- 5')).toEqual(['-', '5']);
		expect(valuesIn('{a} -5')).toEqual(['a', '-', '5']);
		expect(valuesIn('(2)-5')).toEqual(['(', '2', ')', '-', '5']);
		expect(valuesIn('2--5')).toEqual(['2', '-', '-5']);
		expect(valuesIn('2 * +.5e-3')).toEqual(['2', '*', '+.5e-3']);
	});

	test('takes what looks like a number up to a comma as one, so that it is refused as a whole', () => {
		expect(valuesIn('0,5 3x 1.2.3 2e+{a}')).toEqual(['0', ',', '5', '3x', '1.2.3', '2e', '+', 'a']);
	});

	test('reads double braces in a name as single ones', () => {
		expect(valuesIn('{a{{b}}c}')).toEqual(['a{b}c']);
		expect(valuesIn('{}')).toEqual(['']);
	});

	test('marks a reference that is not closed: it ends before the next one, without the blanks at its end', () => {
		expect(parseFormula('{Ba + {Flow}')).toEqual([
			{ start: 0, end: 5, token: { type: 'variable', value: 'Ba +' }, flaw: 'brace_not_closed' },
			{ start: 6, end: 12, token: { type: 'variable', value: 'Flow' }, flaw: null },
		]);
		expect(parseFormula('{Ba ')).toEqual([
			{ start: 0, end: 3, token: { type: 'variable', value: 'Ba' }, flaw: 'brace_not_closed' },
		]);
	});

	test('marks a name without braces: words with single blanks between them', () => {
		expect(parseFormula('Flow A2 * 3')[0]).toEqual({
			start: 0,
			end: 7,
			token: { type: 'variable', value: 'Flow A2' },
			flaw: 'name_without_braces',
		});
	});

	test('takes any other character as an operator, and a surrogate pair as one', () => {
		expect(tokensIn('× 🌊 }')).toEqual(['×', '🌊', '}'].map((value) => ({ type: 'operator', value })));
	});
});

test('renameReference changes the references to an input, and nothing else', () => {
	expect(renameReference('{a} +  {b}*{a} - a', 'a', 'x}')).toBe('{x}}} +  {b}*{x}}} - a');
	expect(renameReference('{a', 'a', 'x')).toBe('{a');
});
