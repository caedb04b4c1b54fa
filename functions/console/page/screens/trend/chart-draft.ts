import { api, resultOf, type Schemas } from '#page/core/api.ts';
import type { Chart } from '#page/core/definitions.ts';
import { type DraftRequests, foundIn, titleProblems, type Versioned } from '#page/core/draft-editor.ts';

/** A chart to save. */
export type ChartInput = Schemas['ChartInput'];

/** Checks, saves and reads a chart. */
export const chartRequests: DraftRequests<ChartInput> = {
	check: ({ title }) => titleProblems(title),
	storedOf: (chart) => ({ ...chart, title: chart.title.trim() }),
	save: async (chart, header) => {
		const body = { ...chart, title: chart.title.trim() };
		const result = await resultOf(api.POST('/saveChart', { params: { header }, body }));
		return result.ok ? { ...result, data: storedDraftOf(result.data.data) } : result;
	},
	read: async ({ id }) => foundIn(await resultOf(api.GET('/getCharts')), id, storedDraftOf),
};

/** Returns the draft of a stored chart, with its version. */
export function storedDraftOf({ id, title, series, version }: Chart): Versioned<ChartInput> {
	return { content: { id, title, series }, version };
}

/** Returns the lines of a chart of these variables. Lines of the opened board keep their labels and colours. */
export function seriesOf(ids: readonly number[], board: Chart | null): ChartInput['series'] {
	// A board may have several lines of one variable, each with its own label.
	return ids.flatMap((varId) => {
		const kept = board?.series.filter((series) => series.varId === varId) ?? [];
		return kept.length === 0 ? [{ varId }] : kept.map((series) => ({ ...series }));
	});
}

/** Returns the variables of a board in their order, each once. */
export function idsOf(board: Pick<ChartInput, 'series'>): readonly number[] {
	return [...new Set(board.series.map(({ varId }) => varId))];
}

/** Returns the labels of a board by variable. */
export function labelsOf(board: Chart | null): ReadonlyMap<number, string> {
	const labelled = board?.series.flatMap(({ varId, label }): [number, string][] =>
		label === undefined || label === null || label === '' ? [] : [[varId, label]],
	);
	// If a variable has several labels, the first one is used: in a map, the last entry of a key counts.
	return new Map(labelled?.toReversed());
}
