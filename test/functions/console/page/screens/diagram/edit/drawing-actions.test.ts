import { signal } from '@preact/signals';
import type { TargetedKeyboardEvent } from 'preact';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { languageChoices } from '#page/core/languages.ts';
import { language, letterKeys } from '#page/core/preferences.ts';
import { bareSymbol, emptyDraft } from '#page/screens/diagram/diagram-draft.ts';
import {
	arrows,
	type DrawingAction,
	drawingActions,
	drawingHelp,
	drawingShortcuts,
	palette,
} from '#page/screens/diagram/edit/drawing-actions.ts';
import type { DrawingEdits } from '#page/screens/diagram/edit/drawing-edits.ts';
import { onDrawingKey } from '#page/screens/diagram/edit/drawing-keys.ts';
import type { Point } from '#page/screens/diagram/symbols/symbol-geometry.ts';

const inDrawing: readonly (readonly [name: string, action: DrawingAction])[] = Object.entries(drawingActions);
const all: readonly DrawingAction[] = [...Object.values(drawingActions), ...drawingShortcuts];

afterEach(() => {
	vi.restoreAllMocks();
	language.value = 'en';
});

describe('the words of an action', () => {
	const words = all.flatMap(({ key, ...action }) =>
		(['help', 'label', 'hint', 'pipeHint'] as const).flatMap((which) => {
			const said = action[which];
			return said === undefined ? [] : [[`${which} of ${key}`, said] as const];
		}),
	);

	test.each(words)('are in each language: %s', (_, said) => {
		const inEach = languageChoices.map(({ value }) => {
			language.value = value;
			return said().trim();
		});
		expect(inEach).not.toContain('');
		expect(new Set(inEach).size).toBe(languageChoices.length);
	});

	test.each([
		['en', 'Tank, filter, pump, valve, source, network, value, text, frame, join'],
		['es', 'Depósito, filtro, bomba, válvula, captación, red, valor, texto, marco, unión'],
	] as const)('name all tools that place a symbol in one line of the help, in the order of their keys (%s)', (tag, words) => {
		language.value = tag;
		expect(drawingHelp()).toContainEqual({ key: 'T F P V S N D X R J', label: words });
		expect(palette.map(({ label }) => label().toLowerCase()).slice(1, -1)).toEqual(words.toLowerCase().split(', '));
	});
});

describe('the key of an action', () => {
	test('is its own', () => {
		const keys = all.map(({ key }) => key.toLowerCase());
		expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
	});

	test('is listed by the help of the drawing, which lists no others', () => {
		const listed = drawingHelp().flatMap(({ key }) => (/^\w( \w)*$/.test(key) ? key.split(' ') : [key]));
		expect(listed).toEqual(inDrawing.map(([, { key }]) => key));
	});

	test.each(inDrawing)('performs %s, and the browser does nothing more', (name, { key }) => {
		const performed: string[] = [];
		for (const [each, action] of inDrawing) vi.spyOn(action, 'perform').mockImplementation(() => performed.push(each));
		const names: Readonly<Record<string, string>> = { [arrows]: 'ArrowUp', Space: ' ' };
		const [typed = '', ...modifiers] = key.split('+').toReversed();
		const options = { ctrlKey: modifiers.includes('Ctrl'), shiftKey: modifiers.includes('Shift') };
		// Capital letters, as with Caps Lock, are the same keys.
		const asTyped = typed.length === 1 ? [typed.toLowerCase(), typed.toUpperCase()] : [names[typed] ?? typed];
		for (const each of asTyped) expect(press(each, options), each).toBe('handled');
		expect(performed).toEqual(asTyped.map(() => name));
	});

	test('moves by a place of the grid, with Shift by ten, and with Ctrl makes higher and wider', () => {
		const [moveBy, sizeBy] = [vi.fn(), vi.fn()];
		const pressed = { selected: [0], moveBy, sizeBy };
		press('ArrowUp', {}, pressed);
		press('ArrowRight', { shiftKey: true }, pressed);
		press('ArrowUp', { ctrlKey: true }, pressed);
		press('ArrowLeft', { metaKey: true, shiftKey: true }, pressed);
		expect(moveBy.mock.calls.flat()).toEqual([
			[0, -0.01],
			[0.1, 0],
		]);
		expect(sizeBy.mock.calls.flat()).toEqual([
			[0, 0.01],
			[-0.1, -0],
		]);
	});

	test('is left to the browser where there is nothing to act on', () => {
		expect(press('ArrowUp', {}, { selected: [] })).toBe('left');
		expect(press('ArrowUp', { ctrlKey: true }, { selected: [] })).toBe('left');
		expect(press(' ', {}, { entry: null })).toBe('left');
		expect(press(' ', {}, { entry: '0' })).toBe('handled');
		for (const key of ['F8', 'Tab', '1', 'toString']) expect(press(key), key).toBe('left');
		for (const key of ['s', 'Delete', 'Escape', ' ']) expect(press(key, { ctrlKey: true }), key).toBe('left');
	});

	test('is no shortcut with Alt, or with letters switched off, where it is a letter', () => {
		const perform = vi.spyOn(drawingActions.tank, 'perform').mockReturnValue(undefined);
		const copy = vi.spyOn(drawingActions.copy, 'perform').mockReturnValue(undefined);
		expect(press('t', { altKey: true })).toBe('left');
		// Alt and an arrow go back in the browser. Ctrl+Shift+C opens its tools.
		expect(press('ArrowLeft', { altKey: true })).toBe('left');
		expect(press('C', { ctrlKey: true, shiftKey: true })).toBe('left');
		letterKeys.value = false;
		onTestFinished(() => {
			letterKeys.value = true;
		});
		expect(press('t')).toBe('left');
		expect(perform).not.toHaveBeenCalled();
		expect(press('c', { ctrlKey: true })).toBe('handled');
		expect(copy).toHaveBeenCalledOnce();
	});
});

/** An element in the symbol that `entry` names; null: in none. */
class FakeElement {
	private readonly entry: string | null;
	constructor(entry: string | null) {
		this.entry = entry;
	}
	closest() {
		return this.entry === null ? null : { getAttribute: () => this.entry };
	}
}

interface Drawing {
	readonly entry?: string | null;
	readonly selected?: readonly number[];
	readonly moveBy?: (by: Point) => void;
	readonly sizeBy?: (by: Point) => void;
}

/** Presses a key in a drawing of one symbol. Returns whether it was handled, or left to the browser. */
function press(key: string, modifiers: Partial<TargetedKeyboardEvent<HTMLElement>> = {}, drawing: Drawing = {}) {
	const { entry = '0', selected = [0], ...acts } = drawing;
	const content = signal({ ...emptyDraft, symbols: [{ ...bareSymbol, id: 0, kind: 'tank', x: 0.5, y: 0.5 }] });
	const edits = { editor: { content }, selected: signal(selected), isHolding: signal(false), choose: vi.fn(), ...acts };
	const preventDefault = vi.fn();
	vi.stubGlobal('Element', FakeElement);
	const event = { key, ...modifiers, target: new FakeElement(entry), preventDefault };
	onDrawingKey(event as unknown as TargetedKeyboardEvent<HTMLElement>, edits as unknown as DrawingEdits);
	vi.unstubAllGlobals();
	return preventDefault.mock.calls.length === 0 ? 'left' : 'handled';
}
