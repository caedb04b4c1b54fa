import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WindowState } from '#page/core/past/window-states.ts';
import { sinceOf, summaryOf } from '#page/screens/station/pump-summary.ts';

const minuteMs = 60_000;
const startMs = 1_800_000_000_000;

/** The bounds of windows of a minute. */
const boundsOf = (windows: number): readonly number[] =>
	Array.from({ length: windows + 1 }, (_, index) => startMs + index * minuteMs);

/**
 * States as a text: 1 on, 0 off, ? unknown. With a change within the window: x on and y off at its end. ~ is on at the end, and nobody
 * knows whether it changed.
 */
const statesOf = (text: string): readonly (WindowState | null)[] =>
	[...text].map((state) =>
		state === '?' ? null : { isOn: '1x~'.includes(state), changed: state === '~' ? null : 'xy'.includes(state) },
	);

describe('the day of a pump', () => {
	test('counts a start at each change from off to on, and the minutes in which it ended on', () => {
		expect(summaryOf(statesOf('0110100'), boundsOf(7))).toEqual({ starts: 2, onMs: 3 * minuteMs, isAtLeast: false });
	});

	test('counts no start of a pump that ran when the day began', () => {
		expect(summaryOf(statesOf('1100'), boundsOf(4))).toEqual({ starts: 0, onMs: 2 * minuteMs, isAtLeast: false });
	});

	test('counts one start over a gap between off and on, none between on and on, and says that there are gaps', () => {
		expect(summaryOf(statesOf('0?1'), boundsOf(3))).toEqual({ starts: 1, onMs: minuteMs, isAtLeast: true });
		expect(summaryOf(statesOf('1?1'), boundsOf(3))).toEqual({ starts: 0, onMs: 2 * minuteMs, isAtLeast: true });
	});

	test('is nothing where no state is known', () => {
		expect(summaryOf(statesOf('???'), boundsOf(3))).toBeNull();
		expect(summaryOf([], boundsOf(0))).toBeNull();
	});

	test('is at least what is known where it changed within windows, or may have', () => {
		expect(summaryOf(statesOf('00x1'), boundsOf(4))).toEqual({ starts: 1, onMs: minuteMs, isAtLeast: true });
		expect(summaryOf(statesOf('0y01'), boundsOf(4))).toEqual({ starts: 2, onMs: minuteMs, isAtLeast: true });
		expect(summaryOf(statesOf('1xxx'), boundsOf(4))).toEqual({ starts: 3, onMs: minuteMs, isAtLeast: true });
		expect(summaryOf(statesOf('1yyy'), boundsOf(4))).toEqual({ starts: 2, onMs: minuteMs, isAtLeast: true });
		expect(summaryOf(statesOf('0~~~'), boundsOf(4))).toEqual({ starts: 1, onMs: null, isAtLeast: true });
	});

	test('never says more than there was, for any samples', () => {
		fc.assert(
			fc.property(fc.array(fc.array(fc.boolean(), { maxLength: 4 }), { minLength: 1, maxLength: 30 }), (samples) => {
				const states = samples.map((own): WindowState | null => {
					const last = own.at(-1);
					return last === undefined ? null : { isOn: last, changed: own.includes(!last) };
				});
				const all = samples.flat();
				const summary = summaryOf(states, boundsOf(samples.length));
				const starts = all.filter((on, index) => on && all[index - 1] === false).length;
				const onWindows = samples.filter((own) => own.includes(true)).length;
				expect(summary?.starts ?? 0).toBeLessThanOrEqual(starts);
				expect(summary?.onMs ?? 0).toBeLessThanOrEqual(onWindows * minuteMs);
				if (summary?.isAtLeast === false) expect(summary.starts).toBe(starts);
			}),
		);
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

	test('goes back to the last window in which it changed, and no further than what is known', () => {
		expect(since('1x111', true)).toEqual({ kind: 'about', ms: 3 * minuteMs });
		expect(since('1111x', true, end + 20_000)).toEqual({ kind: 'lessThan', ms: 80_000 });
		expect(since('1~111', true)).toEqual({ kind: 'atLeast', ms: 3 * minuteMs });
		expect(since('1111~', true)).toBeNull();
	});

	test('is not said where the newest windows are unknown, or too old', () => {
		expect(since('1100?', false)).toBeNull();
		expect(since('11000', false, end + 5 * minuteMs)).not.toBeNull();
		expect(since('11000', false, end + 5 * minuteMs + 1)).toBeNull();
		expect(sinceOf([], [], true, end)).toBeNull();
	});
});
