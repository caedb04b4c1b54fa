import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { ChangesPanel } from '#page/changes/changes-panel.tsx';
import { alarms } from '#page/core/alarms.ts';
import type { Failure } from '#page/core/api.ts';
import { currentTime } from '#page/core/clock.ts';
import { type Chart, charts, useDefinitions, variables } from '#page/core/definitions.ts';
import { useReadings } from '#page/core/readings.ts';
import { goTo, hrefWithParams, route } from '#page/core/route.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { EmptyState, NoVariables } from '#page/parts/empty-state.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { lazyScreen } from '#page/shell/lazy-screen.tsx';
import { type ChartInput, idsOf, labelsOf } from './chart-draft.ts';
import { CompareTool } from './compare-tool.tsx';
import { Plot } from './plot.tsx';
import { RangeDialog } from './range-dialog.tsx';
import { SaveChart } from './save-chart.tsx';
import { trendText } from './texts.ts';
import { rangeBetween, spanOf, type TimeRange, zoomed } from './time-range.ts';
import { useTrendData } from './trend-data.ts';
import { DeleteChart, TrendHead } from './trend-head.tsx';
import { type Curve, type Strip, trendModel, windowAt } from './trend-model.ts';
import { TrendSide } from './trend-side.tsx';
import { TrendTools } from './trend-tools.tsx';
import { parseTrendView, type TrendView, trendParams } from './trend-view.ts';
import { useCorrections } from './use-corrections.ts';
import type { Marker } from './use-plot-pointer.ts';

const TotalsDialog = lazyScreen(async () => (await import('./totals-dialog.tsx')).TotalsDialog);

const noAlarms: NonNullable<typeof alarms.value> = [];
const noIds: readonly number[] = [];

/** Curves and states of variables over a range. The address holds the variables, the range and the opened board. */
export function Trend() {
	useDefinitions('variables', 'charts');
	const marker = useSignal<Marker | null>(null);
	const dialog = useSignal<'range' | 'save' | 'delete' | null>(null);
	const announced = useSignal('');
	const showsChanges = useSignal(false);
	const counted = useSignal<Curve | Strip | null>(null);
	const { view, board, ids, isBoardAwaited, show, openBoard } = useAddress();
	const { range, comparison } = view;
	const { model, isChanging, problem, retry } = useModel(ids, view, board);
	const { corrections, reload } = useCorrections(model);
	const index = model === null || marker.value === null ? null : windowAt(model.bounds, marker.value.time);
	const zoom = (next: TimeRange): void => {
		dialog.value = null;
		show({ range: next }, { replace: false });
	};
	const pan = (next: TimeRange): void => show({ range: next });
	const setMarker = (next: Marker | null): void => {
		marker.value = next;
	};
	const open = (name: typeof dialog.value) => (): void => {
		dialog.value = name;
	};
	const leaveFor = (chart: ChartInput, message = ''): void => {
		dialog.value = null;
		announced.value = message;
		openBoard(chart);
	};
	const leaveDeleted = async (): Promise<void> => {
		dialog.value = null;
		announced.value = trendText().deleted(board?.title ?? '');
		// The curves stay as an unsaved choice of variables.
		openBoard(null);
		await charts.load();
	};
	return (
		<>
			<TrendHead
				board={board}
				showsChanges={showsChanges}
				onBoard={openBoard}
				onSave={ids.length === 0 ? null : open('save')}
				onDelete={open('delete')}
				model={isChanging ? null : model}
			/>
			<TrendTools
				range={range}
				period={model === null || isChanging ? null : model.period}
				marker={marker.value?.time ?? null}
				onRange={zoom}
				onPan={pan}
				onChoose={open('range')}
			>
				<CompareTool
					comparison={comparison}
					range={range}
					isTooCoarse={model?.isTooCoarse === true && !isChanging}
					onCompare={(next) => show({ comparison: next }, { replace: false })}
				/>
			</TrendTools>
			<div class="sr" role="status">
				{announced.value}
			</div>
			<div class="trend">
				<div class="stack">
					{problem !== null && <Unread failure={problem} onRetry={retry} />}
					{problem === null && model === null && <NoPlot isEmpty={ids.length === 0 && !isBoardAwaited} />}
					{model !== null && (problem === null || !isChanging) && (
						<Plot
							model={model}
							corrections={corrections}
							marker={marker.value}
							onMarker={setMarker}
							onSpan={(from, to) => zoom(rangeBetween(from, to, currentTime()))}
							onMove={(byMs) => pan(movedBack(range, byMs))}
							onZoom={(factor, anchor) => zoom(zoomed(range, factor, anchor, currentTime()))}
							isLoading={isChanging}
						/>
					)}
				</div>
				{board !== null && showsChanges.value ? (
					<ChangesPanel kind="chart" itemId={board.id} isOpen={showsChanges} />
				) : (
					<TrendSide
						model={model}
						ids={ids}
						index={index}
						isLive={range.follows}
						onIds={(next) => show({ ids: next })}
						onMarker={(time) => setMarker({ time, isPinned: true })}
						onTotals={(line) => {
							counted.value = line;
						}}
					/>
				)}
			</div>
			{counted.value !== null && model !== null && (
				<TotalsDialog
					line={counted.value}
					start={model.bounds[0] ?? 0}
					end={model.bounds.at(-1) ?? 0}
					onCorrected={() => {
						counted.value = null;
						reload();
					}}
					onClose={() => {
						counted.value = null;
					}}
				/>
			)}
			{dialog.value === 'range' && <RangeDialog span={spanOf(range, currentTime())} onClose={open(null)} onChoose={zoom} />}
			{dialog.value === 'delete' && board !== null && <DeleteChart board={board} onClose={open(null)} onDeleted={leaveDeleted} />}
			{dialog.value === 'save' && (
				<SaveChart
					ids={ids}
					board={board}
					onClose={open(null)}
					onSaved={(chart) => leaveFor(chart, trendText().saved(chart.title))}
					onTakeTheirs={(chart) => leaveFor(chart)}
				/>
			)}
		</>
	);
}

/** Returns the parameters in the address, and functions that change them. */
function useAddress() {
	const view = parseTrendView(route.value.params, currentTime());
	const board = charts.rows.value?.find(({ id }) => id === view.chart) ?? null;
	const ids = view.ids ?? (board === null ? noIds : idsOf(board));
	const show = (change: Partial<TrendView>, { replace = true } = {}): void =>
		goTo(hrefWithParams('trend', trendParams({ ...view, ids, ...change })), { replace });
	return {
		view,
		board,
		ids,
		isBoardAwaited: view.chart !== null && view.ids === null && charts.rows.value === undefined,
		show,
		openBoard: (chart: ChartInput | null): void =>
			show(chart === null ? { chart: null } : { chart: chart.id, ids: idsOf(chart) }, { replace: false }),
	};
}

/** Reads the variables of a trend. `model` is null until they and their definitions were read. */
function useModel(ids: readonly number[], { range, comparison }: TrendView, board: Chart | null) {
	useReadings(ids);
	const { history, compared, isChanging, failure, reload } = useTrendData(ids, range, comparison);
	const defined = variables.rows.value;
	const listed = alarms.value;
	const model = useMemo(
		() =>
			history === null || defined === undefined
				? null
				: trendModel(history, { variables: defined, alarms: listed ?? noAlarms, labels: labelsOf(board), compared }),
		[history, compared, defined, listed, board],
	);
	const retry = (): void => {
		void variables.load();
		reload();
	};
	return { model, isChanging, problem: failure ?? (defined === undefined ? variables.failure.value : null), retry };
}

/** Returns a range that ends earlier by `byMs`. */
function movedBack(range: TimeRange, byMs: number): TimeRange {
	const now = currentTime();
	const { start, end } = spanOf(range, now);
	return rangeBetween(start - byMs, end - byMs, now);
}

/** Says why a range could not be read, and has a button that reads it again. It replaces the curves of an earlier range. */
function Unread({ failure, onRetry }: { readonly failure: Failure; readonly onRetry: () => void }) {
	const text = trendText();
	return (
		<div class="plot stack">
			<Problems failure={failure} fallback={text.failed} />
			<Button onClick={onRetry}>{commonText().again}</Button>
		</div>
	);
}

/** Shown in place of the plot until it is there. If no variable is chosen, it says how to begin; otherwise that the data is being read. */
function NoPlot({ isEmpty }: { readonly isEmpty: boolean }) {
	const text = trendText();
	return (
		<div class="plot">
			{!isEmpty ? (
				<p class="muted">{commonText().reading}</p>
			) : variables.rows.value?.size === 0 ? (
				<NoVariables icon="i-trend" />
			) : (
				<EmptyState icon="i-trend" title={text.nothing}>
					<p>{text.nothingText}</p>
				</EmptyState>
			)}
		</div>
	);
}
