import { describe, expect, test } from 'vitest';
import { alarmHourOf, conditionHolds, watchedValue } from '#page/screens/alarms/alarm-hour.ts';

const windowMs = 60_000;
const boundsOf = (windows: number): readonly number[] => Array.from({ length: windows + 1 }, (_, index) => index * windowMs);
const period = { count: 1, unit: 's' } as const;
const low = { condition: '<', threshold: 2, bit: null } as const;

describe('the hour of an alarm', () => {
	test('has a span where the condition held, from the first window to the end of the last', () => {
		const { held } = alarmHourOf({ values: { last: [3, 1, 1, 2, 1] }, period }, boundsOf(5), low);
		expect(held).toEqual([
			{ from: windowMs, to: 3 * windowMs },
			{ from: 4 * windowMs, to: 5 * windowMs },
		]);
	});

	test('is silent where no value is known: neither held nor not, and the gap is named', () => {
		const { held, gaps, values } = alarmHourOf({ values: { last: [1, null, null, null, 1] }, period }, boundsOf(5), low);
		// A sample counts for 60 s, as it does before a reading is stale.
		expect(values).toEqual([1, 1, null, null, 1]);
		expect(held).toEqual([
			{ from: 0, to: 2 * windowMs },
			{ from: 4 * windowMs, to: 5 * windowMs },
		]);
		expect(gaps).toEqual([{ from: 2 * windowMs, to: 4 * windowMs }]);
	});

	test('compares 0, which is a value', () => {
		expect(alarmHourOf({ values: { last: [0, 3] }, period }, boundsOf(2), low).held).toEqual([{ from: 0, to: windowMs }]);
	});

	test('compares a bit of the byte, and the own aggregate of a formula', () => {
		const bit = { condition: '==', threshold: 1, bit: 2 } as const;
		expect(alarmHourOf({ values: { last: [4, 3, 300] }, period }, boundsOf(3), bit)).toMatchObject({
			values: [1, 0, null],
			held: [{ from: 0, to: windowMs }],
		});
		expect(alarmHourOf({ values: { own: [1, 3], last: [null, null] }, period }, boundsOf(2), low).held).toHaveLength(1);
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

test('a bit of what is no byte is no value', () => {
	expect([0, 255, 256, -1, 1.5, null].map((value) => watchedValue(value, 7))).toEqual([0, 1, null, null, null, null]);
	expect(watchedValue(1.5, null)).toBe(1.5);
});
