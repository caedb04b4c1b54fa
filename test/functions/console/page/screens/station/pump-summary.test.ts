import { describe, expect, test } from 'vitest';
import { dayStates, sinceOf, summaryOf } from '#page/screens/station/pump-summary.ts';

const minuteMs = 60_000;
const startMs = 1_800_000_000_000;

/** The bounds of windows of a minute. */
const boundsOf = (windows: number): readonly number[] =>
	Array.from({ length: windows + 1 }, (_, index) => startMs + index * minuteMs);

/** States as a text: 1 on, 0 off, ? unknown. */
const statesOf = (text: string) => [...text].map((state) => (state === '?' ? null : state === '1'));

describe('the day of a pump', () => {
	test('counts a start at each change from off to on, and the minutes in which it ended on', () => {
		expect(summaryOf(statesOf('0110100'), boundsOf(7))).toEqual({ starts: 2, onMs: 3 * minuteMs, hasGaps: false });
	});

	test('counts no start of a pump that ran when the day began', () => {
		expect(summaryOf(statesOf('1100'), boundsOf(4))).toEqual({ starts: 0, onMs: 2 * minuteMs, hasGaps: false });
	});

	test('counts one start over a gap between off and on, none between on and on, and says that there are gaps', () => {
		expect(summaryOf(statesOf('0?1'), boundsOf(3))).toEqual({ starts: 1, onMs: minuteMs, hasGaps: true });
		expect(summaryOf(statesOf('1?1'), boundsOf(3))).toEqual({ starts: 0, onMs: 2 * minuteMs, hasGaps: true });
	});

	test('is nothing where no state is known', () => {
		expect(summaryOf(statesOf('???'), boundsOf(3))).toBeNull();
		expect(summaryOf([], boundsOf(0))).toBeNull();
	});

	test('reads a bit of a byte, from the least significant, and nothing of what is no byte', () => {
		const day = { values: [0b101, 0b010, 256, -1, 1.5, null] };
		expect(dayStates(day, 0)).toEqual([true, false, null, null, null, null]);
		expect(dayStates(day, 1)).toEqual([false, true, null, null, null, null]);
		expect(dayStates(day, null)).toEqual([true, true, true, true, true, null]);
		expect(dayStates({ values: [0, -0.2] }, null)).toEqual([false, true]);
	});
});

describe('how long a pump has been in its state', () => {
	const bounds = boundsOf(5);
	const end = startMs + 5 * minuteMs;
	const since = (text: string, isOn: boolean, nowMs = end) => sinceOf(statesOf(text), bounds, isOn, nowMs);

	test('is counted from the first minute of the last run', () => {
		expect(since('11000', false)).toEqual({ kind: 'about', ms: 3 * minuteMs });
		expect(since('11001', true, end + 30_000)).toEqual({ kind: 'about', ms: minuteMs + 30_000 });
	});

	test('is at least the day where it never changed, and at least what follows a gap', () => {
		expect(since('11111', true)).toEqual({ kind: 'atLeast', ms: 5 * minuteMs });
		expect(since('1?111', true)).toEqual({ kind: 'atLeast', ms: 2 * minuteMs });
	});

	test('is less than the time since the last window began, where it changed after that', () => {
		expect(since('11000', true, end + 20_000)).toEqual({ kind: 'lessThan', ms: 80_000 });
	});

	test('is not said where the newest windows are unknown, or too old', () => {
		expect(since('1100?', false)).toBeNull();
		expect(since('11000', false, end + 5 * minuteMs)).not.toBeNull();
		expect(since('11000', false, end + 5 * minuteMs + 1)).toBeNull();
		expect(sinceOf([], [], true, end)).toBeNull();
	});
});
