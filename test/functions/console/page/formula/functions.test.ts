import { afterEach, describe, expect, test } from 'vitest';
import { numberStyle } from '#page/core/preferences.ts';
import { openFunctionAt } from '#page/formula/open-function.ts';
import { withPoints } from '#page/formula/pasted-points.ts';

afterEach(() => {
	numberStyle.value = 'region';
});

/** The names that complete the word at the mark. */
const namesAt = (marked: string) => openFunctionAt(marked.replace('|', ''), marked.indexOf('|'))?.names.map(({ name }) => name);

describe('openFunctionAt', () => {
	test('completes a word outside of braces', () => {
		expect(namesAt('2 * l|')).toEqual(['ln', 'log10']);
		expect(namesAt('2 * log1|')).toEqual(['log10']);
		expect(namesAt('sqrt|')).toEqual(['sqrt']);
		expect(namesAt('{a} + m|')).toEqual(['min', 'max']);
	});

	test('completes no name in braces, no number, no finished function and no other word', () => {
		for (const marked of ['{l|', '{l|}', '2|', '1e|', 'sqrt|(', 'L|', 'level|', '|', '(|', '{a}|', 'l | + 2'])
			expect(namesAt(marked), marked).toBeUndefined();
	});
});

/** The formula after two columns are pasted at the mark, with the mark at the caret. */
const pasted = (marked: string, clipboard: string) => {
	const at = marked.indexOf('|');
	const { text, caret } = withPoints(marked.replace('|', ''), at, at, clipboard);
	return `${text.slice(0, caret)}|${text.slice(caret)}`;
};

describe('withPoints', () => {
	test('makes a curve, and puts the caret where its operand is named', () => {
		expect(pasted('2 * |', '0\t0\n1\t40\r\n3\t160\n')).toBe('2 * curve({|}, 0, 0, 1, 40, 3, 160)');
	});

	test('adds the points to a curve that is being typed', () => {
		expect(pasted('curve({a}|)', '0\t0\n1\t40')).toBe('curve({a}, 0, 0, 1, 40|)');
		expect(pasted('curve({a},|)', '0\t0\n1\t40')).toBe('curve({a}, 0, 0, 1, 40|)');
		expect(pasted('curve({a}, |)', '0\t0\n1\t40')).toBe('curve({a}, 0, 0, 1, 40|)');
		expect(pasted('curve({a}, 0, 1, 2, 3) + |', '0\t0\n1\t40')).toBe('curve({a}, 0, 1, 2, 3) + curve({|}, 0, 0, 1, 40)');
	});

	test('leaves out a row of heads, sorts by x, and reads numbers as people type them', () => {
		numberStyle.value = ',';
		expect(pasted('|', 'Nivel\tVolumen\n1,5\t40\n-0,5\t1e3')).toBe('curve({|}, -0.5, 1000, 1.5, 40)');
	});

	test('pastes anything else as one line', () => {
		expect(pasted('1 + |', 'a\tb\nc\td')).toBe('1 + a b c d|');
		expect(pasted('1 + |', '0\t0\nx\t1\n2\t3')).toBe('1 + 0 0 x 1 2 3|');
		expect(pasted('1 + |', '0\t0\t0\n1\t1\t1')).toBe('1 + 0 0 0 1 1 1|');
	});
});
