import { formatAge } from '#page/format/age.ts';
import { formatClock, formatUtc } from '#page/format/time.ts';
import { severityClass } from '#page/parts/alarm-mark.tsx';
import { sparklineOf } from '#page/parts/sparkline-path.ts';
import type { AlarmHour, HourSpan } from './alarm-hour.ts';
import type { AlarmRow } from './alarm-rows.ts';
import { conditionText } from './alarm-words.ts';
import { alarmText } from './texts.ts';

/** Properties of HourChart. `hour` is null until it was read. */
export interface HourChartProps {
	readonly row: AlarmRow;
	readonly hour: AlarmHour | null;
}

/** The last hour of an alarm: the curve, its threshold, where its condition held, and hatched where no value is known. */
export function HourChart({ row, hour }: HourChartProps) {
	const text = alarmText();
	const { alarm, unit } = row;
	const from = hour?.bounds[0] ?? 0;
	const to = hour?.bounds.at(-1) ?? 0;
	const shape = sparklineOf(hour?.values ?? [], alarm.threshold);
	const placeOf = (time: number): number => ((time - from) / (to - from)) * 100;
	const gaps =
		hour === null ? null : hour.gaps.map((gap) => ({ left: placeOf(gap.from), width: placeOf(gap.to) - placeOf(gap.from) }));
	return (
		<figure class={severityClass(alarm.severity)} aria-label={text.lastHour}>
			<div class="hour-plot">
				<svg class="alarm-hour" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
					{(hour?.held ?? []).map((span) => (
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
					<path class="curve" d={shape.path} />
				</svg>
				{gaps === null ? (
					<i class="gap" style={{ left: '0%', width: '100%' }} />
				) : (
					gaps.map(({ left, width }) => <i key={left} class="gap" style={{ left: `${left}%`, width: `${width}%` }} />)
				)}
			</div>
			{hour !== null && (
				<figcaption>
					<div class="timeline-foot">
						<span title={formatUtc(from)}>{formatClock(from)}</span>
						<span>{conditionText(alarm, unit)}</span>
						<span title={formatUtc(to)}>{formatClock(to)}</span>
					</div>
					<p class="field-hint">{hourText(hour)}</p>
				</figcaption>
			)}
		</figure>
	);
}

/** Returns the span in which the condition has held until the end of the hour; null where it does not hold there. */
export function heldSpan(hour: AlarmHour | null): HourSpan | null {
	const last = hour?.held.at(-1);
	return last !== undefined && last.to === hour?.bounds.at(-1) ? last : null;
}

function hourText({ values, held }: AlarmHour): string {
	const text = alarmText();
	if (values.every((value) => value === null)) return text.noHistory;
	return `${text.lastHour}: ${held.length === 0 ? text.neverHeld : text.held(formatAge(held.reduce((sum, { from, to }) => sum + to - from, 0)), held.length)}`;
}
