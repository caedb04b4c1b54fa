import { describe, expect, test } from 'vitest';
import { knownWindows } from '#page/core/past/windows.ts';
import { conditionHolds, type WatchedCondition, watchedPastOf } from '#page/screens/alarms/watched-past.ts';

const windowMs = 60_000;
const boundsOf = (windows: number): readonly number[] => Array.from({ length: windows + 1 }, (_, index) => index * windowMs);
const period = { count: 1, unit: 's' } as const;
const hourOf = (values: { last?: (number | null)[]; own?: (number | null)[] }, windows: number, alarm: WatchedCondition) =>
	watchedPastOf(knownWindows({ values, period }, boundsOf(windows), 'last'), alarm);
const low = { condition: '<', threshold: 2, bit: null } as const;

describe('the hour of an alarm', () => {
	test('has a span where the condition held, from the first window to the end of the last', () => {
		const { held } = hourOf({ last: [3, 1, 1, 2, 1] }, 5, low);
		expect(held).toEqual([
			{ from: windowMs, to: 3 * windowMs },
			{ from: 4 * windowMs, to: 5 * windowMs },
		]);
	});

	test('is silent where no value is known: neither held nor not, and the gap is named', () => {
		const { held, gaps, values } = hourOf({ last: [1, null, null, null, 1] }, 5, low);
		expect(values).toEqual([1, null, null, null, 1]);
		expect(held).toEqual([
			{ from: 0, to: windowMs },
			{ from: 4 * windowMs, to: 5 * windowMs },
		]);
		expect(gaps).toEqual([{ from: windowMs, to: 4 * windowMs }]);
	});

	test('tells that the condition held within a window, where it did not at its end', () => {
		const hourWithin = (values: Parameters<typeof knownWindows>[0]['values'], alarm: WatchedCondition) =>
			watchedPastOf(knownWindows({ values, period }, boundsOf(2), 'last'), alarm).heldAtTimes;
		const values = { last: [3, 3], min: [3, 1], max: [4, 3] };
		expect(hourWithin(values, low)).toBe(true);
		expect(hourWithin(values, { ...low, threshold: 1 })).toBe(false);
		expect(hourWithin(values, { condition: '>', threshold: 3, bit: null })).toBe(true);
		// The least byte says nothing of a bit.
		expect(hourWithin(values, { condition: '==', threshold: 0, bit: 1 })).toBe(false);
		expect(hourWithin({ own: [3, 3] }, low)).toBe(false);
	});

	test('compares 0, which is a value', () => {
		expect(hourOf({ last: [0, 3] }, 2, low).held).toEqual([{ from: 0, to: windowMs }]);
	});

	test('compares a bit of the byte, and the own aggregate of a formula', () => {
		const bit = { condition: '==', threshold: 1, bit: 2 } as const;
		expect(hourOf({ last: [4, 3, 300] }, 3, bit)).toMatchObject({
			values: [1, 0, null],
			held: [{ from: 0, to: windowMs }],
		});
		expect(hourOf({ own: [1, 3], last: [null, null] }, 2, low).held).toHaveLength(1);
	});
});

test.each([
	['>', [false, false, true]],
	['>=', [false, true, true]],
	['<', [true, false, false]],
	['<=', [true, true, false]],
	['==', [false, true, false]],
	['!=', [true, false, true]],
] as const)('the condition %s holds as the service says', (condition, expected) => {
	expect([1, 2, 3].map((value) => conditionHolds({ condition, threshold: 2 }, value))).toEqual(expected);
});
