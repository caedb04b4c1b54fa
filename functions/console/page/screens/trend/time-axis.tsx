import { formatClock, formatDay, formatMonth, formatUtc } from '#page/format/time.ts';
import { percent } from './plot-places.ts';
import type { TimeTicks } from './time-ticks.ts';

interface TimeAxisProps {
	readonly start: number;
	readonly end: number;
	readonly ticks: TimeTicks;
}

/** The labels of time below all panes. The first label of each day also names it. */
export function TimeAxis({ start, end, ticks: { unit, times } }: TimeAxisProps) {
	return (
		<div class="time-axis" aria-hidden="true">
			{times.map((time, index) => {
				const day = formatDay(time);
				const before = times[index - 1];
				const names = unit === 'minute' && (before === undefined || formatDay(before) !== day);
				return (
					<span key={time} title={formatUtc(time)} style={{ left: percent((time - start) / (end - start)) }}>
						{unit === 'minute' ? formatClock(time) : unit === 'day' ? day : formatMonth(time)}
						{names && <small>{day}</small>}
					</span>
				);
			})}
		</div>
	);
}
