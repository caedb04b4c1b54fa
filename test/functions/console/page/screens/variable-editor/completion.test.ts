import { describe, expect, test } from 'vitest';
import { completionsFor, type QuerySource } from '#page/screens/variable-editor/completion.ts';
import { emptyQuery } from '#page/screens/variable-editor/draft.ts';

const source = (id: number, name: string): QuerySource => ({ kind: 'variable', id, name, query: emptyQuery });
const namesFor = (typed: string, inputs: readonly string[], sources: readonly QuerySource[] = []) =>
	completionsFor(typed, inputs, sources).map(({ kind, name }) => `${kind} ${name}`);

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
