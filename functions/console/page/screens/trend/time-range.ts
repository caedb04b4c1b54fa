import { dayMs } from '#domain/milliseconds.ts';
import { maxHistoryDays } from '#domain/validation/input-limits.ts';

/** The time range that a trend shows. If `follows` is true, the range always ends at the present time. All times are epoch milliseconds. */
export type TimeRange =
	| { readonly follows: true; readonly lengthMs: number }
	| { readonly follows: false; readonly start: number; readonly end: number };

/** A start and an end. */
export interface TimeSpan {
	readonly start: number;
	readonly end: number;
}

/** The shortest range. No variable is sampled so often that a shorter range would show more. */
export const minLengthMs = 60_000;

/** The longest range that the service reads. */
export const maxLengthMs = maxHistoryDays * dayMs;

/** Returns the span of a range at the time `now`. */
export function spanOf(range: TimeRange, now: number): TimeSpan {
	return range.follows ? { start: now - range.lengthMs, end: now } : { start: range.start, end: range.end };
}

/** Returns the range between two times in any order. A range that would end in the future follows the present time. */
export function rangeBetween(a: number, b: number, now: number): TimeRange {
	const lengthMs = Math.round(Math.min(maxLengthMs, Math.max(minLengthMs, Math.abs(b - a))));
	const end = Math.round(Math.max(a, b));
	return end >= now ? { follows: true, lengthMs } : { follows: false, start: end - lengthMs, end };
}

/** By how much zooming in once multiplies the length of a range. */
export const zoomInFactor = 0.5;

/** By how much zooming out once multiplies the length of a range. */
export const zoomOutFactor = 2;

/** A time, and its place in the range after zooming as a share of the length: 0.5 is the middle. */
export interface Anchor {
	readonly time: number;
	readonly share: number;
}

/**
 * Multiplies the length of a range by `factor`. Without an anchor, the middle stays in place, except that a range that follows the
 * present time keeps following it. The range never ends in the future.
 */
export function zoomed(range: TimeRange, factor: number, anchor: Anchor | null, now: number): TimeRange {
	const { start, end } = spanOf(range, now);
	const lengthMs = Math.max(minLengthMs, (end - start) * factor);
	if (range.follows && anchor === null) return rangeBetween(now - lengthMs, now, now);
	const { time, share } = anchor ?? { time: (start + end) / 2, share: 0.5 };
	const zoomedStart = time - lengthMs * share;
	return rangeBetween(zoomedStart, zoomedStart + lengthMs, now);
}

/** Moves a range by a share of its length: a negative share into the past. It never ends in the future. */
export function panned(range: TimeRange, share: number, now: number): TimeRange {
	const { start, end } = spanOf(range, now);
	const stepMs = (end - start) * share;
	return rangeBetween(start + stepMs, end + stepMs, now);
}

/** The units of lengths in addresses with their milliseconds, the longest first. */
const units = [
	['d', 86_400_000],
	['h', 3_600_000],
	['m', 60_000],
	['s', 1000],
] as const;

/** Formats a length of time for an address: `24h`, `90m`, `7d`. Fractions of a second are dropped. */
export function lengthText(lengthMs: number): string {
	// The length of one day is written in hours: `24h`.
	const [unit, unitMs] = units.find(([name, ms]) => lengthMs % ms === 0 && (name !== 'd' || lengthMs > ms)) ?? ['s', 1000];
	return `${Math.round(lengthMs / unitMs)}${unit}`;
}

/** Parses a text that `lengthText` wrote. Returns null for any other text, and for a length that is not allowed. */
export function parseLength(text: string): number | null {
	const [, count, name] = /^(\d{1,9})([dhms])$/.exec(text) ?? [];
	const [, unitMs] = units.find(([unitName]) => unitName === name) ?? [];
	if (count === undefined || unitMs === undefined) return null;
	const lengthMs = Number(count) * unitMs;
	return lengthMs >= minLengthMs && lengthMs <= maxLengthMs ? lengthMs : null;
}
