import { describe, expect, test } from 'vitest';
import { parseShelfMinutes } from '#page/format/typed-number.ts';
import { rulesInSeconds } from '#page/screens/alarms/rule-defaults.ts';
import { makeQuery } from '#test/support/builders/builders.ts';

const query = (seconds: number, periodSeconds: number) =>
	makeQuery({
		calc_time: seconds,
		calc_unit: 's',
		calc_period: periodSeconds,
		calc_unit_period: 's',
	}) as never;

describe('the rules that hold without a number', () => {
	test('are no delay, 60 s until it clears, and the shortest lookback', () => {
		expect(rulesInSeconds({ varsTsdb: { a: query(900, 10), b: query(600, 10) } }, null)).toEqual({
			...{ onDelay: 0, offDelay: 60, noData: 600 },
		});
	});

	test('wait for data at least 60 s and two periods, whatever is typed; 0 is never', () => {
		expect(rulesInSeconds({ varsTsdb: { a: query(600, 300) } }, 90).noData).toBe(600);
		expect(rulesInSeconds({ varsTsdb: { a: query(30, 10) } }, null).noData).toBe(60);
		expect(rulesInSeconds({ varsTsdb: { a: query(600, 10) } }, 0).noData).toBeNull();
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
