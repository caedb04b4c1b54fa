import type { SymbolKind } from '#domain/board/symbol-kinds.ts';
import { messages } from '#page/i18n/i18n.ts';
import type { DraftSymbol } from '../diagram-draft.ts';
import type { Point } from '../symbols/symbol-geometry.ts';
import { diagramText } from '../texts.ts';
import type { DrawingEdits, Tool } from './drawing-edits.ts';
import { focusDrawing, focusEntry, focusForm } from './focus.ts';

// The help loads this file on every screen. So it imports only types of the editor, and an action calls the functions of `edits`.

/** What a key adds to an action: the symbol that has the focus, and how far an arrow key moves something. */
export interface PressedKey {
	readonly symbol: DraftSymbol | null;
	readonly by: Point;
}

/** Something that a person does in the drawing: its key, its words, and what it does. */
export interface DrawingAction {
	/** The key as the help shows it: `Space`, `Ctrl+a`, `L`. */
	readonly key: string;
	/** The words in the help. Actions that share this function share one line there. */
	readonly help: () => string;
	/** The words on its button, where it has one. */
	readonly label?: () => string;
	/** The tool that it takes, which is also its icon in the palette. */
	readonly tool?: Tool;
	/** The words beside its key below the drawing; those of `pipeHint` while a pipe is drawn. */
	readonly hint?: () => string;
	readonly pipeHint?: () => string;
	/** Performs the action. It returns false if there is nothing to act on; the browser then handles the key. */
	readonly perform: (edits: DrawingEdits, pressed: PressedKey) => unknown;
}

/** An action of the palette. */
type ToolAction = DrawingAction & Required<Pick<DrawingAction, 'label' | 'tool'>>;

/** The argument of `perform` for an action that no key has called. */
export const notByKey: PressedKey = { symbol: null, by: [0, 0] };

/** The name of the arrow keys. */
export const arrows = '← ↑ → ↓';

/** The tools that place a symbol, in the order of the palette. */
const placing = {
	tank: placingTool('tank', 'T'),
	filter: placingTool('filter', 'F'),
	pump: placingTool('pump', 'P'),
	valve: placingTool('valve', 'V'),
	source: placingTool('source', 'S'),
	network: placingTool('network', 'N'),
	value: placingTool('value', 'D'),
	text: placingTool('text', 'X'),
	frame: placingTool('frame', 'R'),
	join: placingTool('join', 'J'),
} satisfies Record<SymbolKind, ToolAction>;

/** The actions in the order of the help. Their keys act while the drawing has the focus. */
export const drawingActions = {
	move: {
		key: arrows,
		help: messages({ en: 'Move what is chosen by 0.01', es: 'Mover lo elegido 0,01' }),
		hint: messages({ en: 'move by 0.01', es: 'mueven 0,01' }),
		perform: move,
	},
	moveFar: { key: `Shift+${arrows}`, help: messages({ en: 'Move it by 0.1', es: 'Moverlo 0,1' }), perform: move },
	size: {
		key: `Ctrl+${arrows}`,
		help: messages({ en: 'Change its size', es: 'Cambiar su tamaño' }),
		hint: messages({ en: 'change the size', es: 'cambian el tamaño' }),
		// On the screen, y grows downwards. The key Up has a negative y, but must make a symbol higher.
		perform: (edits, { by: [x, y] }) => edits.selected.peek().length > 0 && edits.sizeBy([x, -y]),
	},
	hold: {
		key: 'Space',
		help: messages({ en: 'Keep it chosen, and add more', es: 'Mantenerlo elegido y añadir más' }),
		perform: (edits, { symbol }) => symbol !== null && hold(edits, symbol.id),
	},
	enter: {
		key: 'Enter',
		help: messages({
			en: 'Place the symbol of the tool, go to the next port of a pipe, or go to the form',
			es: 'Colocar el símbolo de la herramienta, pasar al puerto siguiente de una tubería o ir al formulario',
		}),
		pipeHint: messages({ en: 'on a symbol: its next port', es: 'en un símbolo: su puerto siguiente' }),
		perform: enter,
	},
	...placing,
	pipe: {
		key: 'L',
		tool: 'pipe',
		label: messages({ en: 'Pipe', es: 'Tubería' }),
		help: messages({ en: 'A pipe from the symbol with the focus', es: 'Una tubería desde el símbolo con el foco' }),
		hint: messages({ en: 'Pipe from here', es: 'Tubería desde aquí' }),
		perform: (edits, { symbol }) => (symbol === null ? edits.take('pipe') : edits.pipeFrom(symbol)),
	},
	bend: {
		key: 'Backspace',
		help: messages({ en: 'Take back a bend of the new pipe', es: 'Quitar un codo de la tubería nueva' }),
		pipeHint: messages({ en: 'takes back a bend', es: 'quita un codo' }),
		perform: (edits) => edits.dropLastBend(),
	},
	choose: {
		key: 'C',
		tool: 'choose',
		label: messages({ en: 'Choose', es: 'Elegir' }),
		help: messages({ en: 'The tool that chooses', es: 'La herramienta que elige' }),
		perform: (edits) => edits.take('choose'),
	},
	remove: {
		key: 'Delete',
		label: messages({ en: 'Remove from the diagram', es: 'Quitar del sinóptico' }),
		help: messages({ en: 'Remove what is chosen', es: 'Quitar lo elegido' }),
		hint: messages({ en: 'remove', es: 'quita' }),
		perform: (edits) => {
			edits.remove(edits.selected.peek());
			focusDrawing();
		},
	},
	all: {
		key: 'Ctrl+a',
		help: messages({ en: 'Choose all', es: 'Elegir todo' }),
		perform: (edits) =>
			edits.choose(
				edits.editor.content.peek().symbols.map(({ id }) => id),
				{ holds: true },
			),
	},
	copy: {
		key: 'Ctrl+c',
		label: messages({ en: 'Copy it', es: 'Copiarlo' }),
		help: messages({ en: 'Copy what is chosen', es: 'Copiar lo elegido' }),
		perform: (edits) => edits.copy(),
	},
	paste: {
		key: 'Ctrl+v',
		help: messages({ en: 'Paste it', es: 'Pegarlo' }),
		perform: (edits) => {
			edits.paste();
			focusEntry(edits.selected.peek().at(-1));
		},
	},
	back: {
		key: 'Escape',
		help: messages({
			en: 'Drop the new pipe, or put back what is chosen',
			es: 'Dejar la tubería nueva o devolver lo elegido a su sitio',
		}),
		hint: messages({ en: 'put back', es: 'lo devuelve' }),
		pipeHint: messages({ en: 'drop the pipe', es: 'deja la tubería' }),
		perform: back,
	},
} satisfies Record<string, DrawingAction> & Record<Tool, ToolAction>;

/** The actions of the palette, in its order. */
export const palette: readonly ToolAction[] = [drawingActions.choose, ...Object.values(placing), drawingActions.pipe];

const redo = {
	help: messages({ en: 'Diagram: do again', es: 'Sinóptico: rehacer' }),
	label: messages({ en: 'Redo it', es: 'Rehacerlo' }),
	perform: (edits: DrawingEdits) => edits.redo(),
};

/** The actions whose keys act anywhere on the screen of the editor, in the order of the help. */
export const drawingShortcuts = [
	{
		key: 'Ctrl+z',
		help: messages({ en: 'Diagram: undo', es: 'Sinóptico: deshacer' }),
		label: messages({ en: 'Undo the last change of the drawing', es: 'Deshacer el último cambio del dibujo' }),
		perform: (edits: DrawingEdits) => edits.undo(),
	},
	{ key: 'Ctrl+Shift+z', ...redo },
	{ key: 'Ctrl+y', ...redo },
] satisfies readonly DrawingAction[];

/** Returns the lines of the help about the keys of the drawing. */
export function drawingHelp(): readonly { readonly key: string; readonly label: string }[] {
	const lines = Map.groupBy<() => string, DrawingAction>(Object.values(drawingActions), ({ help }) => help);
	return [...lines].map(([help, actions]) => ({ key: actions.map(({ key }) => key).join(' '), label: help() }));
}

function placingTool(kind: SymbolKind, key: string): ToolAction {
	return {
		key,
		tool: kind,
		label: () => diagramText().kinds[kind],
		help: placingHelp,
		perform: (edits) => {
			edits.take(kind);
			// The variable of a value is chosen in the form.
			if (kind === 'value') focusForm();
		},
	};
}

/** Names the kinds of symbols: "Tank, filter, pump". */
function placingHelp(): string {
	const [first = '', ...others] = Object.values(placing).map(({ label }) => label());
	return [first, ...others.map((kind) => kind.toLowerCase())].join(', ');
}

function move(edits: DrawingEdits, { by }: PressedKey): unknown {
	return edits.selected.peek().length > 0 && edits.moveBy(by);
}

/**
 * Adds the symbol to the selection, or removes it. From then on, moving the focus does not change the selection. The first time, the focus
 * has already selected the symbol.
 */
function hold(edits: DrawingEdits, id: number): void {
	const chosen = edits.selected.peek();
	const others = chosen.filter((each) => each !== id);
	const isDropped = edits.isHolding.peek() && chosen.includes(id);
	edits.choose(isDropped ? others : [...others, id], { holds: true });
}

/** Places a symbol, draws a pipe, or moves the focus to the form of the selection. */
function enter(edits: DrawingEdits, { symbol }: PressedKey): void {
	const tool = edits.tool.peek();
	if (tool === 'pipe') {
		if (symbol !== null) edits.pipeByKey(symbol);
	} else if (tool === 'choose' || tool === 'value') focusForm();
	else focusEntry(edits.add(tool, null));
}

/** Drops the first of these that there is: the pipe that was begun, the tool, the edits since the selection was made, the selection. */
function back(edits: DrawingEdits): void {
	const isDrawn = edits.newPipe.peek().from !== null;
	if (isDrawn || edits.tool.peek() !== 'choose') edits.take(isDrawn ? 'pipe' : 'choose');
	else if (!edits.putBack()) edits.choose([]);
}
