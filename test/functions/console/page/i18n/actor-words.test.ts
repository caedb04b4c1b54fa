import { expect, test } from 'vitest';
import { actorWords } from '#page/i18n/actor-words.ts';

test('a name has a mark unless it is that of a person', () => {
	const name = 'ana@plant.example';
	expect(actorWords({ kind: 'person', id: name, name })).toBe(name);
	expect(actorWords({ kind: 'machine', id: 'c', name: 'historian' })).toBe('historian (program)');
	expect(actorWords({ kind: 'tool', id: 'user role', name: 'user role' })).toBe('user role (program)');
	expect(actorWords({ kind: 'unknown', id: null, name })).toBe(`${name} (person or program)`);
	expect(actorWords(null)).toBe('');
});
