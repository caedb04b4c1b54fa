import type { DiagramDraft } from '../diagram-draft.ts';
import { type DrawnDiagram, drawnDiagramOf } from '../symbols/drawn-diagram.ts';
import { pipePoints } from '../symbols/pipe-geometry.ts';
import type { Point } from '../symbols/symbol-geometry.ts';

/** A draft as it is drawn. */
export interface DrawnDraft {
	readonly diagram: DrawnDiagram;
	/** The ids in the draft, by the ids in the drawing. */
	readonly ids: ReadonlyMap<string, number>;
	/** The places that each pipe leads through, by its id in the draft. */
	readonly lines: ReadonlyMap<number, readonly Point[]>;
}

/** Returns the draft in the form in which it is drawn. */
export function drawnDraftOf({ title, ratio, symbols, pipes }: DiagramDraft): DrawnDraft {
	const items = symbols.flatMap((symbol) => (symbol.varId === null ? [] : [{ ...symbol, varId: symbol.varId }]));
	const shapes = symbols.filter(({ varId }) => varId === null);
	const diagram = drawnDiagramOf({
		title,
		ratio,
		items,
		shapes,
		pipes: pipes.map(({ isThin, ...pipe }) => ({ ...pipe, thin: isThin })),
	});
	return {
		diagram,
		ids: new Map([
			...items.map(({ id }, index) => [`items.${index}`, id] as const),
			...shapes.map(({ id }, index) => [`shapes.${index}`, id] as const),
		]),
		lines: new Map(
			pipes.flatMap((pipe) => {
				const points = pipePoints(pipe, diagram.byKey, diagram.ratio);
				return points === null ? [] : [[pipe.id, points] as const];
			}),
		),
	};
}

/** Returns the pipe that is nearest to a place, within a distance in widths of the drawing; null without one. */
export function pipeNear({ diagram, lines }: DrawnDraft, place: Point, within: number): number | null {
	let nearest: { readonly id: number; readonly distance: number } | null = null;
	for (const [id, points] of lines) {
		const distance = distanceTo(points, place, diagram.ratio);
		if (distance <= (nearest?.distance ?? within)) nearest = { id, distance };
	}
	return nearest?.id ?? null;
}

/** The distance from a place to a line, in widths of the drawing. */
function distanceTo(points: readonly Point[], [x, y]: Point, ratio: number): number {
	const distances = points.slice(1).map(([toX, toY], index) => {
		const [fromX, fromY] = points[index] ?? [toX, toY];
		// The part of the line and the place, from the beginning of the part.
		const [dx, dy] = [toX - fromX, (toY - fromY) / ratio];
		const [placeX, placeY] = [x - fromX, (y - fromY) / ratio];
		const squaredLength = dx * dx + dy * dy;
		/** How far along the part its nearest point is, from 0 to 1. */
		const along = squaredLength === 0 ? 0 : Math.min(1, Math.max(0, (placeX * dx + placeY * dy) / squaredLength));
		return Math.hypot(placeX - along * dx, placeY - along * dy);
	});
	return Math.min(...distances);
}
