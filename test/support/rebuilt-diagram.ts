import type { Schemas } from '#infra/openapi/api.ts';
import { drawnDiagramOf } from '#page/screens/diagram/symbols/drawn-diagram.ts';
import { pipePoints } from '#page/screens/diagram/symbols/pipe-geometry.ts';

type Diagram = Schemas['DiagramInput'];

/** What a diagram draws, without the keys that its editor gave: symbols in their order, and pipes by the places of their ends and bends. */
export const drawnOf = (diagram: Diagram) => {
	const { byKey, ratio } = drawnDiagramOf(diagram);
	const placed = (entry: Diagram['items'][number] | NonNullable<Diagram['shapes']>[number]) => {
		const { key: _key, ...drawn } = entry;
		return drawn;
	};
	return {
		ratio,
		items: diagram.items.map(placed),
		shapes: (diagram.shapes ?? []).map(placed),
		pipes: (diagram.pipes ?? []).map(({ from, to, ...pipe }) => {
			const ends = drawnDiagramOf({ ...diagram, pipes: [{ from, to }] }).pipes;
			const points = ends.flatMap((end) => pipePoints(end, byKey, ratio) ?? []);
			return { ...pipe, start: points[0], end: points.at(-1) };
		}),
	};
};

/** The most by which calculating with shares changes them. */
const roundingError = 1e-9;

/** Returns the same with every share rounded away that is within `step` of the one of `original`: what differs after that differs by more. */
export const withinOf = (value: unknown, original: unknown, step: number): unknown => {
	if (typeof value === 'number' && typeof original === 'number')
		return Math.abs(value - original) <= step + roundingError ? original : value;
	if (Array.isArray(value) && Array.isArray(original)) return value.map((each, index) => withinOf(each, original[index], step));
	if (isObject(value) && isObject(original))
		return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withinOf(each, original[name], step)]));
	return value;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
