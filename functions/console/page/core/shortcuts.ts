import { useEffect, useRef } from 'preact/hooks';
import { letterKeys } from './preferences.ts';
import { isWall } from './route.ts';

/** A key that a screen acts on while it is shown. */
export interface Shortcut {
	/** The key as `KeyboardEvent.key` names it: `p`, `A` (with Shift), `F8`, `[`. With Ctrl or Cmd: `Ctrl+s`, `Ctrl+Shift+z`. */
	readonly key: string;
	/** The words that the list of keys shows for it. */
	readonly label: string;
	readonly run: () => void;
	/** Whether it also acts in the wall view, which has no controls. */
	readonly onWall?: boolean;
}

/** The shortcuts of each component on the screen, with the number of dialogs around it, in the order in which the components appeared. */
const active = new Map<{ readonly current: readonly Shortcut[] }, number>();

/** Returns the shortcuts that are active on the screen, for the list of keys. */
export function activeShortcuts(): readonly Shortcut[] {
	return [...active.keys()].flatMap(({ current }) => current);
}

/**
 * Handles shortcuts while the component is on the screen, and no dialog above it. Keys that type a character act only outside of fields,
 * and can be switched off.
 */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
	const latest = useRef(shortcuts);
	latest.current = shortcuts;
	useEffect(() => {
		active.set(latest, openDialogs());
		return () => {
			active.delete(latest);
		};
	}, []);
}

/** Listens to keys. Returns a function that stops it. */
export function startShortcuts(): () => void {
	const onKey = (event: KeyboardEvent): void => {
		if (event.defaultPrevented || event.altKey || event.isComposing) return;
		const withControl = event.ctrlKey || event.metaKey;
		const isPlain = !withControl && event.key.length === 1;
		const isUndo = withControl && event.key.toLowerCase() === 'z';
		if (isPlain && !letterKeys.value) return;
		// In fields, letters are no shortcuts, and Ctrl+z is left to the browser.
		if ((isPlain || isUndo) && isField(event.target)) return;
		const name = withControl ? `Ctrl+${event.shiftKey ? 'Shift+' : ''}${event.key.toLowerCase()}` : event.key;
		const dialogs = openDialogs();
		const found = [...active]
			.flatMap(([{ current }, around]) => (around === dialogs ? current : []))
			.findLast(({ key, onWall = false }) => key === name && (onWall || !isWall.value));
		if (found === undefined) return;
		event.preventDefault();
		found.run();
	};
	document.addEventListener('keydown', onKey);
	document.addEventListener('beforeinput', keepUndoInField);
	return () => {
		document.removeEventListener('keydown', onKey);
		document.removeEventListener('beforeinput', keepUndoInField);
	};
}

/** Returns the number of open dialogs. Each makes what is below it inert. */
function openDialogs(): number {
	return document.querySelectorAll('dialog[open]').length;
}

/** Prevents an undo in a field without the focus. Browsers undo the last typing in whatever field it was. */
function keepUndoInField(event: InputEvent): void {
	if (event.inputType.startsWith('history') && event.target !== document.activeElement) event.preventDefault();
}

/** Whether the element takes letters itself, as a text field or a list of choices does. */
function isField(target: EventTarget | null): boolean {
	if (!(target instanceof HTMLElement)) return false;
	return (
		target.isContentEditable ||
		target.closest('textarea, select, [role=combobox], [role=listbox], input:not([type=checkbox], [type=radio])') !== null
	);
}
