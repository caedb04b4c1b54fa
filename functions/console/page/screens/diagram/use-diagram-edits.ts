import { type Signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Variable } from '#page/core/definitions.ts';
import type { DraftEditor } from '#page/core/draft-editor.ts';
import { formatNumber } from '#page/format/number.ts';
import { type DiagramDraft, type DraftItem, withItem, withoutItem, withVariable } from './diagram-draft.ts';
import { createDrawingHistory } from './drawing-history.ts';
import { labelOf } from './item-content.tsx';
import { diagramText } from './texts.ts';

/** What is done to the items of a diagram while it is edited. */
export interface DiagramEdits {
	/** The selected item; null without one. */
	readonly selected: DraftItem | null;
	/** What was done last, for the status line. */
	readonly announcement: Signal<string>;
	readonly select: (key: number) => void;
	readonly change: (key: number, change: Partial<Omit<DraftItem, 'key'>>) => void;
	/** `isDrag`: it is one step with the moves of the same drag before it. */
	readonly move: (key: number, x: number, y: number, isDrag?: boolean) => void;
	/** Ends a drag: the next one is a step of its own. */
	readonly drop: () => void;
	readonly undo: () => void;
	readonly redo: () => void;
	/** Puts the item back to where it was when it was selected. */
	readonly putBack: (key: number) => void;
	/** Adds a variable, and selects it. */
	readonly add: (varId: number) => void;
	readonly remove: (key: number) => void;
}

/** Creates the acts on the items of a diagram's draft. */
export function useDiagramEdits(editor: DraftEditor<DiagramDraft>, variables: ReadonlyMap<number, Variable>): DiagramEdits {
	/** The selected item as it was when it was selected. */
	const selection = useSignal<DraftItem | null>(null);
	const announcement = useSignal('');
	const { content } = editor;
	const itemOf = (key: number | undefined): DraftItem | null => content.value.items.find((item) => item.key === key) ?? null;
	const history = useMemo(() => createDrawingHistory(editor), [editor]);
	const move = (key: number, x: number, y: number, isDrag = false): void => {
		const moved = itemOf(key);
		if (moved === null) return;
		history.note(`move ${key}`);
		if (!isDrag) history.pause();
		editor.change(withItem(content.value, key, { x, y }));
		const label = labelOf(moved, variables.get(moved.varId));
		announcement.value = diagramText().moved(label, formatNumber(x, 2), formatNumber(y, 2));
	};
	return {
		selected: itemOf(selection.value?.key),
		announcement,
		select: (key) => {
			if (selection.value?.key !== key) selection.value = itemOf(key);
		},
		change: (key, part) => {
			history.note(`${Object.keys(part).join()} ${key}`);
			editor.change(withItem(content.value, key, part));
		},
		move,
		drop: history.pause,
		undo: () => {
			if (history.undo()) announcement.value = diagramText().undone;
		},
		redo: () => {
			if (history.redo()) announcement.value = diagramText().redone;
		},
		putBack: (key) => {
			if (selection.value?.key === key) move(key, selection.value.x, selection.value.y);
		},
		add: (varId) => {
			history.note('add');
			history.pause();
			editor.change(withVariable(content.value, varId));
			selection.value = content.value.items.at(-1) ?? null;
		},
		remove: (key) => {
			history.note('remove');
			history.pause();
			editor.change(withoutItem(content.value, key));
			selection.value = null;
			focusContent();
		},
	};
}

/** Takes the focus when the element that had it is gone. */
export function focusContent(): void {
	document.getElementById('content')?.focus();
}
