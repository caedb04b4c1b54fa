import { useLayoutEffect, useRef } from 'preact/hooks';
import { severityNumbers } from '#page/core/severity.ts';
import { formatAge } from '#page/format/age.ts';
import { formatExact, formatNumber } from '#page/format/number.ts';
import { AlarmMark, severityClass } from '#page/parts/alarm-mark.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { type Gap, gapsMs } from './gaps.ts';
import { drawPane, paneMargin } from './pane-chart.ts';
import { seriesLook } from './series-look.ts';
import { trendText } from './texts.ts';
import { middleOf, type Pane, type PaneLimit } from './trend-model.ts';
import type { PlotSize } from './use-plot-size.ts';
import { shareFromTop, spreadLabels } from './value-scale.ts';

interface PlotPaneProps {
	readonly pane: Pane;
	readonly bounds: readonly number[];
	readonly ticks: readonly number[];
	readonly size: PlotSize;
	/** The window of the crosshair. */
	readonly index: number | null;
}

/** The height of a label at the end of a line, in rem. */
const labelHeight = 1;

/** The least share of the width of a gap that has words. */
const wordShare = 0.04;

/** The curves of one unit, with their scale, thresholds, labels at the ends, and the lane of their quality. */
export function PlotPane({ pane, bounds, ticks, size, index }: PlotPaneProps) {
	const host = useRef<HTMLDivElement>(null);
	const { axisWidth, plotWidth, paneHeight } = size;
	useLayoutEffect(() => {
		if (host.current === null || plotWidth <= 0) return undefined;
		const { decimals } = pane.scale;
		return drawPane(host.current, {
			pane,
			bounds,
			ticks,
			formatTick: (value) => formatNumber(value, decimals),
			width: axisWidth + plotWidth,
			height: paneHeight,
			axisWidth,
		});
	}, [pane, bounds, size, ticks.join()]);
	return (
		<div class="pane">
			<p class="plot-unit">{pane.unit}</p>
			<div class="pane-curves" style={{ height: `${paneHeight}px` }}>
				<div class="pane-canvas" ref={host} aria-hidden="true" />
				<div class="pane-over" style={{ insetBlock: `${paneMargin}px` }}>
					{pane.limits.map((limit) => (
						<Limit key={limit.alarm.id} limit={limit} pane={pane} />
					))}
					{pane.curves.flatMap((curve) =>
						curve.gaps.map((gap) => (
							<GapWords
								key={`${curve.key} ${gap.from}`}
								gap={gap}
								bounds={bounds}
								name={pane.curves.length > 1 ? curve.name : null}
							/>
						)),
					)}
					{index !== null && <Dots pane={pane} bounds={bounds} index={index} />}
				</div>
				<EndLabels pane={pane} height={paneHeight - 2 * paneMargin} />
			</div>
			<QualityLane pane={pane} bounds={bounds} />
		</div>
	);
}

function Limit({ limit: { alarm, place }, pane }: { readonly limit: PaneLimit; readonly pane: Pane }) {
	const text = trendText();
	const share = place === 'above' ? 0 : place === 'below' ? 1 : shareFromTop(pane.scale, alarm.threshold);
	const hint = place === 'above' ? `, ${text.limitAbove}` : place === 'below' ? `, ${text.limitBelow}` : '';
	return (
		<div class={`limit ${place} ${severityClass(alarm.severity)}`} style={{ top: percent(share) }}>
			<span class={share > 0.85 ? 'up' : undefined}>
				<AlarmMark severity={alarm.severity} state={alarm.active === true ? 'active_acknowledged' : 'normal'} small />
				{`${severityNumbers[alarm.severity]} ${alarm.name}, ${alarm.condition} ${formatExact(alarm.threshold)} ${pane.unit}${hint}`}
			</span>
		</div>
	);
}

interface GapWordsProps {
	readonly gap: Gap;
	readonly bounds: readonly number[];
	/** The name of the curve where there are several. */
	readonly name: string | null;
}

function GapWords({ gap, bounds, name }: GapWordsProps) {
	const { left, width } = placeOf(gap, bounds);
	if (width < wordShare) return null;
	const text = trendText();
	const age = formatAge(gapsMs([gap], bounds));
	return (
		<span class={left + width / 2 > 0.6 ? 'gap-words end' : 'gap-words'} style={{ left: percent(left), width: percent(width) }}>
			<span>
				<Icon name={`q-${gap.kind}`} />
				{`${name === null ? '' : `${name}: `}${gap.kind === 'bad' ? text.bad(age) : text.noData(age)}`}
			</span>
		</span>
	);
}

/** The points of the crosshair. */
function Dots({ pane, bounds, index }: { readonly pane: Pane; readonly bounds: readonly number[]; readonly index: number }) {
	const [start, end] = [bounds[0] ?? 0, bounds.at(-1) ?? 1];
	return pane.curves.map(({ key, look, values }) => {
		const value = values[index] ?? null;
		if (value === null) return null;
		const left = percent((middleOf(bounds, index) - start) / (end - start));
		const top = percent(shareFromTop(pane.scale, value));
		return <i key={key} class="plot-dot" style={{ left, top, borderColor: `var(${seriesLook(look).colour})` }} />;
	});
}

/** The names of the curves, each as near to the end of its line as the others allow. */
function EndLabels({ pane, height }: { readonly pane: Pane; readonly height: number }) {
	const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
	const labelled = pane.curves.flatMap((curve) => {
		const last = curve.values.findLast((value) => value !== null);
		return last === undefined || last === null ? [] : [{ curve, wanted: shareFromTop(pane.scale, last) * height }];
	});
	const step = labelHeight * rem;
	const places = spreadLabels(
		labelled.map(({ wanted }) => wanted - step / 2),
		step,
		height + 2 * paneMargin,
	);
	return (
		<div class="end-labels" aria-hidden="true" style={{ top: `${paneMargin}px` }}>
			{labelled.map(({ curve: { key, name, look } }, index) => (
				<span key={key} title={name} style={{ top: `${places[index]}px`, color: `var(${seriesLook(look).colour})` }}>
					{name}
				</span>
			))}
		</div>
	);
}

/** Where the pane's curves have no value. What is bad is also higher than what is missing. */
function QualityLane({ pane, bounds }: { readonly pane: Pane; readonly bounds: readonly number[] }) {
	const text = trendText();
	return (
		<div class="quality-lane">
			{pane.curves.flatMap(({ key, name, gaps }) =>
				gaps.map((gap) => {
					const { left, width } = placeOf(gap, bounds);
					const age = formatAge(gapsMs([gap], bounds));
					const title = `${name}: ${gap.kind === 'bad' ? text.bad(age) : text.noData(age)}`;
					return (
						<i key={`${key} ${gap.from}`} class={gap.kind} title={title} style={{ left: percent(left), width: percent(width) }} />
					);
				}),
			)}
		</div>
	);
}

/** Returns where windows are, as shares of the width. */
export function placeOf({ from, to }: Pick<Gap, 'from' | 'to'>, bounds: readonly number[]) {
	const [start, end] = [bounds[0] ?? 0, bounds.at(-1) ?? 1];
	const [left, right] = [bounds[from] ?? start, bounds[to] ?? end];
	return { left: (left - start) / (end - start), width: (right - left) / (end - start) };
}

/** Formats a share for a style. */
export function percent(share: number): string {
	return `${100 * share}%`;
}
