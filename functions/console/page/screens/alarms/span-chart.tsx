import type { ComponentChildren } from 'preact';
import { dayMs } from '#domain/milliseconds.ts';
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
	/** Returns the place of a time in percent of the width. */
	const placeOf = (time: number): number => Math.min(1, Math.max(0, scaleFraction(time, from, to))) * 100;
	const partOf = (span: PastSpan) => ({
		left: placeOf(span.from),
		width: placeOf(span.to) - placeOf(span.from),
	});
	const hatched = past === null ? [{ left: 0, width: 100 }] : gaps.map(partOf);
	// In a longer chart, the times at its ends need their day.
	const formatEnd = to - from > dayMs ? formatDateTime : formatClock;
	return (
		<figure class={severityClass(severity)} aria-label={label}>
			<div class="hour-plot">
				<svg class="alarm-hour" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
					{spans.map((span) => {
						const { left, width } = partOf(span);
						return <rect key={span.from} class="raised" x={left} y={0} width={width} height={100} />;
					})}
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
						<span title={formatUtc(from)}>{formatEnd(from)}</span>
						<span>{caption}</span>
						<span title={formatUtc(to)}>{formatEnd(to)}</span>
					</div>
				)}
				{children}
			</figcaption>
		</figure>
	);
}
