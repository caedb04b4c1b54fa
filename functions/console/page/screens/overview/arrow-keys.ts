import type { TargetedKeyboardEvent } from 'preact';
import { hasModifier } from '#page/core/modifier-keys.ts';

/** A rectangle of the page, in pixels. */
export interface Box {
	readonly left: number;
	readonly right: number;
	readonly top: number;
	readonly bottom: number;
}

/** The keys that move the focus. */
export type Arrow = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight';

/** The weight of a gap across the direction of the arrow. A pixel along the direction has the weight 1. */
const gapWeight = 4;

/** The weight of a pixel by which two boxes are not aligned. */
const shiftWeight = 1 / 4;

/** Moves the focus from one link of a container to the next in the direction of an arrow key. */
export function moveByArrow(event: TargetedKeyboardEvent<HTMLElement>): void {
	const from = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('a[data-id]') : null;
	if (from === null || !isArrow(event.key) || hasModifier(event)) return;
	const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a[data-id]')].filter((link) => link !== from);
	const index = nearestOf(
		links.map((link) => link.getBoundingClientRect()),
		from.getBoundingClientRect(),
		event.key,
	);
	if (index === null) return;
	event.preventDefault();
	event.stopPropagation();
	links[index]?.focus();
}

/** Returns the index of the box that lies next in the direction of an arrow; null where there is none. */
export function nearestOf(boxes: readonly Box[], from: Box, arrow: Arrow): number | null {
	let nearest: { readonly index: number; readonly distance: number } | null = null;
	for (const [index, box] of boxes.entries()) {
		const distance = distanceOf(box, from, arrow);
		if (distance !== null && (nearest === null || distance < nearest.distance)) nearest = { index, distance };
	}
	return nearest?.index ?? null;
}

function isArrow(key: string): key is Arrow {
	return ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'].includes(key);
}

/** Boxes that touch may overlap by fractions of a pixel. */
const overlap = 2;

/** Returns how far a box is from another in the direction of an arrow, with weights; null if it lies elsewhere. */
function distanceOf(box: Box, from: Box, arrow: Arrow): number | null {
	const along = {
		ArrowUp: from.top - box.bottom,
		ArrowDown: box.top - from.bottom,
		ArrowLeft: from.left - box.right,
		ArrowRight: box.left - from.right,
	}[arrow];
	if (along < -overlap) return null;
	const isVertical = arrow === 'ArrowUp' || arrow === 'ArrowDown';
	const gap = isVertical
		? Math.max(0, box.left - from.right, from.left - box.right)
		: Math.max(0, box.top - from.bottom, from.top - box.bottom);
	// Of several boxes side by side with this one, the aligned one wins.
	const shift = isVertical ? Math.abs(box.left - from.left) : Math.abs(box.top - from.top);
	return Math.max(0, along) + gapWeight * gap + shiftWeight * shift;
}
