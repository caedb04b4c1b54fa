import type { Schemas } from '#page/core/api.ts';
import type { Chart } from '#page/core/definitions.ts';

/** A chart to save. */
export type ChartInput = Schemas['ChartInput'];

/** Returns the lines of a chart of these variables. Labels and colours that the opened board has stay. */
export function seriesOf(ids: readonly number[], board: Chart | null): ChartInput['series'] {
	// A board may show a variable twice, with two labels.
	return ids.flatMap((varId) => {
		const kept = board?.series.filter((series) => series.varId === varId) ?? [];
		return kept.length === 0 ? [{ varId }] : kept.map((series) => ({ ...series }));
	});
}

/** Returns the variables of a board in their order, each once. */
export function idsOf(board: Chart): readonly number[] {
	return [...new Set(board.series.map(({ varId }) => varId))];
}

/** Returns the labels of a board by variable. */
export function labelsOf(board: Chart | null): ReadonlyMap<number, string> {
	const labelled = board?.series.flatMap(({ varId, label }): [number, string][] =>
		label === undefined || label === null || label === '' ? [] : [[varId, label]],
	);
	// The first label of a variable counts.
	return new Map(labelled?.toReversed());
}
