import { describe, expect, test } from 'vitest';
import { parseShelfMinutes } from '#page/format/typed-number.ts';
import { usedNoDataSeconds } from '#page/screens/alarms/used-no-data.ts';
import { makeQuery } from '#test/support/builders/builders.ts';

const query = (seconds: number, periodSeconds: number) =>
	makeQuery({
		calc_time: seconds,
		calc_unit: 's',
		calc_period: periodSeconds,
		calc_unit_period: 's',
	}) as never;

describe('the time without data that the service uses', () => {
	test('is the shortest lookback without a number', () => {
		expect(usedNoDataSeconds({ varsTsdb: { a: query(900, 10), b: query(600, 10) } }, null)).toBe(600);
	});

	test('is at least 60 s and two periods, whatever is typed; 0 is never', () => {
		expect(usedNoDataSeconds({ varsTsdb: { a: query(600, 300) } }, 90)).toBe(600);
		expect(usedNoDataSeconds({ varsTsdb: { a: query(30, 10) } }, null)).toBe(60);
		expect(usedNoDataSeconds({ varsTsdb: { a: query(600, 10) } }, 0)).toBeNull();
	});
});

test.each([
	['1', 1],
	[' 10080 ', 10_080],
	['0', null],
	['10081', null],
	['1.5', null],
	['-5', null],
	['', null],
	['1e2', null],
])('%j is %s minutes of a shelf', (typed, minutes) => {
	expect(parseShelfMinutes(typed)).toBe(minutes);
});
