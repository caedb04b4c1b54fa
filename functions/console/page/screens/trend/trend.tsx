import { type Signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { ChangesPanel } from '#page/changes/changes-panel.tsx';
import { alarms } from '#page/core/alarms.ts';
import type { Failure } from '#page/core/api.ts';
import { currentTime } from '#page/core/clock.ts';
import { charts, type StoredCorrection, useDefinitions, variables } from '#page/core/definitions.ts';
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

/** The dialogs of the screen, but for that of a total. */
type DialogName = 'range' | 'save' | 'delete';

/** Curves and states of variables over a range. The address holds the variables, the range and the opened board. */
export function Trend() {
	useDefinitions('variables', 'charts');
	const marker = useSignal<Marker | null>(null);
	const dialog = useSignal<DialogName | null>(null);
	const announcement = useSignal('');
	const showsChanges = useSignal(false);
	/** The line whose total is shown; null without one. */
	const countedLine = useSignal<Curve | Strip | null>(null);
	const address = useAddress();
	const { board, ids, show, openBoard } = address;
	const trend = useModel(address);
	const { model, isChanging } = trend;
	const { corrections, reload } = useCorrections(model);
	const open = (name: DialogName): void => {
		dialog.value = name;
	};
	const changeRange = (next: TimeRange): void => {
		dialog.value = null;
		show({ range: next }, { replace: false });
	};
	const pan = (next: TimeRange): void => show({ range: next });
	return (
		<>
			<TrendHead
				board={board}
				showsChanges={showsChanges}
				onBoard={openBoard}
				onSave={ids.length === 0 ? null : () => open('save')}
				onDelete={() => open('delete')}
				model={isChanging ? null : model}
			/>
			<RangeTools
				address={address}
				trend={trend}
				marker={marker}
				onRange={changeRange}
				onPan={pan}
				onChoose={() => open('range')}
			/>
			<div class="sr" role="status">
				{announcement.value}
			</div>
			<div class="trend">
				<div class="stack">
					<PlotOrReason
						address={address}
						trend={trend}
						corrections={corrections}
						marker={marker}
						onRange={changeRange}
						onPan={pan}
					/>
				</div>
				{board !== null && showsChanges.value ? (
					<ChangesPanel kind="chart" itemId={board.id} isOpen={showsChanges} />
				) : (
					<TrendSide
						model={model}
						ids={ids}
						index={model === null || marker.value === null ? null : windowAt(model.bounds, marker.value.time)}
						isLive={address.view.range.follows}
						onIds={(next) => show({ ids: next })}
						onMarker={(time) => {
							marker.value = { time, isPinned: true };
						}}
						onTotals={(line) => {
							countedLine.value = line;
						}}
					/>
				)}
			</div>
			{model !== null && <LineTotals countedLine={countedLine} bounds={model.bounds} onCorrected={reload} />}
			<TrendDialogs address={address} dialog={dialog} announcement={announcement} onRange={changeRange} />
		</>
	);
}

interface RangeProps {
	readonly address: TrendAddress;
	readonly trend: ShownTrend;
	readonly marker: Signal<Marker | null>;
	readonly onRange: (range: TimeRange) => void;
	/** Like `onRange`, but the button Back does not return to the present range. */
	readonly onPan: (range: TimeRange) => void;
}

interface RangeToolsProps extends RangeProps {
	/** Opens the dialog that asks for start and end. */
	readonly onChoose: () => void;
}

/** The buttons that change the range, and the choice of the range that it is compared with. */
function RangeTools({ address, trend, marker, onRange, onPan, onChoose }: RangeToolsProps) {
	const { range, comparison } = address.view;
	const { model, isChanging } = trend;
	return (
		<TrendTools
			range={range}
			period={model === null || isChanging ? null : model.period}
			marker={marker.value?.time ?? null}
			onRange={onRange}
			onPan={onPan}
			onChoose={onChoose}
		>
			<CompareTool
				comparison={comparison}
				range={range}
				isTooCoarse={model?.isTooCoarse === true && !isChanging}
				onCompare={(next) => address.show({ comparison: next }, { replace: false })}
			/>
		</TrendTools>
	);
}

interface PlotOrReasonProps extends RangeProps {
	readonly corrections: readonly StoredCorrection[];
}

/** The plot; or the reason why there is none yet, or why the range could not be read. */
function PlotOrReason({ address, trend, corrections, marker, onRange, onPan }: PlotOrReasonProps) {
	const { ids, isBoardAwaited } = address;
	const { range } = address.view;
	const { model, isChanging, problem, retry } = trend;
	return (
		<>
			{problem !== null && <Unread failure={problem} onRetry={retry} />}
			{problem === null && model === null && <NoPlot isEmpty={ids.length === 0 && !isBoardAwaited} />}
			{/* Where another range could not be read, its problem replaces the curves. Where the same one could not, they stay. */}
			{model !== null && (problem === null || !isChanging) && (
				<Plot
					model={model}
					corrections={corrections}
					marker={marker.value}
					onMarker={(next) => {
						marker.value = next;
					}}
					onSpan={(from, to) => onRange(rangeBetween(from, to, currentTime()))}
					onMove={(byMs) => onPan(movedBack(range, byMs))}
					onZoom={(factor, anchor) => onRange(zoomed(range, factor, anchor, currentTime()))}
					isLoading={isChanging}
				/>
			)}
		</>
	);
}

interface LineTotalsProps {
	/** The line whose total is shown; null without one. */
	readonly countedLine: Signal<Curve | Strip | null>;
	readonly bounds: readonly number[];
	readonly onCorrected: () => void;
}

/** The dialog with the total of a line over the shown range. */
function LineTotals({ countedLine, bounds, onCorrected }: LineTotalsProps) {
	if (countedLine.value === null) return null;
	const close = (): void => {
		countedLine.value = null;
	};
	return (
		<TotalsDialog
			line={countedLine.value}
			start={bounds[0] ?? 0}
			end={bounds.at(-1) ?? 0}
			onCorrected={() => {
				close();
				onCorrected();
			}}
			onClose={close}
		/>
	);
}

interface TrendDialogsProps {
	readonly address: TrendAddress;
	/** The dialog that is open; null without one. */
	readonly dialog: Signal<DialogName | null>;
	/** A sentence about the last act, for screen readers. */
	readonly announcement: Signal<string>;
	readonly onRange: (range: TimeRange) => void;
}

/** The dialogs that choose a range, and that save or delete a board. */
function TrendDialogs({ address, dialog, announcement, onRange }: TrendDialogsProps) {
	const { view, board, ids, openBoard } = address;
	const close = (): void => {
		dialog.value = null;
	};
	const leaveFor = (chart: ChartInput, sentence: string): void => {
		close();
		announcement.value = sentence;
		openBoard(chart);
	};
	const leaveDeleted = async (): Promise<void> => {
		close();
		announcement.value = trendText().deleted(board?.title ?? '');
		// The curves stay as an unsaved choice of variables.
		openBoard(null);
		await charts.load();
	};
	return (
		<>
			{dialog.value === 'range' && <RangeDialog span={spanOf(view.range, currentTime())} onClose={close} onChoose={onRange} />}
			{dialog.value === 'delete' && board !== null && <DeleteChart board={board} onClose={close} onDeleted={leaveDeleted} />}
			{dialog.value === 'save' && (
				<SaveChart
					ids={ids}
					board={board}
					onClose={close}
					onSaved={(chart) => leaveFor(chart, trendText().saved(chart.title))}
					onTakeTheirs={(chart) => leaveFor(chart, '')}
				/>
			)}
		</>
	);
}

/** The parameters in the address of a trend, and functions that change them. */
type TrendAddress = ReturnType<typeof useAddress>;

/**
 * Returns the parameters in the address, and functions that change them. `isBoardAwaited`: the address names a board that is not read
 * yet. With `replace`, the button Back does not lead to the present address.
 */
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

/** What is known of the variables of a trend. */
type ShownTrend = ReturnType<typeof useModel>;

/**
 * Reads the variables of a trend. `model` is null until they and their definitions were read. `isChanging`: it still is of another range
 * or of other variables.
 */
function useModel({ view, ids, board }: TrendAddress) {
	useReadings(ids);
	const { history, compared, isChanging, failure, reload } = useTrendData(ids, view.range, view.comparison);
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
	return <div class="plot">{isEmpty ? <NothingChosen /> : <p class="muted">{commonText().reading}</p>}</div>;
}

/** Says how to begin: with a variable to define, or with one to choose. */
function NothingChosen() {
	const text = trendText();
	if (variables.rows.value?.size === 0) return <NoVariables icon="i-trend" />;
	return (
		<EmptyState icon="i-trend" title={text.nothing}>
			<p>{text.nothingText}</p>
		</EmptyState>
	);
}
