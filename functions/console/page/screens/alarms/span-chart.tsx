import type { ComponentChildren } from 'preact';
import type { Severity } from '#page/core/alarm-state.ts';
import { scaleFraction } from '#page/core/past/value-range.ts';
import type { BandedWindows } from '#page/core/past/windows.ts';
import { formatClock, formatDateTime, formatUtc } from '#page/format/time.ts';
import { severityClass } from '#page/parts/alarm-mark.tsx';
import { sparklineOf } from '#page/parts/sparkline-path.ts';
import type { PastSpan } from './watched-past.ts';

/** Times are epoch milliseconds. The values of `past` are spaced evenly from `from` to `to`. */
interface SpanChartProps {
	readonly label: string;
	readonly severity: Severity;
	readonly from: number;
	readonly to: number;
	/** Null until it was read. */
	readonly past: Pick<BandedWindows, 'values' | 'band'> | null;
	readonly threshold: number;
	/** Spans that are drawn in the colour of the severity. */
	readonly spans: readonly PastSpan[];
	/** Spans without a value. */
	readonly gaps: readonly PastSpan[];
	/** A time that is marked with a line; null for none. */
	readonly mark: number | null;
	/** The words below the middle of the chart. */
	readonly caption: string;
	readonly children?: ComponentChildren;
}

/** A curve with its threshold. Spans of an alarm are drawn over it, and spans without a value are hatched. */
export function SpanChart({ label, severity, from, to, past, threshold, spans, gaps, mark, caption, children }: SpanChartProps) {
	const shape = sparklineOf(past?.values ?? [], { band: past?.band, limit: threshold });
	const placeOf = (time: number): number => Math.min(1, Math.max(0, scaleFraction(time, from, to))) * 100;
	const partOf = (gap: PastSpan) => ({
		left: placeOf(gap.from),
		width: placeOf(gap.to) - placeOf(gap.from),
	});
	const hatched = past === null ? [{ left: 0, width: 100 }] : gaps.map(partOf);
	const format = to - from > 86_400_000 ? formatDateTime : formatClock;
	return (
		<figure class={severityClass(severity)} aria-label={label}>
			<div class="hour-plot">
				<svg class="alarm-hour" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
					{spans.map((span) => (
						<rect
							key={span.from}
							class="raised"
							x={placeOf(span.from)}
							y={0}
							width={placeOf(span.to) - placeOf(span.from)}
							height={100}
						/>
					))}
					{shape.limitY !== null && <path class="threshold" d={`M0 ${shape.limitY}H100`} />}
					{shape.band !== '' && <path class="band" d={shape.band} />}
					<path class="curve" d={shape.path} />
					{mark !== null && <path class="mark" d={`M${placeOf(mark)} 0V100`} />}
				</svg>
				{hatched.map(({ left, width }) => (
					<i key={left} class="gap" style={{ left: `${left}%`, width: `${width}%` }} />
				))}
			</div>
			<figcaption>
				{past !== null && (
					<div class="timeline-foot">
						<span title={formatUtc(from)}>{format(from)}</span>
						<span>{caption}</span>
						<span title={formatUtc(to)}>{format(to)}</span>
					</div>
				)}
				{children}
			</figcaption>
		</figure>
	);
}
