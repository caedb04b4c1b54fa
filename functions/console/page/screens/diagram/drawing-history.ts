import type { DraftEditor } from '#page/core/draft-editor.ts';
import type { DiagramDraft, DraftItem } from './diagram-draft.ts';

/** What undo and redo go back and forth between: the items before and after each act on the drawing. */
export interface DrawingHistory {
	/** Notes the items before an act. Acts of one name that follow each other are one step, until `pause`. */
	note(act: string): void;
	/** Ends a step that has several acts, such as a drag. */
	pause(): void;
	/** Puts the items back to before the last step. Returns whether there was one. */
	undo(): boolean;
	/** Repeats the step that was undone last. Returns whether there was one. */
	redo(): boolean;
}

/** Most steps that can be undone. */
const maxSteps = 200;

/** Creates the history of one editor. It begins anew with every version that is saved or taken up, because its items are others. */
export function createDrawingHistory({ base, content, change }: DraftEditor<DiagramDraft>): DrawingHistory {
	let begun = base.peek();
	let past: readonly (readonly DraftItem[])[] = [];
	let future: readonly (readonly DraftItem[])[] = [];
	let running: string | null = null;
	const followBase = (): void => {
		if (begun === base.peek()) return;
		begun = base.peek();
		past = [];
		future = [];
		running = null;
	};
	const swap = (from: readonly (readonly DraftItem[])[]): boolean => {
		const items = from.at(-1);
		running = null;
		if (items !== undefined) change({ items });
		return items !== undefined;
	};
	return {
		note: (act) => {
			followBase();
			if (act !== running) past = [...past, content.peek().items].slice(-maxSteps);
			future = [];
			running = act;
		},
		pause: () => {
			running = null;
		},
		undo: () => {
			followBase();
			const present = content.peek().items;
			if (!swap(past)) return false;
			past = past.slice(0, -1);
			future = [...future, present];
			return true;
		},
		redo: () => {
			followBase();
			const present = content.peek().items;
			if (!swap(future)) return false;
			future = future.slice(0, -1);
			past = [...past, present];
			return true;
		},
	};
}
