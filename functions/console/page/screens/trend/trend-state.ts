import { useMemo } from 'preact/hooks';
import { alarms } from '#page/core/alarms.ts';
import { currentTime } from '#page/core/clock.ts';
import { charts, variables } from '#page/core/definitions.ts';
import { useReadings } from '#page/core/readings.ts';
import { goTo, hrefWithParams, route } from '#page/core/route.ts';
import { type ChartInput, idsOf, labelsOf } from './chart-draft.ts';
import { useTrendData } from './trend-data.ts';
import { trendModel } from './trend-model.ts';
import { parseTrendView, type TrendView, trendParams } from './trend-view.ts';

// The same lists each time, so that nothing is read or drawn again.
const noAlarms: NonNullable<typeof alarms.value> = [];
const noIds: readonly number[] = [];

/** The parameters in the address of a trend, and functions that change them. */
export type TrendAddress = ReturnType<typeof useAddress>;

/**
 * Returns the parameters in the address, and functions that change them. `isBoardAwaited`: the address names a board that is not read
 * yet. `isBoardGone`: it names a board that is deleted. With `replace`, the button Back does not lead to the present address.
 */
export function useAddress() {
	const view = parseTrendView(route.value.params, currentTime());
	const board = charts.rows.value?.find(({ id }) => id === view.chart) ?? null;
	const ids = view.ids ?? (board === null ? noIds : idsOf(board));
	const show = (change: Partial<TrendView>, { replace = true } = {}): void =>
		goTo(hrefWithParams('trend', trendParams({ ...view, ids, ...change })), { replace });
	return {
		view,
		board,
		ids,
		isBoardGone: view.chart !== null && board === null && charts.rows.value !== undefined,
		isBoardAwaited: view.chart !== null && view.ids === null && charts.rows.value === undefined,
		show,
		openBoard: (chart: ChartInput | null): void =>
			show(chart === null ? { chart: null } : { chart: chart.id, ids: idsOf(chart) }, { replace: false }),
	};
}

/** What is known of the variables of a trend. */
export type ShownTrend = ReturnType<typeof useModel>;

/**
 * Reads the variables of a trend. `model` is null until they and their definitions were read. `isChanging`: it still is of another range
 * or of other variables. `problem`: why the history or the definitions could not be read; null if they could.
 */
export function useModel({ view, ids, board }: TrendAddress) {
	// The legend shows the present readings.
	useReadings(ids);
	const { history, compared, isChanging, failure, reload } = useTrendData(ids, view.range, view.comparison);
	const defined = variables.rows.value;
	const listed = alarms.value;
	const model = useMemo(() => {
		if (history === null || defined === undefined) return null;
		return trendModel(history, { variables: defined, alarms: listed ?? noAlarms, labels: labelsOf(board), compared });
	}, [history, compared, defined, listed, board]);
	const retry = (): void => {
		void variables.load();
		reload();
	};
	const definitionsFailure = defined === undefined ? variables.failure.value : null;
	return { model, isChanging, problem: failure ?? definitionsFailure, retry };
}
