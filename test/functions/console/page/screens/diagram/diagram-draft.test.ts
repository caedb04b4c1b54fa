import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Diagram } from '#page/core/definitions.ts';
import { createDraftEditor } from '#page/core/draft-editor.ts';
import {
	bigStep,
	type DiagramDraft,
	emptyDraft,
	inputOf,
	onDiagram,
	shiftOf,
	smallStep,
	storedDraftOf,
	withItem,
	withoutItem,
	withVariable,
} from '#page/screens/diagram/diagram-draft.ts';

const stored: Diagram = {
	id: 31,
	version: 3,
	title: 'Plant',
	items: [
		{ varId: 4, x: 0.15, y: 0.3, label: 'Raw tank' },
		{ varId: 18, bit: 0, x: 0.4, y: 0.6 },
	],
};

const drawn: Diagram = {
	...stored,
	ratio: 1.6,
	items: [{ varId: 4, x: 0.2, y: 0.3, key: 'raw', kind: 'tank', w: 0.1, h: 0.2, scale: [0, 4], words: 'above' }],
	shapes: [{ key: 'riv', kind: 'source', x: 0.1, y: 0.9, w: 0.2, h: 0.1, label: 'River' }],
	pipes: [{ from: ['riv', 'top', 0.2], to: ['raw', 'left'], via: [[0.1, 0.5]], varId: 4, over: 1 }],
	background: '<svg xmlns="http://www.w3.org/2000/svg"/>',
};

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
	expect(inputOf(draftOf(stored))).toEqual({ ...input, ratio: null, shapes: null, pipes: null, background: null });
	const { version: _, ...plant } = drawn;
	expect(inputOf(draftOf(drawn))).toEqual(plant);
	expect(isChanged(draftOf(stored), draftOf(stored))).toBe(false);
});

test('bit 0 stays a bit', () => {
	expect(inputOf(draftOf(stored)).items[1]).toMatchObject({ bit: 0 });
});

test('an item that is moved away and back is no change', () => {
	const draft = draftOf(stored);
	const moved = withItem(draft, 0, { x: 0.2 });
	expect(isChanged(moved, draft)).toBe(true);
	expect(isChanged(withItem(moved, 0, { x: 0.15 }), draft)).toBe(false);
});

test('an item that is added and removed is no change', () => {
	const draft = draftOf(stored);
	const more = withVariable(draft, 10);
	expect(more.items.at(-1)).toMatchObject({ key: 2, varId: 10, bit: null, label: '' });
	expect(isChanged(withoutItem(more, 2), draft)).toBe(false);
});

test('removing an item leaves the others', () => {
	expect(withoutItem(draftOf(stored), 0).items.map(({ varId }) => varId)).toEqual([18]);
});

test('new items do not cover each other while there is room', () => {
	let draft = emptyDraft;
	for (let varId = 1; varId <= 40; varId += 1) draft = withVariable(draft, varId);
	const places = new Set(draft.items.map(({ x, y }) => `${x} ${y}`));
	expect(places.size).toBe(40);
	expect(new Set(draft.items.map(({ key }) => key)).size).toBe(40);
});

test('a label of spaces is none, and a title has none at its ends', () => {
	const draft = withItem({ ...draftOf(stored), title: ' Plant ' }, 0, { label: '  ' });
	expect(inputOf(draft)).toMatchObject({ title: 'Plant' });
	expect(inputOf(draft).items[0]).toEqual({ varId: 4, x: 0.15, y: 0.3 });
});

describe('places', () => {
	test('arrow keys lead to round numbers, from one edge to the other', () => {
		const steps = Array.from({ length: 101 });
		let place = 0;
		const reached = steps.map(() => {
			const before = place;
			place = onDiagram(place + smallStep);
			return before;
		});
		expect(reached).toEqual(steps.map((_, index) => index / 100));
		expect(onDiagram(0.15 + bigStep)).toBe(0.25);
	});

	test('stay on the diagram', () => {
		fc.assert(
			fc.property(fc.double({ min: -5, max: 5, noNaN: true }), (place) => {
				expect(onDiagram(place)).toBeGreaterThanOrEqual(0);
				expect(onDiagram(place)).toBeLessThanOrEqual(1);
				if (place >= 0 && place <= 1) expect(Math.abs(onDiagram(place) - place)).toBeLessThanOrEqual(smallStep / 2 + 1e-9);
			}),
		);
	});

	test('an item of a fifth of the width is never cut off', () => {
		fc.assert(
			fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (place) => {
				const left = place - 0.2 * shiftOf(place, 0.1);
				expect(left).toBeGreaterThanOrEqual(-1e-9);
				expect(left + 0.2).toBeLessThanOrEqual(1 + 1e-9);
			}),
		);
		expect(shiftOf(0.5, 0.1)).toBe(0.5);
	});
});
