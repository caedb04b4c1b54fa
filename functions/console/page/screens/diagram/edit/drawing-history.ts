import type { DraftEditor } from '#page/core/draft-editor.ts';
import type { DiagramDraft } from '../diagram-draft.ts';
import type { DrawingContent } from './symbol-edits.ts';

/** The steps of undo and redo. */
export interface DrawingHistory {
	/** Records the drawing before an act. Consecutive acts of the same name are one step, until `endUndoStep` is called. */
	note(act: string): void;
	/** Ends a step of several acts, such as a drag. */
	endUndoStep(): void;
	/** Undoes the last step. Returns whether there was one. */
	undo(): boolean;
	/** Redoes the step that was undone last. Returns whether there was one. */
	redo(): boolean;
}

/** The most steps that can be undone. */
export const maxSteps = 50;

/** Creates the history of one editor. It is emptied with every version that is saved or taken over, because the ids of symbols change. */
export function createDrawingHistory({ base, content, change }: DraftEditor<DiagramDraft>): DrawingHistory {
	/** The stored version that the steps begin from. */
	let stepsBase = base.peek();
	let past: readonly DrawingContent[] = [];
	let future: readonly DrawingContent[] = [];
	/** The act whose step goes on; null after its end. */
	let openAct: string | null = null;
	/** Empties the history where another version is stored now. */
	const followBase = (): void => {
		if (stepsBase === base.peek()) return;
		stepsBase = base.peek();
		past = [];
		future = [];
		openAct = null;
	};
	/** Puts back the newest drawing of a list. Returns whether there was one. */
	const putBack = (from: readonly DrawingContent[]): boolean => {
		const drawing = from.at(-1);
		openAct = null;
		if (drawing !== undefined) change(drawing);
		return drawing !== undefined;
	};
	return {
		note: (act) => {
			followBase();
			if (act !== openAct) past = [...past, drawingOf(content.peek())].slice(-maxSteps);
			future = [];
			openAct = act;
		},
		endUndoStep: () => {
			openAct = null;
		},
		undo: () => {
			followBase();
			const present = drawingOf(content.peek());
			if (!putBack(past)) return false;
			past = past.slice(0, -1);
			future = [...future, present];
			return true;
		},
		redo: () => {
			followBase();
			const present = drawingOf(content.peek());
			if (!putBack(future)) return false;
			future = future.slice(0, -1);
			past = [...past, present];
			return true;
		},
	};
}

function drawingOf({ ratio, symbols, pipes, background }: DiagramDraft): DrawingContent {
	return { ratio, symbols, pipes, background };
}
