import { type Signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { SymbolKind } from '#domain/board/symbol-kinds.ts';
import { variables } from '#page/core/definitions.ts';
import type { DraftEditor } from '#page/core/draft-editor.ts';
import { tenantSignal } from '#page/core/tenant-signal.ts';
import { bareSymbol, type DiagramDraft, type DraftSymbol, pipeIn, symbolIn } from '../diagram-draft.ts';
import type { Point } from '../symbols/symbol-geometry.ts';
import { diagramText } from '../texts.ts';
import { type Clip, clipOf, pasteOffset, withClip } from './clipboard.ts';
import type { DrawingEdits, EditSteps, NewPipe, Tool } from './drawing-edits.ts';
import { createDrawingHistory } from './drawing-history.ts';
import { freePlace } from './free-place.ts';
import { onGrid } from './grid.ts';
import { exceededBy } from './limits.ts';
import { placeText, symbolName } from './names.ts';
import { pipeActsOf } from './new-pipe.ts';
import { drawnSizeOf, settableSizes, withMoved, without, withResized, withSymbol } from './symbol-edits.ts';
import { editText } from './texts.ts';

/** The last copy, and how often it was pasted. It may be pasted into another diagram. */
const clipboard = tenantSignal<{ readonly clip: Clip; readonly times: number }>({
	clip: { symbols: [], pipes: [] },
	times: 0,
});

/** Creates the acts on the drawing of an editor. */
export function useDrawingEdits(editor: DraftEditor<DiagramDraft>): DrawingEdits {
	const state = {
		selected: useSignal<readonly number[]>([]),
		isHolding: useSignal(false),
		tool: useSignal<Tool>('choose'),
		newPipe: useSignal<NewPipe>({ from: null, via: [] }),
		newPlace: useSignal<Point | null>(null),
		announcement: useSignal(''),
		draftAtSelection: useSignal<DiagramDraft>(editor.content.peek()),
	};
	return useMemo(() => editsOf(editor, state), [editor]);
}

type State = Pick<DrawingEdits, 'selected' | 'isHolding' | 'tool' | 'newPipe' | 'newPlace' | 'announcement'> & {
	/** The draft at the time of the selection. */
	readonly draftAtSelection: Signal<DiagramDraft>;
};

/** Returns the acts. `apply` tells whether the drawing has changed. */
function editsOf(editor: DraftEditor<DiagramDraft>, state: State): DrawingEdits {
	const { selected, announcement } = state;
	const history = createDrawingHistory(editor);
	const choose: DrawingEdits['choose'] = (ids, { holds } = { holds: false }) => {
		selected.value = ids;
		state.isHolding.value = holds && ids.length > 0;
		state.draftAtSelection.value = editor.content.peek();
		history.endUndoStep();
	};
	const apply = (act: string, change: (draft: DiagramDraft) => DiagramDraft): boolean => {
		const before = editor.content.peek();
		const after = change(before);
		if (isSame(before, after)) return false;
		const exceeded = exceededBy(before, after);
		if (exceeded !== null) {
			announcement.value = editText().exceeded[exceeded];
			return false;
		}
		history.note(act);
		editor.change(after);
		return true;
	};
	const once = (act: string, change: (draft: DiagramDraft) => DiagramDraft): boolean => {
		const isDone = apply(act, change);
		history.endUndoStep();
		return isDone;
	};
	const stepThrough = (undoOrRedo: () => boolean, words: 'undone' | 'redone'): void => {
		if (!undoOrRedo()) return;
		// Undo or redo may have removed some of the selection, so those are no longer selected.
		const left = selected.peek().filter((id) => symbolIn(editor.content.peek(), id) ?? pipeIn(editor.content.peek(), id));
		choose(left, { holds: state.isHolding.peek() });
		announcement.value = editText()[words];
	};
	const take = (tool: Tool): void => {
		state.tool.value = tool;
		state.newPipe.value = { from: null, via: [] };
		state.newPlace.value = null;
	};
	const steps = { editor, ...state, choose, take, apply, once };
	return {
		...steps,
		endUndoStep: history.endUndoStep,
		undo: () => stepThrough(history.undo, 'undone'),
		redo: () => stepThrough(history.redo, 'redone'),
		putBack: () => once('put back', (draft) => withEntriesOf(state.draftAtSelection.peek(), draft, selected.peek())),
		...symbolActsOf(steps),
		...clipboardActsOf(steps),
		...pipeActsOf(steps),
	};
}

/**
 * Returns a draft in which some symbols and pipes are as they were before. The symbols keep their keys, because a pipe that was drawn since
 * may end at them.
 */
function withEntriesOf(before: DiagramDraft, draft: DiagramDraft, ids: readonly number[]): DiagramDraft {
	const chosen = new Set(ids);
	const asBefore = <Entry extends { readonly id: number }>(entry: Entry, entriesBefore: readonly Entry[]): Entry =>
		(chosen.has(entry.id) ? entriesBefore.find(({ id }) => id === entry.id) : undefined) ?? entry;
	return {
		...draft,
		symbols: draft.symbols.map((symbol) => ({ ...asBefore(symbol, before.symbols), key: symbol.key })),
		pipes: draft.pipes.map((pipe) => asBefore(pipe, before.pipes)),
	};
}

/** Returns the acts that move, size, add and remove symbols. */
function symbolActsOf({ editor, selected, tool, newPlace, announcement, choose, once }: EditSteps) {
	/** Announces the effect of an act on the symbol that was selected last. */
	const announce = (words: (symbol: DraftSymbol, name: string) => string): void => {
		const draft = editor.content.peek();
		const symbol = symbolIn(draft, selected.peek().at(-1));
		if (symbol !== null) announcement.value = words(symbol, symbolName(symbol, draft, variables.rows.peek() ?? new Map()));
	};
	return {
		moveBy: (by: Point): void => {
			const ids = selected.peek();
			if (!once('move', (draft) => withMoved(draft, ids, distanceOnGrid(draft, ids.at(-1), by)))) return;
			announce(({ x, y }, name) => editText().moved(name, placeText(x), placeText(y)));
		},
		sizeBy: (by: Point): void => {
			if (!once('size', (draft) => withResized(draft, selected.peek(), by))) return;
			announce((symbol, name) => {
				const { w, h } = drawnSizeOf(symbol);
				return editText().sized(name, placeText(w), settableSizes(symbol.kind).h ? placeText(h) : null);
			});
		},
		add: (kind: SymbolKind, place: Point | null, varId?: number): number | null => {
			if (kind === 'value' && varId === undefined) {
				// A value needs a variable, which the person chooses beside the drawing.
				newPlace.value = place;
				return null;
			}
			const [x, y] = place ?? freePlace(editor.content.peek().symbols);
			// Without a label, a text would not be stored, and a frame would have no title.
			const label = kind === 'text' || kind === 'frame' ? diagramText().kinds[kind] : '';
			const binding = varId === undefined ? {} : { varId };
			if (!once('add', (draft) => withSymbol(draft, { ...bareSymbol, kind, x, y, label, ...binding }))) return null;
			const symbol = editor.content.peek().symbols.at(-1);
			if (symbol === undefined) return null;
			tool.value = 'choose';
			newPlace.value = null;
			choose([symbol.id]);
			announce((_, name) => editText().added(name));
			return symbol.id;
		},
		remove: (ids: readonly number[]): void => {
			if (ids.length === 0 || !once('remove', (draft) => without(draft, ids))) return;
			choose([]);
			announcement.value = editText().removed(ids.length);
		},
	};
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

/** Returns the acts that copy and paste symbols. */
function clipboardActsOf({ editor, selected, announcement, choose, once }: EditSteps) {
	return {
		copy: (): void => {
			const clip = clipOf(editor.content.peek(), selected.peek());
			if (clip.symbols.length === 0) return;
			clipboard.value = { clip, times: 0 };
			announcement.value = editText().copied(clip.symbols.length);
		},
		paste: (): void => {
			const { clip, times: timesBefore } = clipboard.peek();
			const times = timesBefore + 1;
			// Each paste is further away, so that it does not cover the one before.
			const { drawing, ids } = withClip(editor.content.peek(), clip, pasteOffset * times);
			if (!once('paste', () => drawing)) return;
			clipboard.value = { clip, times };
			// The focus moves to one of them.
			choose(ids, { holds: ids.length > 1 });
			announcement.value = editText().pasted(ids.length);
		},
	};
}

function isSame(before: DiagramDraft, after: DiagramDraft): boolean {
	return before === after || JSON.stringify(before) === JSON.stringify(after);
}
