import type { TargetedKeyboardEvent } from 'preact';
import { letterKeys } from '#page/core/preferences.ts';
import { type DiagramDraft, type DraftSymbol, pipeIn, symbolIn } from '../diagram-draft.ts';
import type { Point } from '../symbols/symbol-geometry.ts';
import { bigStep, gridStep, onGrid } from './grid.ts';
import { pipeByKey, pipeFrom, withoutLastBend } from './new-pipe.ts';
import { tools } from './tools.ts';
import { type DrawingEdits, focusEntry } from './use-drawing-edits.ts';

/** The direction of each arrow key. */
const directions: Readonly<Record<string, Point>> = {
	ArrowLeft: [-1, 0],
	ArrowRight: [1, 0],
	ArrowUp: [0, -1],
	ArrowDown: [0, 1],
};

/** Handles a key that was pressed in the drawing. Each of the functions below returns whether it has handled the key. */
export function onDrawingKey(event: TargetedKeyboardEvent<HTMLElement>, edits: DrawingEdits): void {
	const symbol = focusedSymbol(event, edits);
	const isControl = event.ctrlKey || event.metaKey;
	const isDone =
		byArrow(event, edits) ||
		(isControl ? byControl(event.key.toLowerCase(), edits) : byKey(event.key, edits, symbol)) ||
		(!isControl && !event.altKey && letterKeys.value && byLetter(event.key.toLowerCase(), edits, symbol));
	if (isDone) event.preventDefault();
}

function focusedSymbol(event: TargetedKeyboardEvent<HTMLElement>, edits: DrawingEdits): DraftSymbol | null {
	const entry = event.target instanceof Element ? event.target.closest('[data-entry]')?.getAttribute('data-entry') : undefined;
	return entry === null || entry === undefined ? null : symbolIn(edits.editor.content.peek(), Number(entry));
}

function byArrow({ key, shiftKey, ctrlKey, metaKey }: TargetedKeyboardEvent<HTMLElement>, edits: DrawingEdits): boolean {
	const direction = Object.hasOwn(directions, key) ? directions[key] : undefined;
	if (direction === undefined || edits.selected.peek().length === 0) return false;
	const step = shiftKey ? bigStep : gridStep;
	const [dx, dy] = [direction[0] * step, direction[1] * step];
	// On the screen, y grows downwards. The key Up has a negative dy, but must make a symbol higher.
	if (ctrlKey || metaKey) edits.sizeBy([dx, -dy]);
	else edits.moveBy(distanceOnGrid(edits.editor.content.peek(), edits.selected.peek().at(-1), [dx, dy]));
	return true;
}

/** Returns the distance to the next place on the grid from a symbol, or from the first bend of a pipe. */
function distanceOnGrid(draft: DiagramDraft, id: number | undefined, [dx, dy]: Point): Point {
	const symbol = symbolIn(draft, id);
	// A pipe without bends has no place of its own, so the distance is that from the upper left corner. A step to the left or up would be 0
	// there. `|| step` keeps it, because other symbols may be selected, too.
	const [x, y] = symbol === null ? (pipeIn(draft, id)?.via[0] ?? [0, 0]) : [symbol.x, symbol.y];
	const along = (place: number, step: number): number => (step === 0 ? 0 : onGrid(place + step) - place || step);
	return [along(x, dx), along(y, dy)];
}

function byControl(key: string, edits: DrawingEdits): boolean {
	switch (key) {
		case 'c':
			edits.copy();
			return true;
		case 'v':
			edits.paste();
			focusEntry(edits.selected.peek().at(-1));
			return true;
		case 'a':
			edits.choose(edits.editor.content.peek().symbols.map(({ id }) => id));
			return true;
		default:
			return false;
	}
}

function byKey(key: string, edits: DrawingEdits, symbol: DraftSymbol | null): boolean {
	switch (key) {
		case 'Delete':
			edits.remove(edits.selected.peek());
			focusDrawing();
			return true;
		case 'Backspace':
			edits.newPipe.value = withoutLastBend(edits.newPipe.peek());
			return true;
		case 'Escape':
			return byEscape(edits);
		case 'Enter':
			return byEnter(edits, symbol);
		case ' ':
			if (symbol === null) return false;
			hold(edits, symbol.id);
			return true;
		default:
			return false;
	}
}

/**
 * Adds the symbol to the selection, or removes it. From then on, moving the focus does not change the selection. The first time, the focus
 * has already selected the symbol.
 */
function hold(edits: DrawingEdits, id: number): void {
	const chosen = edits.selected.peek();
	if (edits.isHolding.peek()) edits.choose(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
	edits.isHolding.value = edits.selected.peek().length > 0;
}

/**
 * Handles Esc. It drops the first of these that there is: the pipe that was begun, the tool, the edits since the selection was made, the
 * selection.
 */
function byEscape(edits: DrawingEdits): boolean {
	if (edits.newPipe.peek().from !== null || edits.tool.peek() !== 'choose')
		edits.take(edits.newPipe.peek().from === null ? 'choose' : 'pipe');
	else if (!edits.putBack()) {
		edits.isHolding.value = false;
		edits.choose([]);
	}
	return true;
}

/** Handles Enter: places a symbol, draws a pipe, or moves the focus to the form of the selection. */
function byEnter(edits: DrawingEdits, symbol: DraftSymbol | null): boolean {
	const tool = edits.tool.peek();
	if (tool === 'pipe') {
		if (symbol !== null) pipeByKey(edits, symbol);
	} else if (tool === 'choose' || tool === 'value') focusForm();
	else focusEntry(edits.add(tool, null));
	return true;
}

function byLetter(letter: string, edits: DrawingEdits, symbol: DraftSymbol | null): boolean {
	const tool = tools.find(([, key]) => key === letter)?.[0];
	if (tool === undefined) return false;
	if (tool === 'pipe' && symbol !== null) pipeFrom(edits, symbol);
	else edits.take(tool);
	if (tool === 'value') focusForm();
	return true;
}

/** Moves the focus to the first field beside the drawing. */
export function focusForm(): void {
	requestAnimationFrame(() => document.querySelector<HTMLElement>('.edit-side :is(input, select)')?.focus());
}

/** Moves the focus to the drawing, after the element that had it was removed. */
export function focusDrawing(): void {
	document.querySelector<HTMLElement>('.editing')?.focus();
}
