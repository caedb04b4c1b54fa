import { describe, expect, test } from 'vitest';
import { completionsFor, openReferenceAt, type QuerySource } from '#page/screens/variable-editor/completion.ts';
import { emptyQuery } from '#page/screens/variable-editor/draft.ts';

/** The reference at the caret, which `|` marks. */
const at = (marked: string) => openReferenceAt(marked.replace('|', ''), marked.indexOf('|'));
const source = (id: number, name: string): QuerySource => ({ kind: 'variable', id, name, query: emptyQuery });
const namesFor = (typed: string, inputs: readonly string[], sources: readonly QuerySource[] = []) =>
	completionsFor(typed, inputs, sources).map(({ kind, name }) => `${kind} ${name}`);

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

describe('completionsFor', () => {
	test('lists inputs before other variables, and what begins with the text first', () => {
		expect(namesFor('flow', ['Intake flow', 'Flow A'], [source(1, 'Flow B'), source(2, 'Overflow')])).toEqual([
			'input Flow A',
			'variable Flow B',
			'input Intake flow',
			'variable Overflow',
			'new flow',
		]);
	});

	test('ignores case and accents', () => {
		expect(namesFor('caud', ['Caudál'])).toEqual(['input Caudál', 'new caud']);
	});

	test('does not offer a variable whose name an input has', () => {
		expect(namesFor('', ['Flow'], [source(1, 'Flow')])).toEqual(['input Flow']);
	});

	test('offers a new input for a name that nothing has', () => {
		expect(namesFor('Level', ['Level'])).toEqual(['input Level']);
		expect(namesFor('Lev', [])).toEqual(['new Lev']);
		expect(namesFor(' ', [])).toEqual([]);
	});
});
