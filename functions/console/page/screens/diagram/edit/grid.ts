/** The distance between the places of the grid, which an arrow key moves by; with Shift it is ten of them. */
export const gridStep = 0.01;
export const bigStep = 0.1;

/** The distance between the lines that are drawn of the grid. */
export const lineStep = 0.05;

/** The smallest width and height that a symbol can be given. */
export const leastSize = gridStep;

/** Returns the nearest place of the grid on the drawing, from 0 to 1. */
export function onGrid(place: number): number {
	return onDrawing(Math.round(place / gridStep) * gridStep);
}

/** Returns a place on the drawing, from 0 to 1, with four decimals. */
export function onDrawing(place: number): number {
	return rounded(Math.min(1, Math.max(0, place)));
}

/** Returns a width or height that a symbol can have, with four decimals. */
export function asSize(size: number): number {
	return rounded(Math.min(1, Math.max(leastSize, size)));
}

function rounded(value: number): number {
	return Math.round(value * 10_000) / 10_000;
}
