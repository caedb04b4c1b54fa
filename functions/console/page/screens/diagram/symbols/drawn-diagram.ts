import type { SymbolKind } from '#domain/board/symbol-kinds.ts';
import { type PipeContent, type PlacedPipe, pipeOf } from './pipe-geometry.ts';
import {
	boxOf,
	formerRatio,
	type PlacedSymbol,
	type Point,
	pointOf,
	type SymbolBox,
	type Turn,
	type WordsSide,
} from './symbol-geometry.ts';

/** A symbol of a diagram, as it is drawn. */
export interface DrawnSymbol extends PlacedSymbol {
	/** Identifies the symbol within the drawing: `items.3`, `shapes.0`. */
	readonly id: string;
	/** The variable; null if the symbol is not bound. */
	readonly varId: number | null;
	/** The position of a bit; null for the whole value. */
	readonly bit: number | null;
	/** Empty if the symbol has the name of its variable. */
	readonly label: string;
	/** The key by which the ends of pipes refer to the symbol; null if no pipe does. */
	readonly key: string | null;
	/** The values at which a tank is empty and full. */
	readonly scale?: readonly [empty: number, full: number] | undefined;
	readonly words?: WordsSide | undefined;
	/** The end of a value's leader, which is the line to what the value measures. */
	readonly tap: Point | null;
}

/** A symbol that shows a variable. */
export interface BoundSymbol extends DrawnSymbol {
	readonly varId: number;
}

/** A pipe of a diagram, as it is drawn. */
export interface DrawnPipe extends PlacedPipe {
	/** Identifies the pipe within the drawing: `pipes.2`. */
	readonly id: string;
	/** The variable that says whether water flows; null if the pipe has none. */
	readonly varId: number | null;
	readonly bit: number | null;
	/** Water flows forward if the value is above this, and backward if it is below its negative. */
	readonly over: number;
	readonly isThin: boolean;
}

/** A diagram, as it is drawn. */
export interface DrawnDiagram {
	readonly title: string;
	/** Width divided by height. */
	readonly ratio: number;
	/** Frames, which lie below everything, from left to right. */
	readonly frames: readonly DrawnSymbol[];
	/**
	 * All other symbols in the order of the Tab key: frame by frame, in each frame from left to right. Symbols outside of all frames come
	 * last.
	 */
	readonly groups: readonly DrawnGroup[];
	readonly pipes: readonly DrawnPipe[];
	/** The symbols that pipes end at. */
	readonly byKey: ReadonlyMap<string, DrawnSymbol>;
	/** Whether it has only values, without leaders, and no ratio of its own, like the diagrams of earlier releases. */
	readonly isPlain: boolean;
}

/** The symbols in one frame. A frame of null stands for the symbols outside of all frames. */
export interface DrawnGroup {
	readonly frame: DrawnSymbol | null;
	readonly symbols: readonly DrawnSymbol[];
}

/** A diagram as it is stored. */
export interface DiagramContent {
	readonly title: string;
	readonly ratio?: number | null | undefined;
	readonly items: readonly (SymbolContent & { readonly varId: number; readonly bit?: number | null | undefined })[];
	readonly shapes?: readonly SymbolContent[] | null | undefined;
	readonly pipes?: readonly PipeContent[] | null | undefined;
}

interface SymbolContent {
	readonly kind?: SymbolKind | null | undefined;
	readonly x: number;
	readonly y: number;
	readonly label?: string | null | undefined;
	readonly key?: string | null | undefined;
	readonly w?: number | null | undefined;
	readonly h?: number | null | undefined;
	readonly turn?: number | null | undefined;
	readonly scale?: readonly number[] | null | undefined;
	readonly tap?: readonly number[] | null | undefined;
	readonly words?: WordsSide | null | undefined;
}

/** Returns a diagram in the form in which it is drawn. */
export function drawnDiagramOf(content: DiagramContent): DrawnDiagram {
	const { title, items, shapes, pipes } = content;
	const ratio = content.ratio ?? formerRatio;
	const symbols = [
		...items.map((item, index) => drawnSymbolOf(`items.${index}`, item, item)),
		...(shapes ?? []).map((shape, index) => drawnSymbolOf(`shapes.${index}`, shape)),
	];
	const frames = symbols.filter(({ kind }) => kind === 'frame').toSorted(fromTheLeft);
	const others = symbols.filter(({ kind }) => kind !== 'frame');
	const hasOnlyValues = symbols.every(({ kind, tap }) => kind === 'value' && tap === null);
	return {
		title,
		ratio,
		frames,
		groups: groupsOf(others, frames, ratio),
		pipes: (pipes ?? []).map((pipe, index) => pipeOf(pipe, `pipes.${index}`)).filter((pipe) => pipe !== null),
		byKey: new Map(symbols.flatMap((symbol) => (symbol.key === null ? [] : [[symbol.key, symbol]]))),
		isPlain: (content.ratio ?? null) === null && (shapes ?? []).length === 0 && (pipes ?? []).length === 0 && hasOnlyValues,
	};
}

/** Returns the symbols of groups that show a variable. */
export function boundSymbolsOf(groups: readonly DrawnGroup[]): readonly BoundSymbol[] {
	return groups.flatMap(({ symbols }) => symbols).filter(isBound);
}

function isBound(symbol: DrawnSymbol): symbol is BoundSymbol {
	return symbol.varId !== null;
}

/** Returns the variables that a diagram shows, each once. */
export function variablesOf({ items, pipes }: Pick<DiagramContent, 'items' | 'pipes'>): readonly number[] {
	return [...new Set([...items, ...(pipes ?? [])].flatMap(({ varId }) => varId ?? []))];
}

/** Returns a stored symbol as it is drawn. A shape has no binding. */
function drawnSymbolOf(
	id: string,
	symbol: SymbolContent,
	binding?: { readonly varId: number; readonly bit?: number | null | undefined },
): DrawnSymbol {
	return {
		id,
		kind: symbol.kind ?? 'value',
		x: symbol.x,
		y: symbol.y,
		w: symbol.w ?? undefined,
		h: symbol.h ?? undefined,
		turn: turnOf(symbol.turn),
		varId: binding?.varId ?? null,
		bit: binding?.bit ?? null,
		label: symbol.label ?? '',
		key: symbol.key ?? null,
		scale: pointOf(symbol.scale) ?? undefined,
		words: symbol.words ?? undefined,
		tap: pointOf(symbol.tap),
	};
}

function turnOf(degrees: number | null | undefined): Turn | undefined {
	return degrees === 90 || degrees === 180 || degrees === 270 ? degrees : undefined;
}

/** Groups symbols by frame. A symbol belongs to the smallest frame around its place. */
function groupsOf(symbols: readonly DrawnSymbol[], frames: readonly DrawnSymbol[], ratio: number): readonly DrawnGroup[] {
	const smallestFirst = frames
		.map((frame) => ({ frame, box: boxOf(frame, ratio) }))
		.toSorted((one, other) => one.box.width * one.box.height - other.box.width * other.box.height);
	const frameOf = (symbol: DrawnSymbol): DrawnSymbol | null =>
		smallestFirst.find(({ box }) => isInside(symbol, box))?.frame ?? null;
	const members = Map.groupBy(symbols, frameOf);
	return [...frames, null].flatMap((frame) => {
		const inside = members.get(frame) ?? [];
		return inside.length === 0 ? [] : [{ frame, symbols: inside.toSorted(fromTheLeft) }];
	});
}

function isInside({ x, y }: DrawnSymbol, { left, top, width, height }: SymbolBox): boolean {
	return x >= left && x <= left + width && y >= top && y <= top + height;
}

/** Compares two symbols by their places: from left to right, and those above each other from top to bottom. */
function fromTheLeft(one: DrawnSymbol, other: DrawnSymbol): number {
	return one.x - other.x || one.y - other.y;
}
