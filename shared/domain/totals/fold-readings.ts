import type { Calendar } from '../calendar/bounds.ts';
import { startOfDay } from '../calendar/days.ts';
import { isOnAt, type OnRule } from './fold-signal.ts';
import { partsWithin, type ZonedHours } from './local-hours.ts';
import { countUpTo, type Signal } from './signal.ts';
import type { BoundedValue } from './signal-values.ts';

/** Which readings are taken of a signal: its values at the beginnings of slots, which begin anew with each local day. */
export interface ReadingsRule {
	/** The length of a slot, in milliseconds of elapsed time. It divides 24 h. */
	readonly everyMs: number;
	/** Which readings are outside of the limits; undefined: none is. */
	readonly outside?: OnRule | undefined;
	/** The local hours of each day whose slots count; undefined: all. */
	readonly hours?: ZonedHours | undefined;
	readonly calendar: Calendar;
	/** Whether the number is the share of readings within the limits, in per cent, and not how many they are. */
	readonly isShare: boolean;
}

/** The readings of a window: how many were due, how many of them were taken, and how many of those are within the limits. */
export interface ReadingsState {
	readonly expected: number;
	readonly taken: number;
	readonly within: number;
}

/** Takes the readings of a signal whose slots begin in each window [a, b). */
export function foldReadings(
	signal: Signal,
	{ everyMs, outside, hours, calendar }: ReadingsRule,
	bounds: readonly number[],
): readonly ReadingsState[] {
	const { times, values, holdMs } = signal;
	let next = countUpTo(times, bounds[0] ?? 0);
	return bounds.slice(1).map((stop, index) => {
		const window = { start: bounds[index] ?? stop, stop };
		const state = { expected: 0, taken: 0, within: 0 };
		for (const part of hours === undefined ? [window] : partsWithin(window, hours.between, hours.zone))
			for (let day = startOfDay(part.start, calendar); day < part.stop; ) {
				const nextDay = startOfDay(day, calendar, { daysLater: 1 });
				const end = Math.min(nextDay, part.stop);
				for (let slot = firstSlot(day, everyMs, part.start); slot < end; slot += everyMs) {
					while (next < times.length && (times[next] ?? slot) <= slot) next += 1;
					state.expected += 1;
					const value = values[next - 1] ?? Number.NaN;
					if (Number.isNaN(value) || slot >= (times[next - 1] ?? slot) + holdMs) continue;
					state.taken += 1;
					if (outside === undefined || !isOnAt(value, outside)) state.within += 1;
				}
				day = nextDay;
			}
		return state;
	});
}

/** Merges the states of consecutive windows. */
export function mergeReadings(earlier: ReadingsState, later: ReadingsState): ReadingsState {
	return {
		expected: earlier.expected + later.expected,
		taken: earlier.taken + later.taken,
		within: earlier.within + later.within,
	};
}

/** Returns the number of a window. Its bounds take the missing readings as outside of the limits or as within. */
export function readingsValue(
	state: ReadingsState,
	{ isShare }: Pick<ReadingsRule, 'isShare'>,
): BoundedValue & { known: number | null } {
	const { expected, taken, within } = state;
	if (expected === 0) return { value: null, low: null, high: null, known: null, expected, taken };
	const numberOf = (count: number, of: number): number => (isShare ? (100 * count) / of : count);
	return {
		value: taken === 0 ? null : numberOf(within, taken),
		low: numberOf(within, expected),
		high: numberOf(within + expected - taken, expected),
		known: taken / expected,
		expected,
		taken,
	};
}

/** Returns the beginning of the first slot of a day at or after a time. */
const firstSlot = (day: number, everyMs: number, time: number): number =>
	day + everyMs * Math.max(0, Math.ceil((time - day) / everyMs));
