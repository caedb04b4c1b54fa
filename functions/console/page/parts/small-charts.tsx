import type { Severity } from '#page/core/alarm-state.ts';
import type { WindowState } from '#page/core/past/window-states.ts';
import type { BandedWindows } from '#page/core/past/windows.ts';
import { severityClass } from './alarm-mark.tsx';
import { type BarContent, barGeometryOf } from './bar-geometry.ts';
import { sparklineOf } from './sparkline-path.ts';
import { stripSegmentsOf } from './strip-segments.ts';

interface SparklineProps {
	/** At even distances, oldest first, null where there is none. */
	readonly past: Pick<BandedWindows, 'values' | 'band'>;
	readonly limit?: number | null | undefined;
	/** What its height stands for at least, in the unit of the values. */
	readonly leastSpan?: number | undefined;
}

/** A small trend with all that happened between its values: gaps stay gaps, the newest value has a dot, a missing end is hatched. */
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

/** On and off over time as blocks, at half the height where both were; what is unknown is hatched. Of even length, oldest first. */
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
	/** The colour of the excess. */
	readonly severity?: Severity | undefined;
}

/** Where a value stands on its scale. Hidden from screen readers: number, limits and alarm stand in words beside it. */
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
