import { describe, expect, test } from 'vitest';
import type { ChangeEntry } from '#page/changes/change-entries.ts';
import { changedWords, changesCsv, isFoundChange, itemWords, versionWords } from '#page/changes/change-words.ts';

const entry: ChangeEntry = {
	...{ kind: 'variable', itemId: 23, rowVersion: 7, via: 'console', requestId: 'r-1', at: '2026-11-22T14:11:08.000Z' },
	actor: { kind: 'person', id: 'ana@plant-a.example', name: 'ana@plant-a.example' },
	...{ action: 'changed', name: 'Efficiency', version: 5, replaced: 4, fields: ['equation', 'later'] },
};

describe('an entry of the journal of changes', () => {
	test('names the item by its kind and number; people and the panel have none', () => {
		expect(itemWords(entry)).toBe('variable 23');
		expect(itemWords({ kind: 'panel', itemId: 0 })).toBe('panel');
		expect(itemWords({ kind: 'person', itemId: 'ana@plant-a.example' })).toBe('person');
	});

	test('says what changed, with the name of a field that has no word, and the deletion that caused it', () => {
		expect(changedWords(entry)).toBe('formula, later');
		const cause = { kind: 'variable', itemId: 4, rowVersion: 2 } as const;
		expect(changedWords({ fields: ['series'], cause })).toBe('lines, because variable 4 was deleted');
	});

	test('of a session says why it was refused, and from where it came, and has no version', () => {
		const session = { fields: [], reason: 'secret' as const, source: '203.0.113.7' };
		expect(changedWords(session)).toBe('wrong secret, from 203.0.113.7');
		expect(changedWords({ fields: [], source: '203.0.113.7' })).toBe('from 203.0.113.7');
		expect(versionWords({ action: 'refused', version: 0, replaced: null })).toBe('');
	});

	test.each([
		['changed', 5, 4, '4 → 5'],
		['created', 1, null, '1'],
		['deleted', 6, 5, '5'],
		['restored', 7, null, '7'],
	] as const)('of which an item was %s has the versions %i, %s: %s', (action, version, replaced, words) => {
		expect(versionWords({ action, version, replaced })).toBe(words);
	});

	test('is found by the item, its number and the person', () => {
		expect(['EFFIC', 'variable 23', 'ana@'].map((search) => isFoundChange(entry, search))).toEqual([true, true, true]);
		expect(isFoundChange(entry, 'bruno')).toBe(false);
	});

	test('is a line of CSV', () => {
		const [, line = ''] = changesCsv([entry]).split('\r\n');
		expect(line).toMatch(
			/^2026-11-22T14:11:08\.000Z,.*,variable,23,Efficiency,changed,5,4,"formula, later",ana@plant-a\.example,console,r-1$/,
		);
	});
});
