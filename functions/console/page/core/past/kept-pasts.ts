import { hourMs, minuteMs } from '#domain/milliseconds.ts';
import { noteValues } from '../decimals.ts';
import { createPastStore } from './past-store.ts';
import { rangeOf, type ValueRange } from './value-range.ts';
import { type BandedWindows, knownWindows } from './windows.ts';

// `points` below is the number of windows in a span, plus one where the span begins within a window, plus one in reserve.

/** For tiles: the last hour in windows of one minute. Read again every minute while a tile is in view. */
export const tileHour = createPastStore<BandedWindows>({
	spanMs: hourMs,
	points: 62,
	aggregates: ['own', 'min', 'max'],
	renewMs: 60_000,
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
	points: 98,
	aggregates: ['own', 'min', 'max'],
	renewMs: 15 * minuteMs,
	pastOf: (history) => {
		const range = rangeOf(history);
		if (range !== null) noteValues(history.id, history.unit, [range.from, range.to]);
		return range;
	},
});

/** For pumps: the last 24 hours in windows of one minute, with the value at the end of each. Read again every two minutes. */
export const pumpDay = createPastStore<BandedWindows>({
	spanMs: 24 * hourMs,
	points: 1442,
	aggregates: ['own', 'last', 'min', 'max'],
	renewMs: 120_000,
	pastOf: (history, bounds) => knownWindows(history, bounds, 'last'),
});

/** For alarms: the last hour in windows of 10 s, with the value at the end of each. Read again every minute. */
export const alarmHour = createPastStore<BandedWindows>({
	spanMs: hourMs,
	points: 362,
	aggregates: ['own', 'last', 'min', 'max'],
	renewMs: 60_000,
	pastOf: (history, bounds) => knownWindows(history, bounds, 'last'),
});
