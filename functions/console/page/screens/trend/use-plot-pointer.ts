import { useSignal } from '@preact/signals';
import type { RefObject, TargetedMouseEvent, TargetedPointerEvent, TargetedWheelEvent } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { createDelay } from '#page/core/delay.ts';
import type { Anchor } from './time-range.ts';
import { windowAt } from './trend-model.ts';

/** The time of the crosshair, epoch milliseconds. A pinned one was clicked or chosen by a key; any other follows the pointer. */
export interface Marker {
	readonly time: number;
	readonly isPinned: boolean;
}

/** What a pointer or a key does on the curves. */
export interface PlotActs {
	/** Null without a crosshair. */
	readonly marker: Marker | null;
	readonly onMarker: (marker: Marker | null) => void;
	/** A span was chosen by dragging. */
	readonly onSpan: (from: number, to: number) => void;
	/** The curves were dragged by a time: a positive one shows what was earlier. */
	readonly onMove: (byMs: number) => void;
	/** The length of the range is to change by a factor. */
	readonly onZoom: (factor: number, anchor: Anchor) => void;
}

/** A span that is being dragged over, as shares of the width. */
export interface Drag {
	readonly from: number;
	readonly to: number;
	/** Whether it moves the curves. */
	readonly moves: boolean;
}

/** How far a pointer moves, in pixels, before it drags. */
const dragFrom = 5;

/** A wheel is read to its end before the range changes, so that one turn is one request. */
const wheelRestMs = 150;

/** Two notches of most wheels, in pixels: they double the range, or halve it. */
const wheelOctave = 200;

/** The height of a line, for wheels that count lines. */
const lineHeight = 33;

/**
 * Follows the pointer over the curves. It moves the crosshair; a click pins it, and a click on the same window frees it. Dragging chooses
 * a span, and with Shift moves the curves. A double click zooms in, with Shift out; so does the wheel with Ctrl. The time below the
 * pointer keeps its place then.
 * @param over the element whose width is the range
 * @param bounds of the windows, epoch milliseconds
 */
export function usePlotPointer(over: RefObject<HTMLDivElement | null>, bounds: readonly number[], acts: PlotActs) {
	const { marker, onMarker, onSpan, onMove, onZoom } = acts;
	const [start, end] = [bounds[0] ?? 0, bounds.at(-1) ?? 0];
	const drag = useSignal<Drag | null>(null);
	const box = (): DOMRect => over.current?.getBoundingClientRect() ?? new DOMRect();
	const shareAt = ({ clientX }: MouseEvent): number => {
		const { left, width } = box();
		return width === 0 ? 0 : Math.min(1, Math.max(0, (clientX - left) / width));
	};
	const timeAt = (share: number): number => start + share * (end - start);
	const anchorAt = (event: MouseEvent): Anchor => ({ time: timeAt(shareAt(event)), share: shareAt(event) });
	const onWheel = useWheel((factor, event) => onZoom(factor, anchorAt(event)));
	const onClick = (time: number): void => {
		const isAgain = marker?.isPinned === true && windowAt(bounds, marker.time) === windowAt(bounds, time);
		onMarker({ time, isPinned: !isAgain });
	};
	const handlers = {
		onPointerDown: (event: TargetedPointerEvent<HTMLDivElement>): void => {
			if (event.button !== 0) return;
			const share = shareAt(event);
			event.currentTarget.setPointerCapture(event.pointerId);
			drag.value = { from: share, to: share, moves: event.shiftKey };
		},
		onPointerMove: (event: TargetedPointerEvent<HTMLDivElement>): void => {
			const share = shareAt(event);
			if (drag.value !== null) drag.value = { ...drag.value, to: share };
			else if (marker?.isPinned !== true) onMarker({ time: timeAt(share), isPinned: false });
		},
		onPointerUp: (): void => {
			const done = drag.value;
			drag.value = null;
			if (done === null) return;
			if (Math.abs(done.to - done.from) * box().width < dragFrom) onClick(timeAt(done.to));
			else if (done.moves) onMove((done.to - done.from) * (end - start));
			else onSpan(timeAt(done.from), timeAt(done.to));
		},
		onPointerCancel: (): void => {
			drag.value = null;
		},
		// A finger that is lifted leaves, too.
		onPointerLeave: ({ pointerType }: TargetedPointerEvent<HTMLDivElement>): void => {
			if (pointerType === 'mouse' && marker?.isPinned !== true) onMarker(null);
		},
		onDblClick: (event: TargetedMouseEvent<HTMLDivElement>): void => onZoom(event.shiftKey ? 2 : 0.5, anchorAt(event)),
		onWheel,
	};
	return { drag, handlers };
}

/** Returns a handler that gathers a turn of the wheel with Ctrl, or a pinch, into one factor. */
function useWheel(onTurned: (factor: number, event: MouseEvent) => void) {
	const turned = useRef(0);
	const rest = useMemo(() => createDelay(wheelRestMs), []);
	useEffect(() => rest.cancel, []);
	return (event: TargetedWheelEvent<HTMLDivElement>): void => {
		if (!event.ctrlKey && !event.metaKey) return;
		// The browser would zoom the page.
		event.preventDefault();
		turned.current += event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * lineHeight : event.deltaY;
		rest.start(() => {
			const factor = 2 ** (turned.current / wheelOctave);
			turned.current = 0;
			onTurned(factor, event);
		});
	};
}
