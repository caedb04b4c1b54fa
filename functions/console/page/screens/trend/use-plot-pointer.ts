import { useSignal } from '@preact/signals';
import type { RefObject, TargetedMouseEvent, TargetedPointerEvent, TargetedWheelEvent } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { createDelay } from '#page/core/delay.ts';
import { type Anchor, zoomInFactor, zoomOutFactor } from './time-range.ts';
import { plottedWindowAt } from './trend-model.ts';

/** The time of the crosshair, epoch milliseconds. A click or a key pins the crosshair; otherwise it follows the pointer. */
export interface Marker {
	readonly time: number;
	readonly isPinned: boolean;
}

/** The acts of the pointer and the keys on the curves. */
export interface PlotActs {
	/** Null without a crosshair. */
	readonly marker: Marker | null;
	readonly onMarker: (marker: Marker | null) => void;
	/** Called when the person has chosen a span by dragging. */
	readonly onSpan: (from: number, to: number) => void;
	/** Called when the person has dragged the curves by a time. A positive time shows an earlier range. */
	readonly onMove: (byMs: number) => void;
	/** Called when the length of the range must change by a factor. */
	readonly onZoom: (factor: number, anchor: Anchor) => void;
}

/** The span of a drag that has not ended, as shares of the width. */
export interface Drag {
	readonly from: number;
	readonly to: number;
	/** Whether the drag moves the curves instead of choosing a span. */
	readonly moves: boolean;
}

/** How far the pointer must have moved, in pixels. A shorter drag counts as a click. */
const leastDrag = 5;

/** The range changes only after the wheel has rested for this time, so that one turn sends one request. */
const wheelRestMs = 150;

/** The way of a wheel, in pixels, that doubles or halves the range: two notches of most wheels. */
const wheelOctave = 200;

/** The height of a line in pixels, for wheels that count lines. */
const lineHeight = 33;

/**
 * Handles the pointer over the curves. The pointer moves the crosshair, a click pins it, and a click on the same window unpins it.
 * Dragging chooses a span; with Shift it moves the curves. A double click zooms in, with Shift out, and the wheel with Ctrl zooms, too.
 * The time below the pointer keeps its place when zooming.
 * @param over the element whose width represents the range
 * @param bounds the bounds of the windows, epoch milliseconds
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
		const isAgain = marker?.isPinned === true && plottedWindowAt(bounds, marker.time) === plottedWindowAt(bounds, time);
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
			const ended = drag.value;
			drag.value = null;
			if (ended === null) return;
			const share = ended.to - ended.from;
			if (Math.abs(share) * box().width < leastDrag) onClick(timeAt(ended.to));
			else if (ended.moves) onMove(share * (end - start));
			else onSpan(timeAt(ended.from), timeAt(ended.to));
		},
		onPointerCancel: (): void => {
			drag.value = null;
		},
		// Lifting a finger also sends this event, but must not hide the crosshair.
		onPointerLeave: ({ pointerType }: TargetedPointerEvent<HTMLDivElement>): void => {
			if (pointerType === 'mouse' && marker?.isPinned !== true) onMarker(null);
		},
		onDblClick: (event: TargetedMouseEvent<HTMLDivElement>): void =>
			onZoom(event.shiftKey ? zoomOutFactor : zoomInFactor, anchorAt(event)),
		onWheel,
	};
	return { drag, handlers };
}

/** Returns a handler that sums up a turn of the wheel with Ctrl, or a pinch, into one factor. */
function useWheel(onTurned: (factor: number, event: MouseEvent) => void) {
	/** How far the wheel has turned, in pixels. */
	const turned = useRef(0);
	const rest = useMemo(() => createDelay(wheelRestMs), []);
	useEffect(() => rest.cancel, []);
	return (event: TargetedWheelEvent<HTMLDivElement>): void => {
		if (!event.ctrlKey && !event.metaKey) return;
		// Keeps the browser from zooming the page.
		event.preventDefault();
		turned.current += event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * lineHeight : event.deltaY;
		rest.start(() => {
			const factor = 2 ** (turned.current / wheelOctave);
			turned.current = 0;
			onTurned(factor, event);
		});
	};
}
