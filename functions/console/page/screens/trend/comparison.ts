import { instantOf, localTimeAt } from '#domain/calendar/local-time.ts';
import { dayMs, secondMs } from '#domain/milliseconds.ts';
import type { History } from '#page/core/past/read-history.ts';
import { ownPeriodMs } from '#page/core/past/windows.ts';
import { viewZone } from '#page/core/time-zone.ts';
import { lengthText, parseLength, type TimeSpan } from './time-range.ts';

/**
 * The distance to the range that the shown range is compared with: a day or a week earlier by local time, or a number of milliseconds
 * earlier. A negative number means a later range.
 */
export type Comparison = 'day' | 'week' | number;

/** The history of a compared range. */
export interface ComparedHistory {
	readonly comparison: Comparison;
	readonly history: History;
}

/** How many days earlier a compared range is. */
const daysEarlier = { day: 1, week: 7 } as const;

/** Returns the compared time of a time, both in epoch milliseconds. A day or a week earlier has the same local time in the zone of the view. */
export function comparedTime(comparison: Comparison, time: number): number {
	if (typeof comparison === 'number') return time - comparison;
	const zone = viewZone();
	return instantOf(localTimeAt(time, zone) - daysEarlier[comparison] * dayMs, zone);
}

/** Returns the span that a span is compared with. */
export function comparedSpan(comparison: Comparison, { start, end }: TimeSpan): TimeSpan {
	return { start: comparedTime(comparison, start), end: comparedTime(comparison, end) };
}

/**
 * Returns the compared window for each window of a history: the one that contains the compared time of its middle, or -1 without one.
 * Returns null if windows are longer than the distance of the ranges, because a window would be compared with itself.
 */
export function comparedWindows({ bounds, period }: History, { comparison, history }: ComparedHistory): readonly number[] | null {
	const distanceMs = Math.abs(typeof comparison === 'number' ? comparison : daysEarlier[comparison] * dayMs);
	if (distanceMs < Math.max(ownPeriodMs({ period }), ownPeriodMs(history))) return null;
	return bounds.slice(1).map((end, index) => {
		const time = comparedTime(comparison, ((bounds[index] ?? end) + end) / 2);
		const window = history.bounds.findLastIndex((bound) => bound <= time);
		// After its last bound the compared history has no window.
		return window < history.bounds.length - 1 ? window : -1;
	});
}

/** Formats a comparison for an address: `day`, `week`, `36h`, `-90m`. */
export function comparisonText(comparison: Comparison): string {
	if (typeof comparison === 'string') return comparison;
	return `${comparison < 0 ? '-' : ''}${lengthText(Math.abs(comparison))}`;
}

/** Parses a text that `comparisonText` wrote; null for any other text. */
export function parseComparison(text: string): Comparison | null {
	if (text === 'day' || text === 'week') return text;
	const isLater = text.startsWith('-');
	const lengthMs = parseLength(isLater ? text.slice(1) : text);
	if (lengthMs === null) return null;
	return isLater ? -lengthMs : lengthMs;
}

/**
 * Returns the comparison of a span with the span that begins at `start`, in whole seconds. Null if they begin less than a minute apart. The
 * compared span begins less than a second after `start`, never before, so that it is shown with the minute of `start`.
 */
export function comparisonFrom(start: number, span: TimeSpan): Comparison | null {
	const roundedMs = secondMs * Math.floor((span.start - start) / secondMs);
	// Writing and parsing it applies the limits of lengths, a minute and ten years, as its address does.
	return parseComparison(comparisonText(roundedMs));
}
