import type { TargetedKeyboardEvent } from 'preact';
import { letterKeys } from '#page/core/preferences.ts';
import { type DraftSymbol, symbolIn } from '../diagram-draft.ts';
import type { Point } from '../symbols/symbol-geometry.ts';
import { arrows, type DrawingAction, drawingActions } from './drawing-actions.ts';
import type { DrawingEdits } from './drawing-edits.ts';
import { bigStep, gridStep } from './grid.ts';

/** The direction of each arrow key. */
const directions: Readonly<Record<string, Point>> = {
	ArrowLeft: [-1, 0],
	ArrowRight: [1, 0],
	ArrowUp: [0, -1],
	ArrowDown: [0, 1],
};

/** Performs the action of a key that was pressed in the drawing. */
export function onDrawingKey(event: TargetedKeyboardEvent<HTMLElement>, edits: DrawingEdits): void {
	const [x, y] = (Object.hasOwn(directions, event.key) ? directions[event.key] : undefined) ?? [0, 0];
	const step = event.shiftKey ? bigStep : gridStep;
	const action = actionOf(event);
	if (action === undefined) return;
	const isDone = action.perform(edits, { symbol: focusedSymbol(event, edits), by: [x * step, y * step] }) !== false;
	if (isDone) event.preventDefault();
}

function actionOf(event: TargetedKeyboardEvent<HTMLElement>): DrawingAction | undefined {
	const name = keyOf(event).toLowerCase();
	const action = Object.values<DrawingAction>(drawingActions).find(({ key }) => key.toLowerCase() === name);
	const isLetter = action?.key.length === 1;
	return event.altKey || (isLetter && !letterKeys.value) ? undefined : action;
}

/** Returns the name of a pressed key, as an action has it. Shift belongs only to the names of arrow keys, and of keys with Ctrl. */
function keyOf({ key, shiftKey, ctrlKey, metaKey }: TargetedKeyboardEvent<HTMLElement>): string {
	const isArrow = Object.hasOwn(directions, key);
	const name = isArrow ? arrows : key.replace(' ', 'Space');
	if (ctrlKey || metaKey) return `Ctrl+${shiftKey && !isArrow ? 'Shift+' : ''}${name}`;
	return isArrow && shiftKey ? `Shift+${name}` : name;
}

function focusedSymbol(event: TargetedKeyboardEvent<HTMLElement>, edits: DrawingEdits): DraftSymbol | null {
	const entry = event.target instanceof Element ? event.target.closest('[data-entry]')?.getAttribute('data-entry') : undefined;
	return entry === null || entry === undefined ? null : symbolIn(edits.editor.content.peek(), Number(entry));
}
