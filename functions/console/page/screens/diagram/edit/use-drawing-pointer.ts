import { type Signal, useSignal } from '@preact/signals';
import type { RefObject, TargetedPointerEvent } from 'preact';
import { useMemo } from 'preact/hooks';
import type { SymbolKind } from '#domain/board/symbol-kinds.ts';
import { type DiagramDraft, type DraftSymbol, pipeIn, symbolIn } from '../diagram-draft.ts';
import { formerRatio, type Point } from '../symbols/symbol-geometry.ts';
import type { DrawingEdits } from './drawing-edits.ts';
import { type DrawnDraft, pipeNear } from './drawn-draft.ts';
import { focusEntry } from './focus.ts';
import { asSize, onDrawing, onGrid } from './grid.ts';
import { lastPlace } from './new-pipe.ts';
import { bendAt, nearestPort, type PipePort, portsOf, withBends } from './pipe-edits.ts';
import { type Corner, drawnSizeOf, settableSizes, withCorner, withMoved, withResized, withSymbolChange } from './symbol-edits.ts';

/** A rectangle between two places. */
export interface PointerBand {
	readonly from: Point;
	readonly to: Point;
}

/** The state and the handlers of the pointer in the drawing. */
export interface DrawingPointer {
	/** The rectangle that the pointer draws, around symbols to select or as the size of a new symbol. */
	readonly band: Signal<PointerBand | null>;
	/** The place of the pointer while a pipe is drawn. */
	readonly hover: Signal<Point | null>;
	/** Whether a button is down. The focus then follows the pointer, and must not change the selection. */
	readonly isDown: Signal<boolean>;
	readonly onPointerDown: (event: TargetedPointerEvent<HTMLElement>) => void;
	readonly onPointerMove: (event: TargetedPointerEvent<HTMLElement>) => void;
	readonly onPointerUp: (event: TargetedPointerEvent<HTMLElement>) => void;
	readonly onPointerCancel: () => void;
}

/** The place of the pointer on the drawing, and whether Alt is down, which switches the grid off. */
interface Place {
	readonly at: Point;
	readonly isFree: boolean;
}

/** An act of the pointer while a button is down, such as moving a symbol. */
interface PointerDrag {
	/** The draft before the act. */
	readonly base: DiagramDraft;
	readonly follow: (place: Place) => void;
	readonly drop?: (place: Place) => void;
}

/** How far the pointer must go before anything moves, in widths of the drawing. */
const leastWay = 0.004;

/** A smaller rectangle counts as a click, and is no size of a new symbol. A share of width and of height. */
const leastDrawnSize = 2 * leastWay;

/** A click selects a pipe within this distance, in pixels. */
const pipeReach = 8;

/** The place of a drawing that is not in the page. Events come only from a drawing in the page. */
const unitRect = { left: 0, top: 0, width: 1, height: 1 } as const;

/** Creates the handlers of the pointer in the drawing. `drawn` holds the draft as it is drawn now. */
export function useDrawingPointer(
	area: RefObject<HTMLElement | null>,
	edits: DrawingEdits,
	drawn: { readonly current: DrawnDraft },
): DrawingPointer {
	const band = useSignal<PointerBand | null>(null);
	const hover = useSignal<Point | null>(null);
	const isDown = useSignal(false);
	return useMemo(() => {
		let drag: PointerDrag | null = null;
		const placeIn = ({ clientX, clientY, altKey }: TargetedPointerEvent<HTMLElement>): Place => {
			const { left, top, width, height } = area.current?.getBoundingClientRect() ?? unitRect;
			return { at: [(clientX - left) / width, (clientY - top) / height], isFree: altKey };
		};
		const end = (): void => {
			drag = null;
			band.value = null;
			edits.endUndoStep();
			// The browser may move the focus only after this event, so `isDown` ends a moment later.
			requestAnimationFrame(() => {
				isDown.value = false;
			});
		};
		return {
			band,
			hover,
			isDown,
			onPointerDown: (event) => {
				if (event.button !== 0 || !(event.target instanceof Element) || event.target.closest('.edit-empty') !== null) return;
				isDown.value = true;
				const reach = pipeReach / (area.current?.clientWidth ?? 1);
				drag = handlePress(event.target, placeIn(event), {
					edits,
					band,
					isMore: event.shiftKey,
					pipeAtPointer: (at) => pipeNear(drawn.current, at, reach),
				});
				if (drag !== null) area.current?.setPointerCapture(event.pointerId);
			},
			onPointerMove: (event) => {
				if (drag !== null) drag.follow(placeIn(event));
				else if (edits.tool.peek() === 'pipe') hover.value = placeIn(event).at;
			},
			onPointerUp: (event) => {
				drag?.drop?.(placeIn(event));
				end();
			},
			onPointerCancel: () => {
				const { base } = drag ?? {};
				if (base !== undefined) edits.apply('drag', () => base);
				end();
			},
		};
	}, [edits]);
}

interface Press {
	readonly edits: DrawingEdits;
	readonly band: Signal<PointerBand | null>;
	/** Whether Shift is down, which adds to the selection. */
	readonly isMore: boolean;
	readonly pipeAtPointer: (place: Point) => number | null;
}

/** Handles the press of a button. Returns the act that continues until the button is released, or null. */
function handlePress(target: Element, place: Place, press: Press): PointerDrag | null {
	const { edits } = press;
	const tool = edits.tool.peek();
	const entry = idOf(target, 'data-entry');
	if (tool === 'pipe') return drawPipe(target, place, entry, edits);
	if (tool === 'value') {
		// The value is added when its variable is chosen beside the drawing.
		edits.newPlace.value = snapped(place);
		return null;
	}
	if (tool !== 'choose') return newSymbol(tool, place, press);
	const mark = target.closest('[data-mark]');
	if (mark !== null) return byMark(mark, edits);
	const found = entry ?? press.pipeAtPointer(place.at);
	return found === null ? newBand(place, press) : moveChosen(found, place, press);
}

/** Selects the pressed symbol or pipe, and moves the whole selection. With Shift, it is added or removed, and nothing moves. */
function moveChosen(id: number, { at: from }: Place, { edits, isMore }: Press): PointerDrag | null {
	const chosen = edits.selected.peek();
	const isChosen = chosen.includes(id);
	if (isMore) {
		edits.choose(isChosen ? chosen.filter((each) => each !== id) : [...chosen, id], { holds: true });
		return null;
	}
	// A selection of several stays, with the pressed one last, because the panel shows the last one. A new selection follows the focus again.
	if (isChosen) edits.choose([...chosen.filter((each) => each !== id), id], { holds: edits.isHolding.peek() });
	else edits.choose([id]);
	const base = edits.editor.content.peek();
	const ids = edits.selected.peek();
	const symbol = symbolIn(base, id);
	const first: Point = symbol === null ? (pipeIn(base, id)?.via[0] ?? from) : [symbol.x, symbol.y];
	let hasBegun = false;
	return {
		base,
		follow: ({ at, isFree }) => {
			hasBegun ||= Math.hypot(at[0] - from[0], at[1] - from[1]) > leastWay;
			if (!hasBegun) return;
			const [x, y] = snapped({ at: [first[0] + at[0] - from[0], first[1] + at[1] - from[1]], isFree });
			edits.apply('drag', () => withMoved(base, ids, [x - first[0], y - first[1]]));
		},
	};
}

/** Handles the press of a handle. It sizes a symbol, moves a bend or the end of a leader, or begins a pipe at a port. */
function byMark(mark: Element, edits: DrawingEdits): PointerDrag | null {
	const base = edits.editor.content.peek();
	const id = idOf(mark, 'data-of') ?? noId;
	const part = mark.getAttribute('data-mark') ?? '';
	const dragging = (change: (place: Place) => DiagramDraft): PointerDrag => ({
		base,
		follow: (place) => void edits.apply('drag', () => change(place)),
	});
	if (part === 'tap') return dragging((place) => withSymbolChange(base, id, { tap: snapped(place) }));
	if (part.startsWith('bend ')) {
		const index = numberIn(part);
		const via = pipeIn(base, id)?.via ?? [];
		return dragging(({ at, isFree }) => {
			// A bend is aligned with the bend before it. The first one is aligned with its own old place.
			const bends = via.map((bend, number) => (number === index ? bendAt(at, via[index - 1] ?? bend, { isFree }) : bend));
			return withBends(base, id, bends);
		});
	}
	if (part.startsWith('port ')) {
		const symbol = symbolIn(base, id);
		const port = symbol === null ? undefined : portsOf(symbol)[numberIn(part)];
		if (port !== undefined) edits.pipeAt(port);
		return null;
	}
	return dragging((place) =>
		withCornerDragged(base, edits.selected.peek(), { id, corner: cornerFrom(part), to: snapped(place) }),
	);
}

/** Returns the number of a part: 1 of `bend 1`. */
function numberIn(part: string): number {
	return Number(part.slice(part.indexOf(' ') + 1));
}

/** Moves a corner of a symbol to a place. The other selected symbols grow by the same amount. */
function withCornerDragged(
	base: DiagramDraft,
	selected: readonly number[],
	{ id, corner, to }: { readonly id: number; readonly corner: Corner; readonly to: Point },
): DiagramDraft {
	const after = withCorner(base, id, corner, to);
	const [symbolBefore, symbolAfter] = [symbolIn(base, id), symbolIn(after, id)];
	if (symbolBefore === null || symbolAfter === null) return base;
	const [sizeBefore, sizeAfter] = [drawnSizeOf(symbolBefore), drawnSizeOf(symbolAfter)];
	const others = selected.filter((each) => each !== id);
	return withResized(after, others, [sizeAfter.w - sizeBefore.w, sizeAfter.h - sizeBefore.h]);
}

/** Draws a pipe from port to port. A press on a symbol chooses a port, and a press where there is none adds a bend. */
function drawPipe(target: Element, { at, isFree }: Place, entry: number | null, edits: DrawingEdits): null {
	const draft = edits.editor.content.peek();
	const mark = target.closest('[data-mark^="port "]');
	const symbol = symbolIn(draft, (mark === null ? entry : idOf(mark, 'data-of')) ?? noId);
	const portAtPress = (of: DraftSymbol): PipePort | null =>
		mark === null
			? nearestPort(of, at, draft.ratio ?? formerRatio, { isFree })
			: (portsOf(of)[numberIn(mark.getAttribute('data-mark') ?? '')] ?? null);
	const port = symbol === null ? null : portAtPress(symbol);
	const begun = edits.newPipe.peek();
	const before = lastPlace(draft, begun);
	if (port !== null) edits.pipeAt(port);
	else if (before !== null) edits.newPipe.value = { ...begun, via: [...begun.via, bendAt(at, before, { isFree })] };
	return null;
}

/** Selects the symbols whose centres are inside a rectangle that the pointer draws. Frames are selected only by their titles. */
function newBand({ at: from }: Place, { edits, band, isMore }: Press): PointerDrag {
	const base = edits.editor.content.peek();
	const before = isMore ? edits.selected.peek() : [];
	return {
		base,
		follow: ({ at }) => {
			band.value = { from, to: at };
		},
		drop: ({ at }) => {
			const inside = base.symbols
				.filter(({ x, y, kind }) => kind !== 'frame' && isBetween([x, y], { from, to: at }))
				.map(({ id }) => id);
			edits.choose([...new Set([...before, ...inside])], { holds: true });
		},
	};
}

/** Adds a symbol where the button was pressed. If its size can be set, it gets the size that was drawn. */
function newSymbol(kind: SymbolKind, start: Place, { edits, band }: Press): PointerDrag {
	const from = snapped(start);
	return {
		base: edits.editor.content.peek(),
		follow: ({ at }) => {
			if (settableSizes(kind).h) band.value = { from, to: at };
		},
		drop: (place) => {
			const to = snapped(place);
			const [w, h] = [Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1])];
			const isDrawn = settableSizes(kind).h && w > leastDrawnSize && h > leastDrawnSize;
			const id = edits.add(kind, isDrawn ? [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2] : from);
			if (id !== null && isDrawn) edits.apply('add', (draft) => withSymbolChange(draft, id, { w: asSize(w), h: asSize(h) }));
			focusEntry(id);
		},
	};
}

/** An id that no symbol and no pipe has. */
const noId = -1;

function cornerFrom(part: string): Corner {
	return [part.includes('left') ? 'left' : 'right', part.includes('top') ? 'top' : 'bottom'];
}

function idOf(target: Element, name: 'data-entry' | 'data-of'): number | null {
	const text = target.closest(`[${name}]`)?.getAttribute(name);
	return text === null || text === undefined ? null : Number(text);
}

function snapped({ at: [x, y], isFree }: Place): Point {
	return isFree ? [onDrawing(x), onDrawing(y)] : [onGrid(x), onGrid(y)];
}

function isBetween([x, y]: Point, { from, to }: PointerBand): boolean {
	const inside = (place: number, one: number, other: number): boolean =>
		place >= Math.min(one, other) && place <= Math.max(one, other);
	return inside(x, from[0], to[0]) && inside(y, from[1], to[1]);
}
