import { type Signal, useSignal } from '@preact/signals';
import type { Variable } from '#page/core/definitions.ts';
import type { DraftEditor } from '#page/core/draft-editor.ts';
import { formatNumber } from '#page/format/number.ts';
import { type DiagramDraft, type DraftItem, withItem, withoutItem, withVariable } from './diagram-draft.ts';
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
	readonly move: (key: number, x: number, y: number) => void;
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
	const move = (key: number, x: number, y: number): void => {
		const moved = itemOf(key);
		if (moved === null) return;
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
		change: (key, part) => editor.change(withItem(content.value, key, part)),
		move,
		putBack: (key) => {
			if (selection.value?.key === key) move(key, selection.value.x, selection.value.y);
		},
		add: (varId) => {
			editor.change(withVariable(content.value, varId));
			selection.value = content.value.items.at(-1) ?? null;
		},
		remove: (key) => {
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
