import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayMs } from '#domain/milliseconds.ts';
import { emptyDraft, emptyQuery } from '#page/screens/variable-editor/draft.ts';
import { curveOf, dayBodyOf, dayPeriodMsOf } from '#page/screens/variable-editor/typed-curve.ts';

const to = Date.parse('2026-11-22T10:00:00Z');
const periodMs = 3_600_000;
/** Points at hours before `to`. */
const points = (...each: readonly (readonly [hours: number, value: number | null])[]) =>
	each.map(([hours, value]) => [new Date(to - hours * periodMs).toISOString(), value] as const);
const simple = { ...emptyDraft, name: 'x', process: 'p', query: { ...emptyQuery, topic: 't' } };

describe('the last 24 h of a draft', () => {
	test('are its history over windows of 5 minutes at least', () => {
		expect(dayBodyOf(simple)).toMatchObject({
			type: 'history',
			varsTsdb: { x: { calc_time: 24, calc_unit: 'h', calc_period: 5, calc_unit_period: 'm' } },
		});
		expect(dayPeriodMsOf(simple)).toBe(300_000);
	});

	test('keep longer periods, the longest of a formula counting for all, and are none from a day on', () => {
		const input = (period: string, periodUnit: 'h' | 'd') => ({
			name: period,
			query: { ...emptyQuery, topic: 't', period, periodUnit },
		});
		const formula = { ...simple, kind: 'formula' as const, formula: '{1} + {12}', inputs: [input('1', 'h'), input('12', 'h')] };
		expect(dayPeriodMsOf(formula)).toBe(12 * periodMs);
		expect(dayBodyOf(formula)?.varsTsdb['12']).toMatchObject({ calc_period: 12, calc_unit_period: 'h', calc_time: 24 });
		expect(dayBodyOf({ ...formula, inputs: [input('1', 'd')] })).toBeNull();
		expect(dayBodyOf({ ...simple, query: { ...emptyQuery, period: 'x' } })).toBeNull();
	});
});

describe('curveOf', () => {
	test('joins windows that follow each other, and leaves gaps where one is missing or null', () => {
		const curve = curveOf(points([24, 0], [23, 10], [20, 10], [19, null], [18, 5], [17, 5]), to, periodMs, periodMs);
		expect(curve?.path).toBe('M0 100L4.17 0M16.67 0h0M25 50L29.17 50');
	});

	test('has the rule of gaps of every screen: empty windows are a gap where they are longer than the own period', () => {
		const pathOf = (ownMs: number, ...hours: readonly number[]) =>
			curveOf(points(...hours.map((each) => [each, 1] as const)), to, periodMs, ownMs)?.path ?? '';
		expect(pathOf(periodMs, 3, 1, 0)).not.toMatch(/M.*M/);
		expect(pathOf(periodMs - 1, 3, 1, 0)).toMatch(/M.*M/);
		expect(pathOf(periodMs, 3, 0)).toMatch(/M.*M/);
	});

	test('draws every value, and no line over a longer time than the own period, whatever the values', () => {
		const hours = fc.uniqueArray(fc.integer({ min: 0, max: 24 }), { minLength: 1 });
		const values = fc.array(fc.option(fc.integer()), { minLength: 25, maxLength: 25 });
		fc.assert(
			fc.property(hours, values, fc.integer({ min: 0, max: 4 }), (given, each, ownHours) => {
				const shown = given.toSorted((a, b) => b - a).map((hour) => [hour, each[hour] ?? null] as const);
				const path = curveOf(points(...shown), to, periodMs, ownHours * periodMs)?.path ?? '';
				const parts = path.split('M').slice(1);
				const drawn = parts.map((part) => part.split('L').map((point) => 24 - Math.round((24 * Number.parseFloat(point)) / 100)));
				expect(drawn.flat()).toEqual(shown.flatMap(([hour, value]) => (value === null ? [] : [hour])));
				for (const [before, after] of drawn.flatMap((part) =>
					part.slice(1).map((hour, index) => [part[index] ?? 0, hour] as const),
				)) {
					expect(before - after - 1).toBeLessThanOrEqual(ownHours);
					expect(shown.some(([hour, value]) => value === null && hour < before && hour > after)).toBe(false);
				}
			}),
		);
	});

	test('says from where on values are missing', () => {
		expect(curveOf(points([2, 1], [0, 1]), to, periodMs, periodMs)?.missingFrom).toBeNull();
		expect(curveOf(points([12, 1]), to, periodMs, periodMs)?.missingFrom).toBe(50);
	});

	test('encloses the values in round lines', () => {
		const linesFor = (...values: readonly number[]) =>
			curveOf(points(...values.map((value, index) => [index, value] as const)), to, periodMs, periodMs)?.scale.ticks;
		expect(linesFor(91.4, 92.6)).toEqual([91, 91.5, 92, 92.5, 93]);
		expect(linesFor(0, 0)).toEqual([0, 0.5, 1]);
		expect(linesFor(-3, 4)).toEqual([-4, -2, 0, 2, 4]);
		expect(linesFor(0.1, 0.3)).toEqual([0, 0.1, 0.2, 0.3]);
	});

	test('draws zero, and nothing without a value or before the day', () => {
		expect(curveOf(points([1, 0]), to, periodMs, periodMs)).toMatchObject({ least: 0, greatest: 0 });
		expect(curveOf(points([1, null]), to, periodMs, periodMs)).toBeNull();
		expect(curveOf(points([25, 7]), to, periodMs, periodMs)).toBeNull();
		expect(dayMs).toBe(24 * periodMs);
	});

	test('stays within the box for extreme values', () => {
		fc.assert(
			fc.property(
				fc.double({ noNaN: true, noDefaultInfinity: true }),
				fc.double({ noNaN: true, noDefaultInfinity: true }),
				(a, b) => {
					const curve = curveOf(points([2, a], [1, b]), to, periodMs, periodMs);
					const ys = [...(curve?.path ?? '').matchAll(/[ML][\d.]+ (\S+?)(?=[MLh]|$)/g)].map(([, y]) => Number(y));
					expect(ys).toHaveLength(2);
					for (const y of ys) expect(y >= 0 && y <= 100, curve?.path).toBe(true);
					expect(curve?.scale.ticks.length).toBeLessThanOrEqual(6);
				},
			),
			{
				numRuns: 1000,
				examples: [
					[-Number.MAX_VALUE, Number.MAX_VALUE],
					[-Number.MAX_VALUE, -Number.MAX_VALUE],
					[Number.MAX_VALUE, Number.MAX_VALUE],
					[5e-324, 5e-324],
					[1e15, 1e15 + 0.125],
					[0, 0],
				],
			},
		);
	});
});
