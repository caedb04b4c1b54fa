import uPlot from 'uplot';
import { drawnColumn } from './gaps.ts';
import { seriesLook } from './series-look.ts';
import { middleOf, type Pane } from './trend-model.ts';

/** What a pane's canvas shows. Sizes are CSS pixels. */
export interface PaneChart {
	readonly pane: Pane;
	readonly bounds: readonly number[];
	/** Times of the vertical lines, epoch milliseconds. */
	readonly ticks: readonly number[];
	readonly formatTick: (value: number) => string;
	readonly width: number;
	readonly height: number;
	/** Width of the axis at the left. */
	readonly axisWidth: number;
}

/** The room above and below the scale, for the halves of the first and the last label. CSS pixels. */
export const paneMargin = 8;

/** Draws a pane into an element. uPlot draws curves, bands and the vertical axis; marks and words are elements over it. Returns a function that removes it. */
export function drawPane(host: HTMLElement, chart: PaneChart): () => void {
	const styles = getComputedStyle(host);
	const colourOf = (name: string): string => styles.getPropertyValue(name).trim();
	const { pane, bounds, ticks, axisWidth } = chart;
	const times = bounds.slice(1).map((_, index) => middleOf(bounds, index));
	const columns: (number | null | undefined)[][] = [];
	const series: uPlot.Series[] = [{}];
	const bands: uPlot.Band[] = [];
	for (const { values, band, gaps, look } of pane.curves) {
		const { colour, dash } = seriesLook(look);
		const stroke = colourOf(colour);
		if (band !== null) {
			columns.push(drawnColumn(band.high, gaps), drawnColumn(band.low, gaps));
			bands.push({ series: [series.length, series.length + 1], fill: `color-mix(in srgb, ${stroke} 22%, transparent)` });
			series.push(edge(), edge());
		}
		columns.push(drawnColumn(values, gaps));
		// Without points, uPlot still marks a value between two gaps: a line of one point would not be seen.
		series.push({
			stroke,
			width: 1.75,
			dash: [...dash],
			scale: 'y',
			points: { show: () => false, size: 4, width: 0, fill: stroke },
		});
	}
	const { min, max } = pane.scale;
	const line = { stroke: colourOf('--line'), width: 1 };
	const plot = new uPlot(
		{
			width: chart.width,
			height: chart.height,
			padding: [paneMargin, 0, paneMargin, 0],
			legend: { show: false },
			cursor: { show: false },
			scales: {
				x: { time: false, range: () => [bounds[0] ?? 0, bounds.at(-1) ?? 1] },
				y: { range: () => [min, max] },
			},
			axes: [
				{ size: 0, splits: () => [...ticks], values: () => ticks.map(() => ''), grid: line, ticks: { show: false } },
				{
					scale: 'y',
					size: axisWidth,
					gap: 4,
					font: `${styles.fontSize} ${styles.fontFamily}`,
					stroke: colourOf('--ink-3'),
					splits: () => [...pane.scale.ticks],
					values: (_, splits) => splits.map(chart.formatTick),
					grid: line,
					ticks: { show: false },
					border: { show: true, stroke: colourOf('--edge'), width: 1 },
				},
			],
			series,
			bands,
		},
		[times, ...columns],
		host,
	);
	return () => plot.destroy();
}

/** One edge of a band: it has a place and no line. */
function edge(): uPlot.Series {
	return { scale: 'y', points: { show: false }, width: 0 };
}
