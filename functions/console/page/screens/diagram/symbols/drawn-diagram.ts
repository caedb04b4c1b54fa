import type { PipeEnd, PlacedPipe } from './pipe-geometry.ts';
import {
	boxOf,
	formerRatio,
	type PlacedSymbol,
	type Point,
	portSides,
	type SymbolKind,
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

/** A pipe of a diagram, as it is drawn. */
export interface DrawnPipe extends PlacedPipe {
	/** Identifies the pipe within the drawing: `pipes.2`. */
	readonly id: string;
	/** The variable that says whether water flows; null if the pipe has none. */
	readonly varId: number | null;
	readonly bit: number | null;
	/** Water flows in the pipe if the value is above this. */
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
	/** Whether it has only values, like the diagrams of earlier releases. */
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

/** The end of a pipe in an answer of the service. The typed client describes tuples as lists. */
type EndContent = readonly (string | number | null | undefined)[];

interface PipeContent {
	readonly from: EndContent;
	readonly to: EndContent;
	readonly via?: readonly (readonly number[])[] | null | undefined;
	readonly varId?: number | null | undefined;
	readonly bit?: number | null | undefined;
	readonly over?: number | null | undefined;
	readonly thin?: boolean | null | undefined;
}

/** Returns a diagram in the form in which it is drawn. */
export function drawnDiagramOf(content: DiagramContent): DrawnDiagram {
	const { title, items, shapes, pipes } = content;
	const ratio = content.ratio ?? formerRatio;
	const symbols = [
		...items.map((item, index) => drawnSymbolOf(item, `items.${index}`, item)),
		...(shapes ?? []).map((shape, index) => drawnSymbolOf(shape, `shapes.${index}`, null)),
	];
	const frames = symbols.filter(({ kind }) => kind === 'frame').toSorted((a, b) => a.x - b.x || a.y - b.y);
	return {
		title,
		ratio,
		frames,
		groups: groupsOf(
			symbols.filter(({ kind }) => kind !== 'frame'),
			frames,
			ratio,
		),
		pipes: (pipes ?? []).flatMap((pipe, index) => drawnPipeOf(pipe, index) ?? []),
		byKey: new Map(symbols.flatMap((symbol) => (symbol.key === null ? [] : [[symbol.key, symbol] as const]))),
		isPlain:
			(content.ratio ?? null) === null &&
			(shapes ?? []).length === 0 &&
			(pipes ?? []).length === 0 &&
			symbols.every(({ kind, tap }) => kind === 'value' && tap === null),
	};
}

/** Returns the variables that a diagram shows, each once. */
export function variablesOf({ items, pipes }: Pick<DiagramContent, 'items' | 'pipes'>): readonly number[] {
	return [...new Set([...items, ...(pipes ?? [])].flatMap(({ varId }) => varId ?? []))];
}

function drawnSymbolOf(
	symbol: SymbolContent,
	id: string,
	binding: { readonly varId: number; readonly bit?: number | null | undefined } | null,
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
		scale: pairOf(symbol.scale) ?? undefined,
		words: symbol.words ?? undefined,
		tap: pairOf(symbol.tap),
	};
}

function drawnPipeOf({ from, to, via, varId, bit, over, thin }: PipeContent, index: number): DrawnPipe | null {
	const [start, end] = [endOf(from), endOf(to)];
	if (start === null || end === null) return null;
	return {
		id: `pipes.${index}`,
		from: start,
		to: end,
		via: (via ?? []).flatMap((bend) => {
			const place = pairOf(bend);
			return place === null ? [] : [place];
		}),
		varId: varId ?? null,
		bit: bit ?? null,
		over: over ?? 0,
		isThin: thin ?? false,
	};
}

function endOf([key, side, at]: EndContent): PipeEnd | null {
	const known = portSides.find((each) => each === side);
	return typeof key !== 'string' || known === undefined ? null : [key, known, typeof at === 'number' ? at : undefined];
}

function turnOf(degrees: number | null | undefined): Turn | undefined {
	return degrees === 90 || degrees === 180 || degrees === 270 ? degrees : undefined;
}

function pairOf(pair: readonly number[] | null | undefined): Point | null {
	const [one, other] = pair ?? [];
	return one === undefined || other === undefined ? null : [one, other];
}

/** Groups symbols by frame. A symbol belongs to the smallest frame around its place. */
function groupsOf(symbols: readonly DrawnSymbol[], frames: readonly DrawnSymbol[], ratio: number): readonly DrawnGroup[] {
	const areas = frames.map((frame) => ({ frame, box: boxOf(frame, ratio) }));
	const frameOf = ({ x, y }: DrawnSymbol): DrawnSymbol | null =>
		areas
			.filter(({ box }) => x >= box.left && x <= box.left + box.width && y >= box.top && y <= box.top + box.height)
			.toSorted((a, b) => a.box.width * a.box.height - b.box.width * b.box.height)[0]?.frame ?? null;
	const members = Map.groupBy(symbols, frameOf);
	return [...frames, null].flatMap((frame) => {
		const inside = members.get(frame) ?? [];
		return inside.length === 0 ? [] : [{ frame, symbols: inside.toSorted((a, b) => a.x - b.x || a.y - b.y) }];
	});
}
