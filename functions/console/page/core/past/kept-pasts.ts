import { hourMs, minuteMs } from '#domain/milliseconds.ts';
import { noteValues } from '../decimals.ts';
import { createPastStore } from './past-store.ts';
import { type ValueRange, valueRangeOf } from './value-range.ts';
import { type BandedWindows, knownWindows } from './windows.ts';

/** For tiles: the last hour in windows of one minute. Read again every minute while a tile is in view. */
export const tileHour = createPastStore<BandedWindows>({
	spanMs: hourMs,
	points: pointsOf(hourMs, minuteMs),
	aggregates: ['own', 'min', 'max'],
	renewMs: minuteMs,
	pastOf: (history, bounds) => {
		noteValues(history.id, history.unit, history.values.own ?? []);
		return knownWindows(history, bounds);
	},
});

/**
 * For tiles: the smallest and largest value of the last 24 hours, from windows of 15 minutes; null without values. They change slowly, so
 * they are read only every 15 minutes.
 */
export const tileDay = createPastStore<ValueRange | null>({
	spanMs: 24 * hourMs,
	points: pointsOf(24 * hourMs, 15 * minuteMs),
	aggregates: ['own', 'min', 'max'],
	renewMs: 15 * minuteMs,
	pastOf: (history) => {
		const range = valueRangeOf(history);
		if (range !== null) noteValues(history.id, history.unit, [range.from, range.to]);
		return range;
	},
});

/**
 * For pumps: the last 24 hours in windows of one minute, with the value at the end of each. Read again every two minutes. They are shown as
 * states, so their values decide no decimals.
 */
export const pumpDay = createPastStore<BandedWindows>({
	spanMs: 24 * hourMs,
	points: pointsOf(24 * hourMs, minuteMs),
	aggregates: ['own', 'last', 'min', 'max'],
	renewMs: 2 * minuteMs,
	pastOf: (history, bounds) => knownWindows(history, bounds, 'last'),
});

/**
 * For alarms: the last hour in windows of 10 s, with the value at the end of each. Read again every minute. They are shown as a curve without
 * numbers, so their values decide no decimals.
 */
export const alarmHour = createPastStore<BandedWindows>({
	spanMs: hourMs,
	points: pointsOf(hourMs, 10_000),
	aggregates: ['own', 'last', 'min', 'max'],
	renewMs: minuteMs,
	pastOf: (history, bounds) => knownWindows(history, bounds, 'last'),
});

/**
 * Returns the most windows that a request of a span asks for, so that the service chooses windows of this length. A span that begins within
 * a window has one more, and one is in reserve.
 */
function pointsOf(spanMs: number, windowMs: number): number {
	return spanMs / windowMs + 2;
}
