import type { Signal } from '@preact/signals';
import type { SymbolKind } from '#domain/board/symbol-kinds.ts';
import type { Variable } from '#page/core/definitions.ts';
import type { DraftEditor } from '#page/core/draft-editor.ts';
import type { DiagramDraft, DraftSymbol } from '../diagram-draft.ts';
import type { Point } from '../symbols/symbol-geometry.ts';
import type { PipePort } from './pipe-edits.ts';

/** The tool decides what a click in the drawing does: it selects, places a symbol of a kind, or draws a pipe. */
export type Tool = 'choose' | SymbolKind | 'pipe';

/** A pipe that is being drawn. It has no end yet. */
export interface NewPipe {
	readonly from: PipePort | null;
	readonly via: readonly Point[];
}

/** The selection, the tool and the acts of an editor of a diagram. */
export interface DrawingEdits {
	readonly editor: DraftEditor<DiagramDraft>;
	/** The ids of the selected symbols and pipes, in the order in which they were selected. */
	readonly selected: Signal<readonly number[]>;
	/** Whether the selection stays when the focus moves to another symbol. */
	readonly isHolding: Signal<boolean>;
	readonly tool: Signal<Tool>;
	readonly newPipe: Signal<NewPipe>;
	/** The place of the next value; null for a free place. */
	readonly newPlace: Signal<Point | null>;
	/** A sentence about the last act, for the status line. */
	readonly announcement: Signal<string>;
	/** Selects symbols and pipes, and nothing else. With `holds`, they stay selected when the focus moves to another symbol. */
	readonly choose: (ids: readonly number[], options?: { readonly holds: boolean }) => void;
	/** Takes a tool, and drops a pipe that was begun. */
	readonly take: (tool: Tool) => void;
	/**
	 * Changes the drawing. Consecutive acts of the same name are one step of undo, until `endUndoStep` is called or the selection changes. If the
	 * drawing would exceed a limit, it returns false, changes nothing, and the status line says so.
	 */
	readonly apply: (act: string, change: (draft: DiagramDraft) => DiagramDraft) => boolean;
	/** Changes the drawing, as a step of undo by itself. Returns the same as `apply`. */
	readonly once: DrawingEdits['apply'];
	/** Ends the present step of undo, so that the next act begins another one, whatever its name is. */
	readonly endUndoStep: () => void;
	readonly undo: () => void;
	readonly redo: () => void;
	/** Reverts the edits of the selection since it was selected. Returns whether there were any. */
	readonly putBack: () => boolean;
	/** Moves the selection by shares of width and height, to the next place of the grid. */
	readonly moveBy: (by: Point) => void;
	/** Makes the selection wider and higher, by shares of width and height. */
	readonly sizeBy: (by: Point) => void;
	/**
	 * Adds a symbol, selects it, and takes the selection tool. Returns the id of the symbol; null if the drawing has no room, or if a value
	 * has no variable yet.
	 * @param place null for a free place
	 */
	readonly add: (kind: SymbolKind, place: Point | null, varId?: number) => number | null;
	readonly remove: (ids: readonly number[]) => void;
	readonly copy: () => void;
	/** Pastes what was copied last, and selects it. */
	readonly paste: () => void;
	/** Begins a pipe at a port, or ends the pipe there if one was begun. */
	readonly pipeAt: (port: PipePort) => void;
	/** Begins a pipe at the opening `out` or the right side of a symbol. */
	readonly pipeFrom: (symbol: DraftSymbol) => void;
	/**
	 * Begins or ends a pipe at a symbol without saying where. Called again for the symbol, it moves that end to the next port of the symbol.
	 */
	readonly pipeByKey: (symbol: DraftSymbol) => void;
	/** Removes the last bend of the new pipe; without bends, the beginning of the pipe. */
	readonly dropLastBend: () => void;
}

/** The state and the acts that the other acts are made of. */
export type EditSteps = Pick<
	DrawingEdits,
	'editor' | 'selected' | 'tool' | 'newPipe' | 'newPlace' | 'announcement' | 'choose' | 'take' | 'apply' | 'once'
>;

/** The properties of the components that edit a drawing. */
export interface EditProps {
	readonly edits: DrawingEdits;
	readonly variables: ReadonlyMap<number, Variable>;
}
