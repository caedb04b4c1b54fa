import { instantOf, localTimeAt } from '#domain/calendar/local-time.ts';
import type { History } from '#page/core/past/read-history.ts';
import { ownPeriodMs } from '#page/core/past/windows.ts';
import { viewZone } from '#page/core/time-zone.ts';
import { lengthText, parseLength, type TimeSpan } from './time-range.ts';

/**
 * With what a range is compared: with the same time of the day before or of the week before, or with the range that began so many
 * milliseconds earlier; a negative number is a later range.
 */
export type Comparison = 'day' | 'week' | number;

/** The history of a compared range. */
export interface ComparedHistory {
	readonly comparison: Comparison;
	readonly history: History;
}

const dayMs = 86_400_000;
const days = { day: 1, week: 7 } as const;

/** Returns the time, epoch milliseconds, with which a time is compared. A day earlier has the same time on the clock of the view. */
export function comparedTime(comparison: Comparison, time: number): number {
	if (typeof comparison === 'number') return time - comparison;
	const zone = viewZone();
	return instantOf(localTimeAt(time, zone) - days[comparison] * dayMs, zone);
}

/** Returns the span with which a span is compared. */
export function comparedSpan(comparison: Comparison, { start, end }: TimeSpan): TimeSpan {
	return { start: comparedTime(comparison, start), end: comparedTime(comparison, end) };
}

/**
 * Returns for each window of a history the window of the compared one that has the time of its middle; -1 where none has. Returns null
 * where windows are longer than what is between the two ranges: they would be compared with themselves.
 */
export function comparedWindows({ bounds, period }: History, { comparison, history }: ComparedHistory): readonly number[] | null {
	const apartMs = Math.abs(typeof comparison === 'number' ? comparison : days[comparison] * dayMs);
	if (apartMs < Math.max(ownPeriodMs({ period }), ownPeriodMs(history))) return null;
	return bounds.slice(1).map((end, index) => {
		const time = comparedTime(comparison, ((bounds[index] ?? end) + end) / 2);
		const window = history.bounds.findLastIndex((bound) => bound <= time);
		return window < history.bounds.length - 1 ? window : -1;
	});
}

/** Formats a comparison for an address: `day`, `week`, `36h`, `-90m`. */
export function comparisonText(comparison: Comparison): string {
	if (typeof comparison === 'string') return comparison;
	return `${comparison < 0 ? '-' : ''}${lengthText(Math.abs(comparison))}`;
}

/** Parses what `comparisonText` wrote; null where the text is none. */
export function parseComparison(text: string): Comparison | null {
	if (text === 'day' || text === 'week') return text;
	const lengthMs = parseLength(text.replace(/^-/, ''));
	return lengthMs === null ? null : text.startsWith('-') ? -lengthMs : lengthMs;
}

/** Returns the comparison of a span with the one that begins at `start`, to the second; null where they are less than a minute apart. */
export function comparisonFrom(start: number, span: TimeSpan): Comparison | null {
	return parseComparison(comparisonText(1000 * Math.round((span.start - start) / 1000)));
}
