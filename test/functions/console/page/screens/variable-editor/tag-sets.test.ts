import fc from 'fast-check';
import { expect, test } from 'vitest';
import { choosesTagSet, maxQueryTags, tagSetText } from '#domain/variable/tags.ts';
import { differingKeys, tagsOfKeys, topicWithTags } from '#page/screens/variable-editor/tag-sets.ts';

const tags = fc.dictionary(fc.constantFrom('host', 'slave_id', 'name', 'type', 'constructor'), fc.constantFrom('1', '2', 'a b'));

test('the tags that differ choose their own tag set, and none of the others', () => {
	fc.assert(
		fc.property(fc.uniqueArray(tags, { selector: tagSetText, maxLength: 6 }), (tagSets) => {
			const keys = differingKeys(tagSets);
			for (const tagSet of tagSets)
				expect(tagSets.filter((other) => choosesTagSet(tagsOfKeys(keys, tagSet), other))).toEqual([tagSet]);
		}),
	);
});

test('tags that all sets share are left out, and those with the most values come first', () => {
	const sets = ['1', '2', '3'].map((id) => ({ host: 'gw', slave_id: id, ...(id === '3' ? { name: 'pump' } : {}) }));
	expect(differingKeys(sets)).toEqual(['slave_id', 'name']);
	expect(sets.map((set) => tagsOfKeys(differingKeys(sets), set))[0]).toEqual({ slave_id: '1', name: '' });
	expect([differingKeys([]), differingKeys([{ host: 'gw' }])]).toEqual([[], []]);
});

test('no more tags are proposed than a query may have', () => {
	const keys = Array.from({ length: maxQueryTags + 1 }, (_, index) => `t${index}`);
	expect(Object.keys(tagsOfKeys(keys, {}))).toEqual(keys.slice(0, maxQueryTags));
});

test('a topic is shown with its tags, if any', () => {
	expect([topicWithTags('modbus', { b: '2', a: '1' }), topicWithTags('modbus', {})]).toEqual(['modbus a=1,b=2', 'modbus']);
});
