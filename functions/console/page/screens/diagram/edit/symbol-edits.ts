import { diagramItemKinds, type KindField, type Side, type SymbolKind, symbolKinds } from '#domain/board/symbol-kinds.ts';
import { type DiagramDraft, type DraftPipe, type DraftSymbol, symbolIn } from '../diagram-draft.ts';
import type { PipeEnd } from '../symbols/pipe-geometry.ts';
import { boxOf, formerRatio, kindGeometry, type Point } from '../symbols/symbol-geometry.ts';
import { asSize, onDrawing } from './grid.ts';

/** The part of a draft that undo and redo change. The title is no part of it, because its field has its own undo. */
export type DrawingContent = Pick<DiagramDraft, 'ratio' | 'symbols' | 'pipes' | 'background'>;

/** A corner of a symbol's box. Dragging it changes the size of the symbol. */
export type Corner = readonly [horizontal: 'left' | 'right', vertical: 'top' | 'bottom'];

/** Returns whether symbols of a kind have a field. */
export function hasField(kind: SymbolKind, field: KindField): boolean {
	const { required, optional } = symbolKinds[kind];
	return required.includes(field) || optional.includes(field);
}

/** Returns whether symbols of a kind may show a variable. */
export function canBeBound(kind: SymbolKind): boolean {
	return diagramItemKinds.some((each) => each === kind);
}

/** Returns whether the width and the height of a kind can be set. A height that follows from the width cannot be set. */
export function settableSizes(kind: SymbolKind): { readonly w: boolean; readonly h: boolean } {
	return { w: hasField(kind, 'w'), h: hasField(kind, 'h') };
}

/** Returns an id that no symbol or pipe of the draft has. */
export function nextId({ symbols, pipes }: Pick<DrawingContent, 'symbols' | 'pipes'>): number {
	return Math.max(-1, ...symbols.map(({ id }) => id), ...pipes.map(({ id }) => id)) + 1;
}

/** Adds a symbol above the others. */
export function withSymbol<Draft extends DrawingContent>(drawing: Draft, symbol: Omit<DraftSymbol, 'id'>): Draft {
	return { ...drawing, symbols: [...drawing.symbols, ofItsKind({ ...symbol, id: nextId(drawing) })] };
}

/** Changes one symbol. Properties that its kind cannot have are dropped. */
export function withSymbolChange<Draft extends DrawingContent>(
	drawing: Draft,
	id: number,
	change: Partial<Omit<DraftSymbol, 'id' | 'key'>>,
): Draft {
	const before = symbolIn(drawing, id);
	if (before === null) return drawing;
	const after = ofItsKind({ ...before, ...change });
	// A value always shows a variable.
	if (after.kind === 'value' && after.varId === null) return drawing;
	const changed = { ...drawing, symbols: drawing.symbols.map((symbol) => (symbol.id === id ? after : symbol)) };
	// A pipe may end at the symbol. Its new kind may have other sides, or none at which pipes end.
	if (before.key === null || before.kind === after.kind) return changed;
	return after.key === null ? withoutPipesOf(changed, new Set([before.key])) : withEndsOfKind(changed, before.key, after.kind);
}

/** Changes one pipe. */
export function withPipeChange<Draft extends DrawingContent>(
	drawing: Draft,
	id: number,
	change: Partial<Omit<DraftPipe, 'id'>>,
): Draft {
	return { ...drawing, pipes: drawing.pipes.map((pipe) => (pipe.id === id ? { ...pipe, ...change } : pipe)) };
}

/** Removes symbols and pipes, and the pipes that end at a removed symbol. */
export function without<Draft extends DrawingContent>(drawing: Draft, ids: readonly number[]): Draft {
	const gone = new Set(ids);
	const keys = drawing.symbols.flatMap(({ id, key }) => (gone.has(id) && key !== null ? [key] : []));
	return withoutPipesOf(
		{
			...drawing,
			symbols: drawing.symbols.filter(({ id }) => !gone.has(id)),
			pipes: drawing.pipes.filter(({ id }) => !gone.has(id)),
		},
		new Set(keys),
	);
}

/**
 * Moves symbols and the bends of pipes: those of chosen pipes, and those of pipes between moved symbols. Everything moves by the same
 * distance and stays on the drawing. If a value is moved alone, the end of its leader stays in place.
 */
export function withMoved<Draft extends DrawingContent>(drawing: Draft, ids: readonly number[], [dx, dy]: Point): Draft {
	const chosen = new Set(ids);
	const keys = new Set(drawing.symbols.flatMap(({ id, key }) => (chosen.has(id) && key !== null ? [key] : [])));
	const movesBends = (pipe: DraftPipe): boolean => chosen.has(pipe.id) || (keys.has(pipe.from[0]) && keys.has(pipe.to[0]));
	const movesTaps = ids.length > 1;
	const places = [
		...drawing.symbols.flatMap((symbol): readonly Point[] => (chosen.has(symbol.id) ? [[symbol.x, symbol.y]] : [])),
		...drawing.pipes.flatMap((pipe) => (movesBends(pipe) ? pipe.via : [])),
	];
	const [lefts, tops] = [places.map(([x]) => x), places.map(([, y]) => y)];
	const [byX, byY] = [limitedDistance(lefts, dx), limitedDistance(tops, dy)];
	const shifted = ([x, y]: Point): Point => [onDrawing(x + byX), onDrawing(y + byY)];
	return {
		...drawing,
		symbols: drawing.symbols.map((symbol) => {
			if (!chosen.has(symbol.id)) return symbol;
			const [x, y] = shifted([symbol.x, symbol.y]);
			return { ...symbol, x, y, tap: symbol.tap !== null && movesTaps ? shifted(symbol.tap) : symbol.tap };
		}),
		pipes: drawing.pipes.map((pipe) => (movesBends(pipe) ? { ...pipe, via: pipe.via.map(shifted) } : pipe)),
	};
}

/** Makes symbols wider and higher about their centres, by shares of the drawing. A size that changes by 0 is not rounded either. */
export function withResized<Draft extends DrawingContent>(drawing: Draft, ids: readonly number[], [dw, dh]: Point): Draft {
	const chosen = new Set(ids);
	return {
		...drawing,
		symbols: drawing.symbols.map((symbol) => {
			if (!chosen.has(symbol.id)) return symbol;
			const { w, h } = drawnSizeOf(symbol);
			return ofItsKind({ ...symbol, w: dw === 0 ? symbol.w : asSize(w + dw), h: dh === 0 ? symbol.h : asSize(h + dh) });
		}),
	};
}

/** Puts a corner of a symbol's box at a place. The corner across from it stays. */
export function withCorner<Draft extends DrawingContent>(drawing: Draft, id: number, corner: Corner, [x, y]: Point): Draft {
	const symbol = symbolIn(drawing, id);
	if (symbol === null) return drawing;
	const ratio = drawing.ratio ?? formerRatio;
	const [fixedX, fixedY] = cornerOf(symbol, opposite(corner), ratio);
	const sized = ofItsKind({ ...symbol, w: asSize(Math.abs(x - fixedX)), h: asSize(Math.abs(y - fixedY)) });
	// A symbol grows about its centre, so it is moved until the corner across is where it was.
	const [grownX, grownY] = cornerOf(sized, opposite(corner), ratio);
	return withSymbolChange(drawing, id, {
		w: sized.w,
		h: sized.h,
		x: onDrawing(symbol.x + fixedX - grownX),
		y: onDrawing(symbol.y + fixedY - grownY),
	});
}

/** Returns the place of a corner of a symbol's box. */
export function cornerOf(symbol: DraftSymbol, [horizontal, vertical]: Corner, ratio: number): Point {
	const { left, top, width, height } = boxOf(placedOf(symbol), ratio);
	return [horizontal === 'left' ? left : left + width, vertical === 'top' ? top : top + height];
}

/** Returns a symbol in the form that the functions of symbol-geometry.ts take. */
export function placedOf({ kind, x, y, w, h, turn }: DraftSymbol) {
	return { kind, x, y, w: w ?? undefined, h: h ?? undefined, turn };
}

/** Returns the width and height that a symbol is drawn with; 0 where its kind has none, and for a height that follows from the width. */
export function drawnSizeOf({ kind, w, h }: DraftSymbol): { readonly w: number; readonly h: number } {
	const [width, height] = kindGeometry[kind].size;
	return { w: w ?? width, h: h ?? height ?? 0 };
}

function opposite([horizontal, vertical]: Corner): Corner {
	return [horizontal === 'left' ? 'right' : 'left', vertical === 'top' ? 'bottom' : 'top'];
}

/** Drops the properties that a symbol's kind cannot have, and adds the size that it needs. A scale must ascend. */
function ofItsKind(symbol: DraftSymbol): DraftSymbol {
	const { kind, varId, bit, turn, scale } = symbol;
	const size = drawnSizeOf(symbol);
	const isBound = canBeBound(kind) && varId !== null;
	const ifHas = <Value>(field: KindField, value: Value): Value | null => (hasField(kind, field) ? value : null);
	return {
		...symbol,
		varId: isBound ? varId : null,
		bit: isBound ? bit : null,
		w: ifHas('w', size.w),
		h: ifHas('h', size.h),
		turn: ifHas('turn', turn) ?? 0,
		scale: scale !== null && scale[1] > scale[0] ? ifHas('scale', scale) : null,
		tap: ifHas('tap', symbol.tap),
		words: ifHas('words', symbol.words),
		label: ifHas('label', symbol.label) ?? '',
		key: ifHas('key', symbol.key),
	};
}

/** The side to which a pipe moves when the symbol changes to a kind without the side of the pipe. */
const likeSides: Readonly<Record<Side, Side>> = {
	in: 'left',
	out: 'right',
	left: 'in',
	top: 'in',
	right: 'out',
	bottom: 'out',
};

/** Moves the ends of pipes to sides that the symbol has after its kind has changed. */
function withEndsOfKind<Draft extends DrawingContent>(drawing: Draft, key: string, kind: SymbolKind): Draft {
	const { sides, hasPlacesAlongSides } = symbolKinds[kind];
	const fitting = (end: PipeEnd): PipeEnd => {
		const [endKey, side, at] = end;
		if (endKey !== key) return end;
		if (!sides.includes(side)) return [key, likeSides[side]];
		return hasPlacesAlongSides && at !== undefined ? end : [key, side];
	};
	return { ...drawing, pipes: drawing.pipes.map((pipe) => ({ ...pipe, from: fitting(pipe.from), to: fitting(pipe.to) })) };
}

/** Removes the pipes that end at a symbol with one of these keys. */
function withoutPipesOf<Draft extends DrawingContent>(drawing: Draft, keys: ReadonlySet<string>): Draft {
	return { ...drawing, pipes: drawing.pipes.filter(({ from, to }) => !keys.has(from[0]) && !keys.has(to[0])) };
}

/** Limits a distance, so that all places stay on the drawing when they are moved by it. */
function limitedDistance(places: readonly number[], by: number): number {
	const [least, most] = [Math.min(...places), Math.max(...places)];
	return places.length === 0 ? 0 : Math.min(1 - most, Math.max(-least, by));
}
