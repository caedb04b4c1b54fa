import { bandPath, curvePath, lonePointsPath } from '#page/core/past/curve-path.ts';
import { shareFromTop } from '#page/core/past/round-scale.ts';
import { seriesLook } from './series-look.ts';
import { middleOf, type Pane } from './trend-model.ts';

interface PaneCurvesProps {
	readonly pane: Pane;
	readonly bounds: readonly number[];
	/** Times of the vertical lines, epoch milliseconds. */
	readonly ticks: readonly number[];
}

/** The drawing's own width and height. It is stretched over the pane; lines keep their width. */
const size = 1000;

/** The curves of a pane with their bands, over the lines of both axes. */
export function PaneCurves({ pane: { curves, scale }, bounds, ticks }: PaneCurvesProps) {
	const [start, end] = [bounds[0] ?? 0, bounds.at(-1) ?? 1];
	const at = (time: number): number => (size * (time - start)) / (end - start);
	const places = {
		x: (index: number): number => at(middleOf(bounds, index)),
		y: (value: number): number => size * shareFromTop(scale, value),
	};
	const grid = [...ticks.map((time) => `M${at(time)} 0V${size}`), ...scale.ticks.map((tick) => `M0 ${places.y(tick)}H${size}`)];
	return (
		<svg class="curves" viewBox={`0 0 ${size} ${size}`} preserveAspectRatio="none" aria-hidden="true">
			<path class="grid" d={grid.join('')} />
			<path class="axis" d={`M0 0V${size}`} />
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
