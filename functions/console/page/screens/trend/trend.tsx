import { type Signal, useSignal } from '@preact/signals';
import { ChangesPanel } from '#page/changes/changes-panel.tsx';
import { GoneItem } from '#page/changes/gone-item.tsx';
import type { Failure } from '#page/core/api.ts';
import { currentTime } from '#page/core/clock.ts';
import { type StoredCorrection, useDefinitions, variables } from '#page/core/definitions.ts';
import { commonText } from '#page/i18n/common.ts';
import { Banner } from '#page/parts/banner.tsx';
import { Button } from '#page/parts/button.tsx';
import { EmptyState, NoVariables } from '#page/parts/empty-state.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { CompareTool } from './compare-tool.tsx';
import { Plot } from './plot.tsx';
import { trendText } from './texts.ts';
import { rangeBetween, spanOf, type TimeRange, zoomed } from './time-range.ts';
import { type DialogName, LineTotals, TrendDialogs } from './trend-dialogs.tsx';
import { formatSpan } from './trend-format.ts';
import { TrendHead } from './trend-head.tsx';
import { type Curve, plottedWindowAt, type Strip } from './trend-model.ts';
import { TrendSide } from './trend-side.tsx';
import { type ShownTrend, type TrendAddress, useAddress, useModel } from './trend-state.ts';
import { TrendTools } from './trend-tools.tsx';
import { useCorrections } from './use-corrections.ts';
import type { Marker } from './use-plot-pointer.ts';

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
					<AddressNotes address={address} />
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
						index={model === null || marker.value === null ? null : plottedWindowAt(model.bounds, marker.value.time)}
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

/** Says which parts of the address cannot be shown: a range, with what is shown instead, or a deleted chart, with the way to its changes. */
function AddressNotes({ address: { view, isBoardGone } }: { readonly address: TrendAddress }) {
	const text = trendText();
	return (
		<>
			{view.isOtherRange && <Banner>{text.otherRange(formatSpan(spanOf(view.range, currentTime())))}</Banner>}
			{isBoardGone && (
				<GoneItem kind="chart" id={view.chart}>
					{text.chartGone}
				</GoneItem>
			)}
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

/** Returns a range that ends earlier by `byMs`. */
function movedBack(range: TimeRange, byMs: number): TimeRange {
	const now = currentTime();
	const { start, end } = spanOf(range, now);
	return rangeBetween(start - byMs, end - byMs, now);
}

/**
 * Says why a range could not be read, and has a button that reads it again. It stands in the place of the
 * curves of another range, and above those of the same one.
 */
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
