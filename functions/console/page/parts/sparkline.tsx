import { sparklineOf } from './sparkline-path.ts';

/** Properties of Sparkline: values at even distances, oldest first, null where there is none. `label` says it for screen readers. */
export interface SparklineProps {
	readonly values: readonly (number | null)[];
	readonly limit?: number | null | undefined;
	/** What its height stands for at least, in the unit of the values. */
	readonly leastSpan?: number | undefined;
	readonly label?: string | undefined;
}

/** A small trend: gaps stay gaps, the newest value has a dot, and a missing end is hatched. */
export function Sparkline({ values, limit = null, leastSpan, label }: SparklineProps) {
	const { path, end, missingFrom, limitY } = sparklineOf(values, limit, leastSpan);
	return (
		<span class="sparkline">
			{label !== undefined && <span class="sr">{label}</span>}
			<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
				{limitY !== null && <path class="limit" d={`M0 ${limitY}H100`} />}
				<path d={path} />
			</svg>
			{end !== null && <i class="dot" style={{ left: `${end.x}%`, top: `${end.y}%` }} />}
			{missingFrom !== null && <i class="missing" style={{ left: `${missingFrom}%` }} />}
		</span>
	);
}
