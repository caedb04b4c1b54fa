import { describe, expect, test } from 'vitest';
import { openReferenceAt } from '#page/formula/open-reference.ts';

/** The reference at the caret, which `|` marks. */
const at = (marked: string) => openReferenceAt(marked.replace('|', ''), marked.indexOf('|'));

describe('openReferenceAt', () => {
	test('finds the reference that is being typed, up to the caret', () => {
		expect(at('{|')).toEqual({ start: 0, end: 1, typed: '' });
		expect(at('3 * {Ba|')).toEqual({ start: 4, end: 7, typed: 'Ba' });
		expect(at('{Ba| + {Flow}')).toEqual({ start: 0, end: 3, typed: 'Ba' });
		expect(at('{Intake |')).toEqual({ start: 0, end: 8, typed: 'Intake ' });
	});

	test('replaces the whole of a reference that is closed', () => {
		expect(at('{Fl|ow A} * 2')).toEqual({ start: 0, end: 8, typed: 'Fl' });
	});

	test('finds none before a brace, behind one, and outside', () => {
		expect(at('|{Flow}')).toBeNull();
		expect(at('{Flow}|')).toBeNull();
		expect(at('{Flow} *| 3')).toBeNull();
		expect(at('Flow|')).toBeNull();
	});
});
