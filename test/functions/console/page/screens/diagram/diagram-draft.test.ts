import { expect, test } from 'vitest';
import type { Diagram } from '#page/core/definitions.ts';
import { createDraftEditor } from '#page/core/draft-editor.ts';
import { bareSymbol, type DiagramDraft, inputOf, storedDraftOf } from '#page/screens/diagram/diagram-draft.ts';
import { withMoved, without, withSymbol, withSymbolChange } from '#page/screens/diagram/edit/symbol-edits.ts';

const stored: Diagram = {
	id: 31,
	version: 3,
	title: 'Plant',
	ratio: 1.6,
	items: [
		{ varId: 4, kind: 'tank', x: 0.15, y: 0.3, w: 0.1, h: 0.2, label: 'Raw tank', key: 'raw', scale: [0, 4], words: 'left' },
		{ varId: 18, bit: 0, x: 0.4, y: 0.6, tap: [0.5, 0.7] },
	],
	shapes: [
		{ kind: 'pump', x: 0.5, y: 0.5, w: 0.04, turn: 270, key: 'p1' },
		{ kind: 'join', x: 0.7, y: 0.7, key: 'j1' },
	],
	pipes: [
		{ from: ['raw', 'right', 0.9], to: ['p1', 'in'], via: [[0.3, 0.4]], varId: 1, over: 5 },
		{ from: ['p1', 'out'], to: ['j1', 'left'], thin: true },
	],
	background: '<svg xmlns="http://www.w3.org/2000/svg"/>',
};
const plain: Diagram = { id: 32, version: 1, title: 'Plain', items: [{ varId: 4, x: 0.5, y: 0.5 }] };

const draftOf = (diagram: Diagram) => storedDraftOf(diagram).content;
/** Whether an editor that began with `base` finds `draft` changed. */
const isChanged = (draft: DiagramDraft, base: DiagramDraft) => {
	const none = async () => ({ ok: true, data: { content: base, version: 3 }, etag: null }) as const;
	const requests = { check: () => new Map(), storedOf: inputOf, save: none, read: none };
	const editor = createDraftEditor({ content: base, version: 3 }, requests);
	editor.change(draft);
	return editor.isChanged.value;
};

test('a draft that was not changed saves what is stored', () => {
	const { version, ...input } = stored;
	expect(inputOf(draftOf(stored))).toEqual(input);
	expect(isChanged(draftOf(stored), draftOf(stored))).toBe(false);
});

test('what a diagram has not is removed by name: an absent field would keep it', () => {
	expect(inputOf(draftOf(plain))).toEqual({
		id: 32,
		title: 'Plain',
		items: [{ varId: 4, x: 0.5, y: 0.5 }],
		ratio: null,
		shapes: null,
		pipes: null,
		background: null,
	});
});

test('a symbol that is moved away and back is no change', () => {
	const draft = draftOf(stored);
	const away = withMoved(draft, [0], [0.05, 0]);
	expect(isChanged(away, draft)).toBe(true);
	expect(isChanged(withMoved(away, [0], [-0.05, 0]), draft)).toBe(false);
});

test('a symbol that is added and removed is no change', () => {
	const draft = draftOf(plain);
	const more = withSymbol(draft, { ...bareSymbol, kind: 'pump', x: 0.5, y: 0.5 });
	const id = more.symbols.at(-1)?.id ?? -1;
	expect(isChanged(more, draft)).toBe(true);
	expect(isChanged(without(more, [id]), draft)).toBe(false);
});

test('a label of spaces is none, a title has none at its ends, and a text without words is not stored', () => {
	const labelled = withSymbolChange({ ...draftOf(plain), title: ' Plain ' }, 0, { label: '  ' });
	const input = inputOf(withSymbol(labelled, { ...bareSymbol, kind: 'text', label: ' ', x: 0.5, y: 0.5 }));
	expect(input).toMatchObject({ title: 'Plain', shapes: null });
	expect(input.items[0]).toEqual({ varId: 4, x: 0.5, y: 0.5 });
});
