/** The distance between the places of the grid. An arrow key moves by one place, and with Shift by ten. */
export const gridStep = 0.01;
export const bigStep = 0.1;

/** The smallest width and height that a symbol can be given. */
export const leastSize = gridStep;

/** Returns the nearest place of the grid, from 0 to 1. */
export function onGrid(place: number): number {
	return onDrawing(Math.round(place / gridStep) * gridStep);
}

/** Limits a place to the drawing, from 0 to 1, and rounds it to four decimals. */
export function onDrawing(place: number): number {
	return rounded(Math.min(1, Math.max(0, place)));
}

/** Limits a width or height to those that a symbol can have, and rounds it to four decimals. */
export function asSize(size: number): number {
	return rounded(Math.min(1, Math.max(leastSize, size)));
}

function rounded(value: number): number {
	return Math.round(value * 10_000) / 10_000;
}
