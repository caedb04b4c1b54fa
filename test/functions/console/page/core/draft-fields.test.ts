import { expect, test } from 'vitest';
import { differencesOf, fieldOf, listFields, mergedDraft } from '#page/core/draft-fields.ts';

type Item = { readonly name: string; readonly at: number };
type Board = { readonly title: string; readonly items: readonly Item[] };

const board = (...items: readonly (readonly [string, number])[]): Board => ({
	title: 'Board',
	items: items.map(([name, at]) => ({ name, at })),
});
const compare = (theirs: Board, mine: Board, base = board(['a', 1], ['a', 2])) => {
	const versions = { base, theirs, mine };
	const list = {
		key: 'item',
		itemsOf: ({ items }: Board) => items,
		withItems: (content: Board, items: readonly Item[]) => ({ ...content, items }),
		nameOf: ({ name }: Item) => name,
		labelOf: ({ name }: Item) => name,
		textOf: ({ at }: Item) => String(at),
	};
	const fields = [fieldOf<Board>(['title'], 'Title', ({ title }) => title), ...listFields(list, versions)];
	const differences = differencesOf(fields, versions);
	return {
		differences: differences.map(({ key, theirs, mine, isMine }) => [key, theirs, mine, isMine]),
		/** What both make where each keeps what they changed. */
		merged: mergedDraft(fields, versions, new Set(differences.filter(({ isMine }) => isMine).map(({ key }) => key))),
	};
};

test('items with one name are told apart by their order', () => {
	const { differences, merged } = compare(board(['a', 1], ['a', 3]), board(['a', 9], ['a', 2]));
	expect(differences).toEqual([
		['item a', '1', '9', true],
		['item a 2', '3', '2', false],
	]);
	expect(merged).toEqual(board(['a', 9], ['a', 3]));
});

test('what either added stays, and what I removed goes', () => {
	const { differences, merged } = compare(board(['a', 1], ['a', 2], ['b', 3]), board(['a', 1], ['c', 4]));
	expect(differences).toEqual([
		['item a 2', '2', '', true],
		['item b', '3', '', false],
		['item c', '', '4', true],
	]);
	expect(merged).toEqual(board(['a', 1], ['b', 3], ['c', 4]));
});

test('nothing differs where both changed the same', () => {
	expect(compare(board(['a', 5]), board(['a', 5]))).toEqual({ differences: [], merged: board(['a', 5]) });
});

test('of items with one name all that I removed go', () => {
	expect(compare(board(['a', 1], ['a', 2], ['b', 3]), board()).merged).toEqual(board(['b', 3]));
});
