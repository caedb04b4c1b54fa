import type { Severity } from '#page/core/severity.ts';
import { severityClass } from './alarm-mark.tsx';
import { type BarContent, barGeometryOf } from './bar-geometry.ts';

/** Properties of RangeBar. The excess has the colour of the severity. */
export interface RangeBarProps extends BarContent {
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
