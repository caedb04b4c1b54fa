import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { alarms } from '#page/core/alarms.ts';
import { currentTime } from '#page/core/clock.ts';
import { type Chart, charts, useDefinitions, variables } from '#page/core/definitions.ts';
import { downloadText } from '#page/core/download.ts';
import { showsOutdated } from '#page/core/poll.ts';
import { useReadings } from '#page/core/readings.ts';
import { goTo, hrefOf, route } from '#page/core/route.ts';
import { zoneName } from '#page/format/time.ts';
import { Button } from '#page/parts/button.tsx';
import { EmptyState } from '#page/parts/empty-state.tsx';
import { Select } from '#page/parts/select.tsx';
import { shellText } from '#page/shell/texts.ts';
import { AddVariable } from './add-variable.tsx';
import { idsOf, labelsOf } from './chart-draft.ts';
import { Legend } from './legend.tsx';
import { Plot } from './plot.tsx';
import { RangeDialog } from './range-dialog.tsx';
import { SaveChart } from './save-chart.tsx';
import { trendText } from './texts.ts';
import { rangeBetween, spanOf, type TimeRange } from './time-range.ts';
import { trendCsv } from './trend-csv.ts';
import { useTrendData } from './trend-data.ts';
import { TrendFailure } from './trend-failure.tsx';
import { trendModel, windowAt } from './trend-model.ts';
import { TrendTable } from './trend-table.tsx';
import { TrendTools } from './trend-tools.tsx';
import { parseTrendView, type TrendView, trendParams } from './trend-view.ts';

const noAlarms: NonNullable<typeof alarms.value> = [];
const noIds: readonly number[] = [];

/** Curves and states of variables over a range. The address holds the variables, the range and the opened board. */
export function Trend() {
	const text = trendText();
	useDefinitions('variables', 'charts');
	const marker = useSignal<number | null>(null);
	const dialog = useSignal<'range' | 'save' | null>(null);
	const announced = useSignal('');
	const view = parseTrendView(route.value.params, currentTime());
	const board = charts.rows.value?.find(({ id }) => id === view.chart) ?? null;
	const ids = view.ids ?? (board === null ? noIds : idsOf(board));
	const { range } = view;
	useReadings(ids);
	const { history, isChanging, failure, reload } = useTrendData(ids, range);
	const known = variables.rows.value;
	const listed = alarms.value;
	const model = useMemo(
		() =>
			history === null || known === undefined
				? null
				: trendModel(history, { variables: known, alarms: listed ?? noAlarms, labels: labelsOf(board) }),
		[history, known, listed, board],
	);
	const problem = failure ?? (known === undefined ? variables.failure.value : null);
	const retry = (): void => {
		void variables.load();
		reload();
	};
	const isBoardAwaited = view.chart !== null && view.ids === null && charts.rows.value === undefined;
	const index = model === null || marker.value === null ? null : windowAt(model.bounds, marker.value);

	const show = (change: Partial<TrendView>, { replace = true } = {}): void =>
		goTo(hrefOf('trend', null, trendParams({ ...view, ids, ...change })), { replace });
	const setRange = (next: TimeRange): void => show({ range: next });
	const openBoard = (chart: Chart | null): void =>
		show(chart === null ? { chart: null } : { chart: chart.id, ids: idsOf(chart) }, { replace: false });
	const setMarker = (time: number | null): void => {
		marker.value = time;
	};
	const closeDialog = (): void => {
		dialog.value = null;
	};
	const saveCsv = (): void => {
		if (model === null) return;
		const { csvUtc, csvLocal, min, max } = text;
		const csv = trendCsv(model, { utc: csvUtc, local: csvLocal(zoneName(currentTime())), min, max });
		downloadText(`caudal ${new Date(model.bounds[0] ?? 0).toISOString().replaceAll(':', '')}.csv`, 'text/csv', csv);
	};

	return (
		<>
			<header class="head">
				<h1>{shellText().screens.trend}</h1>
				<Select
					aria-label={text.board}
					value={board === null ? '' : String(board.id)}
					choices={[
						{ value: '', label: text.ownChoice },
						...(charts.rows.value ?? []).map(({ id, title }) => ({ value: String(id), label: title })),
					]}
					onChoose={(value) => openBoard(charts.rows.value?.find(({ id }) => String(id) === value) ?? null)}
				/>
				<div class="actions">
					<Button
						disabled={ids.length === 0 || showsOutdated.value}
						onClick={() => {
							dialog.value = 'save';
						}}
					>
						{text.saveAsChart}
					</Button>
					<Button disabled={model === null || isChanging} onClick={saveCsv}>
						{text.csv}
					</Button>
				</div>
			</header>
			<TrendTools
				range={range}
				period={model === null || isChanging ? null : model.period}
				marker={marker.value}
				onRange={setRange}
				onChoose={() => {
					dialog.value = 'range';
				}}
			/>
			<div class="sr" role="status">
				{announced.value}
			</div>
			<div class="trend">
				{problem !== null && (isChanging || model === null) ? (
					<TrendFailure failure={problem} onRetry={retry} />
				) : model !== null ? (
					<Plot
						model={model}
						marker={marker.value}
						onMarker={setMarker}
						onSpan={(from, to) => setRange(rangeBetween(from, to, currentTime()))}
						onMove={(byMs) => {
							const { start, end } = spanOf(range, currentTime());
							setRange(rangeBetween(start - byMs, end - byMs, currentTime()));
						}}
						isLoading={isChanging}
					/>
				) : (
					<div class="plot">{ids.length === 0 && !isBoardAwaited ? <Empty /> : <p class="muted">{text.loading}</p>}</div>
				)}
				<div class="trend-side">
					{model !== null && (
						<Legend
							model={model}
							index={index}
							isLive={range.follows}
							onRemove={(varId) => show({ ids: ids.filter((id) => id !== varId) })}
						/>
					)}
					<AddVariable ids={ids} onAdd={(id) => show({ ids: [...ids, id] })} />
					{model !== null && <TrendTable model={model} index={index} onMarker={setMarker} />}
				</div>
			</div>
			{dialog.value === 'range' && (
				<RangeDialog
					span={spanOf(range, currentTime())}
					onClose={closeDialog}
					onChoose={(next) => {
						closeDialog();
						setRange(next);
					}}
				/>
			)}
			{dialog.value === 'save' && (
				<SaveChart
					ids={ids}
					board={board}
					onClose={closeDialog}
					onSaved={(chart) => {
						closeDialog();
						announced.value = text.saved(chart.title);
						openBoard(chart);
					}}
					onTakeTheirs={(chart) => {
						closeDialog();
						openBoard(chart);
					}}
				/>
			)}
		</>
	);
}

function Empty() {
	const text = trendText();
	const hasNone = variables.rows.value?.size === 0;
	return (
		<EmptyState icon="i-trend" title={hasNone ? text.noVariables : text.nothing}>
			{hasNone ? (
				<a class="btn" href={hrefOf('variables', 'new')}>
					{text.newVariable}
				</a>
			) : (
				<p>{text.nothingText}</p>
			)}
		</EmptyState>
	);
}
