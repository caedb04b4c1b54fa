import type { Severity } from '#page/core/alarm-state.ts';
import type { WindowState } from '#page/core/past/window-states.ts';
import type { BandedWindows } from '#page/core/past/windows.ts';
import { severityClass } from './alarm-mark.tsx';
import { type BarContent, barGeometryOf } from './bar-geometry.ts';
import { sparklineOf } from './sparkline-path.ts';
import { stripSegmentsOf } from './strip-segments.ts';

interface SparklineProps {
	/** The values at even distances, oldest first; null where there is none. */
	readonly past: Pick<BandedWindows, 'values' | 'band'>;
	readonly limit?: number | null | undefined;
	/** The least range of values over the height, in the unit of the values. */
	readonly leastSpan?: number | undefined;
}

/** A small trend line. A gap in the values is a gap in the line, the newest value has a dot, and missing values at the end are hatched. */
export function Sparkline({ past: { values, band }, limit = null, leastSpan }: SparklineProps) {
	const shape = sparklineOf(values, { band, limit, leastSpan });
	return (
		<span class="sparkline">
			<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
				{shape.limitY !== null && <path class="limit" d={`M0 ${shape.limitY}H100`} />}
				{shape.band !== '' && <path class="band" d={shape.band} />}
				<path d={shape.path} />
			</svg>
			{shape.end !== null && <i class="dot" style={{ left: `${shape.end.x}%`, top: `${shape.end.y}%` }} />}
			{shape.missingFrom !== null && <i class="missing" style={{ left: `${shape.missingFrom}%` }} />}
		</span>
	);
}

/**
 * Shows when a state was on, as blocks, oldest first. A block is of half height where the state was both on and off, and hatched where it
 * is unknown. All states have the same width.
 */
export function StateStrip({ states }: { readonly states: readonly (WindowState | null)[] }) {
	return (
		<span class="strip">
			{stripSegmentsOf(states).map(({ state, from, to }) => (
				<i key={from} class={state} style={{ left: `${from}%`, width: `${to - from}%` }} />
			))}
		</span>
	);
}

interface RangeBarProps extends BarContent {
	/** The severity that colours the part beyond the limit. It may be left out where no limit is exceeded. */
	readonly severity?: Severity | undefined;
}

/** A bar that shows where a value is on its scale. It is hidden from screen readers, because number, limits and alarm are in words beside it. */
export function RangeBar({ severity = 'critical', ...content }: RangeBarProps) {
	const geometry = barGeometryOf(content);
	if (geometry === null) return null;
	const { pointer, band, limits, excess } = geometry;
	return (
		<span class="range-bar" aria-hidden="true">
			{band !== null && <i class="band" style={{ left: `${band.left}%`, width: `${band.width}%` }} />}
			{excess !== null && (
				<i class={`excess ${severityClass(severity)}`} style={{ left: `${excess.left}%`, width: `${excess.width}%` }} />
			)}
			{limits.map((limit) => (
				<i key={limit} class="limit" style={{ left: `${limit}%` }} />
			))}
			{pointer !== null && <i class="pointer" style={{ left: `${pointer}%` }} />}
		</span>
	);
}
