import { useMemo } from 'preact/hooks';
import { isolatedName } from '#domain/isolated-name.ts';
import { isOpenAlarm, markedStateOf } from '#page/core/alarm-state.ts';
import type { StoredCorrection } from '#page/core/definitions.ts';
import { bandPath, curvePath, lonePointsPath } from '#page/core/past/curve-path.ts';
import { shareFromTop } from '#page/core/past/round-scale.ts';
import { formatNumber } from '#page/format/number.ts';
import { conditionWords } from '#page/i18n/alarm-states.ts';
import { AlarmMark, severityClass } from '#page/parts/alarm-mark.tsx';
import { classNames } from '#page/parts/class-names.ts';
import { CutName } from '#page/parts/cut-name.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { CorrectionBands } from './correction-bands.tsx';
import { type GapWord, gapWords } from './gap-words.ts';
import { percent, placeOf, shareOf, spreadLabels } from './plot-places.ts';
import { seriesLook } from './series-look.ts';
import { trendText } from './texts.ts';
import { formatGap } from './trend-format.ts';
import { middleOf, type Pane, type PaneLimit } from './trend-model.ts';

interface PlotPaneProps {
	readonly pane: Pane;
	readonly bounds: readonly number[];
	/** Times of the vertical lines, epoch milliseconds. */
	readonly ticks: readonly number[];
	/** The height of the curves, in CSS pixels. */
	readonly height: number;
	/** The window of the crosshair. */
	readonly index: number | null;
	readonly corrections: readonly StoredCorrection[];
}

/** A gap gets words if it covers at least this share of the width. */
const wordShare = 0.04;

/** The height of a row of words, in rem. */
const rowHeight = 1.25;

/** The curves of one unit, with their scale, their thresholds, the labels at their ends, and the lane that shows their gaps. */
export function PlotPane({ pane, bounds, ticks, height, index, corrections }: PlotPaneProps) {
	const { curves, limits, scale } = pane;
	// The curves are not drawn again when only the crosshair moves, which happens with every move of the pointer.
	const drawn = useMemo(() => <PaneCurves pane={pane} bounds={bounds} ticks={ticks} />, [pane, bounds, ticks]);
	return (
		<div class="pane">
			<div class="plot-head">
				<p class="plot-unit">{pane.unit}</p>
				{limits.length > 0 && (
					<ul class="plot-limits">
						{limits.map((limit) => (
							<LimitName key={limit.alarm.id} limit={limit} unit={pane.unit} />
						))}
					</ul>
				)}
			</div>
			<div class="pane-curves" style={{ height: `${height}px` }}>
				{drawn}
				<div class="scale-labels" aria-hidden="true">
					{scale.ticks.map((tick) => (
						<span key={tick} style={{ top: percent(shareFromTop(scale, tick)) }}>
							{formatNumber(tick, { decimals: scale.decimals })}
						</span>
					))}
				</div>
				<div class="pane-over">
					<CorrectionBands corrections={corrections} lines={curves} bounds={bounds} />
					{limits.map(
						({ alarm, place }) =>
							place === 'inside' && (
								<i
									key={alarm.id}
									class={classNames('plot-limit', isOpenAlarm(alarm) && severityClass(alarm.severity))}
									style={{ top: percent(shareFromTop(scale, alarm.threshold)) }}
								/>
							),
					)}
					{gapWords(curves, (gap) => placeOf(gap, bounds).width >= wordShare).map((word) => (
						<GapWords key={`${word.gap.kind} ${word.gap.from} ${word.gap.to}`} word={word} bounds={bounds} />
					))}
					{index !== null && <Dots pane={pane} bounds={bounds} index={index} />}
				</div>
				<EndLabels pane={pane} height={height} />
			</div>
			<QualityLane pane={pane} bounds={bounds} />
		</div>
	);
}

interface LimitNameProps {
	readonly limit: PaneLimit;
	readonly unit: string;
}

/** The words of a threshold. They are above the plot, because inside it they would hide the curves or each other. */
function LimitName({ limit: { alarm, place }, unit }: LimitNameProps) {
	const text = trendText();
	const hints = { inside: '', above: `, ${text.limitAbove}`, below: `, ${text.limitBelow}` };
	const isActive = isOpenAlarm(alarm);
	return (
		<li class={isActive ? severityClass(alarm.severity) : undefined}>
			{isActive && <AlarmMark severity={alarm.severity} state={markedStateOf(alarm)} small />}
			<bdi>{alarm.name}</bdi>
			{`· ${conditionWords(alarm, unit)}${hints[place]}`}
		</li>
	);
}

/** Words whose gap has its middle right of this share of the width end at the gap, so that they stay inside the pane. */
const endShare = 0.6;

/** The words of a gap, over the pane: its kind and its length. The names of its curves come first, unless all curves of the pane have it. */
function GapWords({ word: { gap, names, row }, bounds }: { readonly word: GapWord; readonly bounds: readonly number[] }) {
	const { left, width } = placeOf(gap, bounds);
	const style = { left: percent(left), width: percent(width), bottom: `${row * rowHeight}rem` };
	return (
		<span class={classNames('gap-words', left + width / 2 > endShare && 'end')} style={style}>
			<span>
				<Icon name={`q-${gap.kind}`} />
				{names.length === 0 ? formatGap(gap, bounds) : `${names.map(isolatedName).join(', ')}: ${formatGap(gap, bounds)}`}
			</span>
		</span>
	);
}

/** The dots where the crosshair meets the curves. */
function Dots({ pane, bounds, index }: { readonly pane: Pane; readonly bounds: readonly number[]; readonly index: number }) {
	const left = percent(shareOf(middleOf(bounds, index), bounds));
	return pane.curves.map(({ key, look, values }) => {
		const value = values[index] ?? null;
		if (value === null) return null;
		const top = percent(shareFromTop(pane.scale, value));
		return <i key={key} class="plot-dot" style={{ left, top, borderColor: `var(${seriesLook(look).colour})` }} />;
	});
}

/** Marks the gaps of the pane's curves below them. Marks of bad values are higher than marks of missing ones. */
function QualityLane({ pane, bounds }: { readonly pane: Pane; readonly bounds: readonly number[] }) {
	return (
		<div class="quality-lane">
			{pane.curves.flatMap(({ key, name, gaps }) =>
				gaps.map((gap) => {
					const { left, width } = placeOf(gap, bounds);
					return (
						<i
							key={`${key} ${gap.from}`}
							class={gap.kind}
							title={`${isolatedName(name)}: ${formatGap(gap, bounds)}`}
							style={{ left: percent(left), width: percent(width) }}
						/>
					);
				}),
			)}
		</div>
	);
}

interface PaneCurvesProps {
	readonly pane: Pane;
	readonly bounds: readonly number[];
	/** Times of the vertical lines, epoch milliseconds. */
	readonly ticks: readonly number[];
}

/** The width and height of the drawing in its own units. It is stretched to fill the pane, but lines keep their width. */
const boxSize = 1000;

/** The curves of a pane with their bands, above the grid lines. */
function PaneCurves({ pane: { curves, scale }, bounds, ticks }: PaneCurvesProps) {
	const xOfTime = (time: number): number => boxSize * shareOf(time, bounds);
	const places = {
		x: (index: number): number => xOfTime(middleOf(bounds, index)),
		y: (value: number): number => boxSize * shareFromTop(scale, value),
	};
	const grid = [
		...ticks.map((time) => `M${xOfTime(time)} 0V${boxSize}`),
		...scale.ticks.map((tick) => `M0 ${places.y(tick)}H${boxSize}`),
	];
	return (
		<svg class="curves" viewBox={`0 0 ${boxSize} ${boxSize}`} preserveAspectRatio="none" aria-hidden="true">
			<path class="grid" d={grid.join('')} />
			<path class="axis" d={`M0 0V${boxSize}`} />
			{curves.map(({ key, look, compared }) => {
				if (compared === null) return null;
				const { colour, dash } = seriesLook(look);
				const d = curvePath(compared.values, compared.gaps, places) + lonePointsPath(compared.values, compared.gaps, places);
				return (
					<path
						key={`${key} compared`}
						class="compared"
						style={{ stroke: `var(${colour})`, strokeDasharray: dash.join(' ') }}
						d={d}
					/>
				);
			})}
			{curves.map(({ key, look, band, gaps }) => {
				const fill = `var(${seriesLook(look).colour})`;
				return band !== null && <path key={key} class="band" style={{ fill }} d={bandPath(band, gaps, places)} />;
			})}
			{curves.map(({ key, look, values, gaps }) => {
				const { colour, dash } = seriesLook(look);
				const stroke = `var(${colour})`;
				return (
					<g key={key} style={{ stroke }}>
						<path class="curve" style={{ strokeDasharray: dash.join(' ') }} d={curvePath(values, gaps, places)} />
						<path class="lone" d={lonePointsPath(values, gaps, places)} />
					</g>
				);
			})}
		</svg>
	);
}

interface EndLabelsProps {
	readonly pane: Pane;
	/** The height of the curves, in CSS pixels. */
	readonly height: number;
}

/** The height of a label, in rem. */
const labelHeight = 1;

/** The names of the curves, each as near to the end of its curve as the other names allow. */
function EndLabels({ pane: { curves, scale }, height }: EndLabelsProps) {
	const remPixels = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
	const labelPixels = labelHeight * remPixels;
	/** The curves with a value, each with the wanted place of its label: the middle of the label at its last value. */
	const labelled = curves.flatMap((curve) => {
		const last = curve.values.findLast((value) => value !== null) ?? null;
		return last === null ? [] : [{ curve, wanted: shareFromTop(scale, last) * height - labelPixels / 2 }];
	});
	const places = spreadLabels(
		labelled.map(({ wanted }) => wanted),
		labelPixels,
		height,
	);
	return (
		<div class="end-labels" aria-hidden="true">
			{labelled.map(({ curve: { key, name, look } }, index) => (
				<span key={key} style={{ top: `${places[index]}px`, color: `var(${seriesLook(look).colour})` }}>
					<CutName name={name} />
				</span>
			))}
		</div>
	);
}
