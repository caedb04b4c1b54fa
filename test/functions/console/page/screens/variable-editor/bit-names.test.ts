import { expect, test } from 'vitest';
import { withBitName } from '#page/screens/variable-editor/draft.ts';

const door = { id: 7, name: 'Door', bit: 4 };

test('a bit keeps its id, also when its name was empty meanwhile', () => {
	expect(withBitName([door], [door], 4, 'Gate')).toEqual([{ ...door, name: 'Gate' }]);
	const empty = withBitName([door], [door], 4, '');
	expect(empty).toEqual([]);
	expect(withBitName(empty, [door], 4, 'G')).toEqual([{ ...door, name: 'G' }]);
});

test('a new bit gets an id that none has, and stands by its position', () => {
	expect(withBitName([door], [{ id: 9, name: 'Old', bit: 0 }], 1, 'Power')).toEqual([{ id: 10, name: 'Power', bit: 1 }, door]);
	expect(withBitName([], [], 0, 'First')).toEqual([{ id: 1, name: 'First', bit: 0 }]);
});
