import type { Ref, TargetedKeyboardEvent } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { StoredCorrection } from '#page/core/definitions.ts';
import { hasModifier } from '#page/core/modifier-keys.ts';
import { formatClock, formatDate, formatDay, formatMonth, formatUtc, formatYear, otherYear } from '#page/format/time.ts';
import { commonText } from '#page/i18n/common.ts';
import { PlotPane } from './plot-pane.tsx';
import { percent, shareOf } from './plot-places.ts';
import { PlotStrips } from './plot-strips.tsx';
import { trendText } from './texts.ts';
import { type TimeTicks, timeTicks } from './time-ticks.ts';
import { comparisonName, formatLineValue, formatSpan, formatWindow } from './trend-format.ts';
import { type Curve, isCurve, linesIn, middleOf, plottedWindowAt, type TrendModel } from './trend-model.ts';
import { type Drag, type PlotActs, usePlotPointer } from './use-plot-pointer.ts';
import { usePlotSize } from './use-plot-size.ts';

interface PlotProps extends PlotActs {
	readonly model: TrendModel;
	/** Drawn as bands in the panes and strips of their variables. */
	readonly corrections: readonly StoredCorrection[];
	readonly isLoading: boolean;
}

/** How many windows the crosshair moves with Shift. */
const bigStep = 10;

/** The least distance between two ticks of the time axis, in pixels. */
const tickDistance = 84;

/** The least number of ticks that the time axis makes room for, however narrow it is. */
const leastTicks = 2;

/**
 * The panes and strips above a common time axis. The pointer and the arrow keys move one crosshair through all of them. Assistive
 * technology sees the crosshair as a slider over the windows.
 */
export function Plot({ model, corrections, isLoading, ...acts }: PlotProps) {
	const text = trendText();
	const area = useRef<HTMLDivElement>(null);
	const over = useRef<HTMLDivElement>(null);
	const { bounds } = model;
	const [start, end] = [bounds[0] ?? 0, bounds.at(-1) ?? 0];
	const lastWindow = bounds.length - 2;
	const size = usePlotSize(area, model.panes.length, model);
	const mostTicks = Math.max(leastTicks, Math.floor(size.plotWidth / tickDistance));
	const ticks = useMemo(() => timeTicks(start, end, mostTicks), [start, end, mostTicks]);
	/** The window of the crosshair; null without one. */
	const index = acts.marker === null ? null : plottedWindowAt(bounds, acts.marker.time);

	const pointer = usePlotPointer(over, bounds, acts);
	const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
		if (hasModifier(event)) return;
		const target = windowOfKey(event, index, lastWindow);
		if (event.key === 'Escape') {
			pointer.drag.value = null;
			acts.onMarker(null);
		} else if (target === null) return;
		else acts.onMarker({ time: middleOf(bounds, target), isPinned: true });
		event.preventDefault();
	};

	return (
		<div class={isLoading ? 'plot loading' : 'plot'} aria-busy={isLoading}>
			<div
				ref={area}
				class="plot-area"
				role="slider"
				tabIndex={0}
				aria-label={text.plot}
				aria-description={text.plotKeys}
				aria-valuemin={0}
				aria-valuemax={lastWindow}
				aria-valuenow={index ?? lastWindow}
				aria-valuetext={index === null ? formatSpan({ start, end }) : spokenWindow(model, index)}
				{...pointer.handlers}
				onKeyDown={onKeyDown}
			>
				{model.panes.map((pane) => (
					<PlotPane
						key={pane.unit}
						pane={pane}
						bounds={bounds}
						ticks={ticks.times}
						height={size.paneHeight}
						index={index}
						corrections={corrections}
					/>
				))}
				<PlotStrips model={model} corrections={corrections} />
				<TimeAxis start={start} end={end} ticks={ticks} />
				<Crosshair
					box={over}
					bounds={bounds}
					index={index}
					// A drag that moves the curves selects nothing.
					selection={pointer.drag.value?.moves === true ? null : pointer.drag.value}
				/>
			</div>
			{isLoading && (
				<p class="plot-message" role="status">
					<span>{commonText().reading}</span>
				</p>
			)}
		</div>
	);
}

/** Returns the window to which a key moves the crosshair; null for any other key. Without a crosshair, it moves from the end of the range. */
function windowOfKey({ key, shiftKey }: KeyboardEvent, index: number | null, last: number): number | null {
	const step = shiftKey ? bigStep : 1;
	const from = index ?? last + 1;
	const targets: Readonly<Record<string, number>> = {
		ArrowLeft: from - step,
		ArrowRight: from + step,
		PageUp: from - bigStep,
		PageDown: from + bigStep,
		Home: 0,
		End: last,
	};
	const target = Object.hasOwn(targets, key) ? targets[key] : undefined;
	return target === undefined ? null : Math.min(last, Math.max(0, target));
}

/** Returns the words that a screen reader says for a window: its time, and every value with its name. */
function spokenWindow(model: TrendModel, index: number): string {
	const { bounds, comparison } = model;
	const spokenLines = linesIn(model).map((line) => {
		const unit = isCurve(line) ? ` ${line.unit}` : '';
		const spokenValue = ({ values }: Pick<Curve, 'values'>): string => `${formatLineValue(line, values[index] ?? null)}${unit}`;
		const spoken = `${line.name} ${spokenValue(line)}`;
		if (line.compared === null || comparison === null) return spoken;
		return `${spoken}, ${comparisonName(comparison, bounds[0] ?? 0)} ${spokenValue(line.compared)}`;
	});
	return [formatWindow(bounds, index), ...spokenLines].join('; ');
}

interface TimeAxisProps {
	readonly start: number;
	readonly end: number;
	readonly ticks: TimeTicks;
}

/** The labels of the time axis, below all panes. The first label of each day includes the date. In a range that begins in an earlier year, the first day of each year includes it. */
function TimeAxis({ start, end, ticks: { unit, times } }: TimeAxisProps) {
	const format = { minute: formatClock, day: formatDay, month: formatMonth }[unit];
	return (
		<div class="time-axis" aria-hidden="true">
			{times.map((time, index) => {
				const day = formatDay(time);
				const before = times[index - 1];
				const isFirstOfDay = before === undefined || formatDay(before) !== day;
				const isFirstOfYear = before === undefined || formatYear(before) !== formatYear(time);
				return (
					<span key={time} title={formatUtc(time)} style={{ left: percent((time - start) / (end - start)) }}>
						{format(time)}
						{unit === 'minute' && isFirstOfDay && <small>{formatDate(time)}</small>}
						{unit === 'day' && isFirstOfYear && otherYear(start) !== '' && <small>{formatYear(time)}</small>}
					</span>
				);
			})}
		</div>
	);
}

interface CrosshairProps {
	/** Receives the element over the curves. Its width represents the range. */
	readonly box: Ref<HTMLDivElement>;
	readonly bounds: readonly number[];
	/** The window of the crosshair; null without one. */
	readonly index: number | null;
	/** The span as shares of the width; null without one. */
	readonly selection: Pick<Drag, 'from' | 'to'> | null;
}

/** How near to the edges of the plot the middle of the crosshair's time may be, as a share of the width. Nearer, it would leave the plot. */
const timeMargin = 0.07;

/** The crosshair through all panes with the time of its window, and the span that the person selects by dragging. */
function Crosshair({ box, bounds, index, selection }: CrosshairProps) {
	const left = index === null ? 0 : shareOf(middleOf(bounds, index), bounds);
	return (
		<div ref={box} class="plot-over" aria-hidden="true">
			{index !== null && (
				<>
					<i class="crosshair" style={{ left: percent(left) }} />
					<span
						class="crosshair-time"
						title={formatUtc(bounds[index] ?? 0)}
						style={{ left: percent(Math.min(1 - timeMargin, Math.max(timeMargin, left))) }}
					>
						{formatWindow(bounds, index)}
					</span>
				</>
			)}
			{selection !== null && (
				<i
					class="plot-selection"
					style={{
						left: percent(Math.min(selection.from, selection.to)),
						width: percent(Math.abs(selection.to - selection.from)),
					}}
				/>
			)}
		</div>
	);
}
