import { describe, expect, test } from 'vitest';
import { effectiveRules } from '#domain/alarm/effective-rules.ts';
import { parseBoard } from '#domain/board/board.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { makeAlarmBody, makeBody, makeCalculatedBody, makeQuery } from '#test/support/builders/builders.ts';

const flow = (query: Parameters<typeof makeQuery>[0]) => parseVariable(makeBody({ varsTsdb: { Flow: makeQuery(query) } }));
const rules = (fields: Record<string, unknown>, variable = flow({})) =>
	effectiveRules(parseBoard('alarm', makeAlarmBody(fields)), variable);
const seconds = (noDataSeconds: number | null | undefined, query: Parameters<typeof makeQuery>[0]) =>
	(rules({ noDataSeconds }, flow(query)).noDataMs ?? Number.NaN) / 1000;

test('fills in the defaults for absent and null fields', () => {
	const defaults = { enabled: true, deadband: 0, onDelayMs: 0, offDelayMs: 60_000, noDataMs: 600_000 };
	expect(rules({})).toEqual(defaults);
	expect(rules({ enabled: null, deadband: null, onDelaySeconds: null, offDelaySeconds: null, noDataSeconds: null })).toEqual(
		defaults,
	);
});

test('takes what the alarm says', () => {
	expect(rules({ enabled: false, deadband: 0.5, onDelaySeconds: 0, offDelaySeconds: 10, noDataSeconds: 900 })).toEqual({
		enabled: false,
		deadband: 0.5,
		onDelayMs: 0,
		offDelayMs: 10_000,
		noDataMs: 900_000,
	});
});

describe('the time without data', () => {
	test('is the lookback by default, but at least 60 s and at most a day', () => {
		const period = { calc_period: 1, calc_unit_period: 's' } as const;
		expect(seconds(undefined, { ...period, calc_time: 61, calc_unit: 's' })).toBe(61);
		expect(seconds(undefined, { ...period, calc_time: 59, calc_unit: 's' })).toBe(60);
		expect(seconds(undefined, { ...period, calc_time: 2, calc_unit: 'd' })).toBe(86_400);
	});

	test('is at least two periods', () => {
		expect(seconds(60, { calc_period: 45, calc_unit_period: 's' })).toBe(90);
		expect(seconds(91, { calc_period: 45, calc_unit_period: 's' })).toBe(91);
	});

	test('is a whole number of seconds', () => {
		expect(seconds(undefined, { calc_time: 60_001, calc_unit: 'ms', calc_period: 1, calc_unit_period: 's' })).toBe(61);
	});

	test('never passes where it is 0', () => {
		expect(rules({ noDataSeconds: 0 }).noDataMs).toBeNull();
	});

	test('of a calculated variable comes from the shortest lookback and the longest period', () => {
		const variable = (a: Parameters<typeof makeQuery>[0], b: Parameters<typeof makeQuery>[0]) =>
			parseVariable(makeCalculatedBody('a + b', { varsTsdb: { a: makeQuery(a), b: makeQuery(b) } }));
		expect(rules({}, variable({ calc_time: 5 }, { calc_time: 20 })).noDataMs).toBe(300_000);
		expect(rules({}, variable({ calc_time: 5 }, { calc_time: 20, calc_period: 4 })).noDataMs).toBe(480_000);
	});
});
