import { dayMs, minuteMs } from '#domain/milliseconds.ts';
import { chosenDecimals } from '#page/core/chosen-decimals.ts';
import { decimalsOf, decimalsOfVariable } from '#page/core/decimals.ts';
import { type Gap, gapsMs } from '#page/core/past/windows.ts';
import { formatNumber, noNumber } from '#page/format/number.ts';
import { formatAge, formatClock, formatDate, formatDateTime } from '#page/format/time.ts';
import { stateWords } from '#page/i18n/state-words.ts';
import { type Comparison, comparedTime } from './comparison.ts';
import { trendText } from './texts.ts';
import type { TimeSpan } from './time-range.ts';
import { type Curve, isCurve, type Strip, type TrendModel } from './trend-model.ts';

/** The length of the day on which clocks go forward: 23 h. */
const shortDayMs = 82_800_000;

/** Formats a value of a line for legend and table, without its unit. A state is a word, or the share of the window in which it was on. */
export function formatLineValue(line: Curve | Strip, value: number | null): string {
	if (value === null) return noNumber;
	if (isCurve(line)) return formatNumber(value, { decimals: curveDecimals(line) });
	const { on, off } = stateWords().state;
	if (value === 1) return on;
	return value === 0 ? off : trendText().share(formatShare(value));
}

/** Formats a share in whole percent. Only a share of exactly 1 or 0 is written as 100 or 0. */
export function formatShare(share: number): string {
	const percent = Number.isInteger(share) ? share * 100 : Math.min(99, Math.max(1, share * 100));
	return formatNumber(percent, { decimals: 0 });
}

/** Formats a gap: its kind, and how long it lasted. */
export function formatGap(gap: Gap, bounds: readonly number[]): string {
	const { bad, noData } = trendText();
	const age = formatAge(gapsMs([gap], bounds));
	return gap.kind === 'bad' ? bad(age) : noData(age);
}

/** Returns the decimals of a curve's values. Means of whole numbers need decimals, too. */
function curveDecimals({ varId, values }: Curve): number {
	return chosenDecimals(varId) ?? Math.max(decimalsOfVariable(varId), decimalsOf(values));
}

/** Formats a window: `10:22–10:32`. In a range of more than a day the day of its start comes first. A window of a day or more is a span. */
export function formatWindow(bounds: readonly number[], index: number): string {
	const [start, end] = [bounds[index] ?? 0, bounds[index + 1] ?? 0];
	if (end - start >= shortDayMs) return formatSpan({ start, end });
	const seconds = end - start < minuteMs;
	const clock = (time: number): string => formatClock(time, { seconds });
	return `${isLong(bounds) ? `${formatDate(start)} ` : ''}${clock(start)}–${clock(end)}`;
}

/** Formats the start of a window for a row of a table. */
export function formatWindowStart(bounds: readonly number[], index: number): string {
	const start = bounds[index] ?? 0;
	if (isLong(bounds)) return `${formatDate(start)} ${formatClock(start)}`;
	// The first window may be cut off by the start of the range, so the second one tells how long windows are.
	const [from = start, to = from + minuteMs] = bounds.slice(bounds.length > 2 ? 1 : 0);
	return formatClock(start, { seconds: to - from < minuteMs });
}

/** Formats a span: `20 Nov 16:12 – 21 Nov 16:12`. */
export function formatSpan({ start, end }: TimeSpan): string {
	return `${formatDateTime(start)} – ${formatDateTime(end)}`;
}

/** Returns the name of the compared range, for a range that begins at `start`: `Day before`, `From 20 Nov 14:00`. */
export function comparisonName(comparison: Comparison, start: number): string {
	const { dayBefore, weekBefore, rangeFrom } = trendText();
	if (comparison === 'day') return dayBefore;
	const at = comparedTime(comparison, start);
	return comparison === 'week' ? weekBefore : rangeFrom(formatDateTime(at));
}

/** Formats the length of the windows. */
export function formatPeriod({ count, unit }: TrendModel['period']): string {
	const { days, months, years } = trendText();
	const words = { ms: 'ms', s: 's', m: 'min', h: 'h', d: days, mo: months, y: years };
	return `${count} ${words[unit]}`;
}

/** Whether the range is longer than a day, so that times need their day. */
function isLong(bounds: readonly number[]): boolean {
	return (bounds.at(-1) ?? 0) - (bounds[0] ?? 0) > dayMs;
}
