import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TileAlarm } from '#page/core/tile-alarm.ts';
import { alarmLook } from '#page/parts/alarm-mark.tsx';
import {
	drawnOn,
	faultOf,
	flowOf,
	isCurrent,
	type SymbolInputs,
	type SymbolState,
	scaleOf,
	symbolStateOf,
	unboundState,
	waterOf,
} from '#page/screens/diagram/symbols/symbol-state.ts';

const now = Date.parse('2026-11-24T12:00:00Z');
const none = { worst: null, limits: [], isShelved: false };
const alarm: TileAlarm = {
	id: 1,
	name: 'Low',
	severity: 'critical',
	state: 'active_unacknowledged',
	since: null,
	condition: '<',
	threshold: 2,
	isBeyond: true,
	contradictsValue: false,
	isForNoData: false,
	isOfBit: false,
};

const state = (shown: Partial<NonNullable<SymbolInputs['shown']>> | null, more: Partial<SymbolInputs> = {}): SymbolState =>
	symbolStateOf({
		shown: shown === null ? null : { value: 2.5, at: now - 4000, quality: 'good', reason: null, unit: 'm', bits: [], ...shown },
		...{ bit: null, isState: false, alarms: none, isOutdated: false },
		format: (value) => value.toFixed(2),
		formatAge: (at) => `${(now - at) / 60_000} min`,
		...more,
	});

describe('what a symbol shows', () => {
	test('a good number is current, and its age is not said', () => {
		const good = state({});
		expect(good).toMatchObject({ quality: 'good', value: 2.5, text: '2.50', unit: 'm', isOn: undefined, age: null });
		expect([isCurrent(good), faultOf(good)]).toEqual([true, null]);
	});

	test('zero is a number', () => {
		expect(state({ value: 0 })).toMatchObject({ value: 0, text: '0.00' });
	});

	test('a stale number stays with its age, and is not current', () => {
		const stale = state({ quality: 'stale', at: now - 240_000 });
		expect(stale).toMatchObject({ text: '2.50', age: '4 min' });
		expect([isCurrent(stale), faultOf(stale)]).toEqual([false, 'stale']);
	});

	test.each(['no_data', 'bad', 'missing_reference', 'skipped'] as const)('without a value (%s) there is no number', (quality) => {
		const without = state({ quality, value: null, at: null });
		expect(without).toMatchObject({ value: null, text: null, age: null });
		expect(faultOf(without)).toBe(quality);
	});

	test('what was not read yet is neither current nor at fault', () => {
		const unread = state(null);
		expect([unread.quality, isCurrent(unread), faultOf(unread), unread.text]).toEqual([undefined, false, null, null]);
	});

	test('nothing is current while everything is out of date', () => {
		expect(isCurrent(state({}, { isOutdated: true }))).toBe(false);
	});

	test('a state is on, off, or not known now when it is stale', () => {
		const bit = (shown: object) => state(shown, { bit: 3, isState: true });
		expect([drawnOn(bit({ value: 8 })), drawnOn(bit({ value: 7 })), drawnOn(bit({ value: 8, quality: 'stale' }))]).toEqual([
			...[true, false, null],
		]);
		expect(bit({ value: 8 })).toMatchObject({ value: null, text: null, isOn: true });
	});

	test('what is out of date keeps the shape of its last state', () => {
		expect(drawnOn(state({ value: 1 }, { isState: true, isOutdated: true }))).toBe(true);
	});

	test('the threshold of an alarm is exceeded only while its condition holds, and never that of a bit', () => {
		const exceeded = (change: object) => state({}, { alarms: { ...none, worst: { ...alarm, ...change } } }).alarm?.exceeded;
		expect([exceeded({}), exceeded({ isBeyond: false }), exceeded({ isOfBit: true })]).toEqual([2, null, null]);
	});

	test('classes of an alarm tell severity and state', () => {
		const look = (
			severity: 'critical' | 'warning' | 'info',
			is: 'active_unacknowledged' | 'active_acknowledged' | 'returned_unacknowledged',
		) => alarmLook({ severity, state: is });
		expect([
			look('critical', 'active_unacknowledged'),
			look('warning', 'active_acknowledged'),
			look('info', 'returned_unacknowledged'),
			alarmLook(null),
		]).toEqual(['alarm severity-1 severe', 'alarm severity-2', 'alarm severity-3 returned', '']);
	});
});

describe('the water of a tank', () => {
	test('follows the scale from empty to full, and stops at its ends', () => {
		const level = (value: number | null, scale: readonly [number, number] = [0, 4]) =>
			waterOf(state(value === null ? { value, quality: 'no_data' } : { value }), scale).level;
		expect([level(3), level(0), level(4), level(-1), level(5), level(null)]).toEqual([0.75, 0, 1, 0, 1, null]);
		// A scale whose full end is the smaller one measures from above.
		expect(level(1, [4, 0])).toBe(0.75);
		expect(level(1, [4, 4])).toBeNull();
	});

	test('has a scale only where it is stored, or where the unit is percent', () => {
		expect([scaleOf([0, 4], '%'), scaleOf(undefined, '%'), scaleOf(null, 'm'), scaleOf(undefined, '')]).toEqual([
			...[[0, 4], [0, 100], null, null],
		]);
		const alarms = { ...none, worst: alarm, limits: [2] };
		expect(waterOf(state({ value: 2.5 }, { alarms }), null)).toEqual({ level: null, isOld: false, ticks: [], excess: null });
		expect(waterOf(state({ value: 2.5, quality: 'stale' }), null)).toMatchObject({ level: null, isOld: true });
	});

	test('has the ticks within the scale, from below', () => {
		const { ticks } = waterOf(state({}, { alarms: { ...none, limits: [3.4, 1, 9, -1] } }), [0, 4]);
		expect(ticks).toEqual([
			{ at: 0.25, limit: 1 },
			{ at: 0.85, limit: 3.4 },
		]);
	});

	test('shows the excess between level and threshold while it is current', () => {
		const alarms = { ...none, worst: alarm };
		expect(waterOf(state({ value: 1 }, { alarms }), [0, 4]).excess).toEqual({ from: 0.25, to: 0.5 });
		expect(waterOf(state({ value: 3 }, { alarms: { ...none, worst: { ...alarm, condition: '>' } } }), [0, 4]).excess).toEqual({
			...{ from: 0.5, to: 0.75 },
		});
		expect(waterOf(state({ value: 1, quality: 'stale' }, { alarms }), [0, 4]).excess).toBeNull();
		expect(waterOf(state({ value: 1 }, { alarms, isOutdated: true }), [0, 4]).excess).toBeNull();
	});

	test('is old unless it is current, and a tank without a variable has none', () => {
		expect([waterOf(state({}), [0, 4]).isOld, waterOf(state({ quality: 'stale' }), [0, 4]).isOld]).toEqual([false, true]);
		expect(waterOf(state({}, { isOutdated: true }), [0, 4]).isOld).toBe(true);
		expect(waterOf(unboundState, [0, 4])).toEqual({ level: null, isOld: false, ticks: [], excess: null });
	});

	test('every height is a share of the tank, whatever numbers there are', () => {
		const any = fc.double();
		fc.assert(
			fc.property(any, any, any, any, (value, threshold, empty, full) => {
				const alarms = { worst: { ...alarm, threshold }, limits: [threshold], isShelved: false };
				const { level, ticks, excess } = waterOf(state({ value }, { alarms }), [empty, full]);
				const heights = [level, ...ticks.map(({ at }) => at), excess?.from ?? null, excess?.to ?? null];
				for (const height of heights) if (height !== null) expect(height >= 0 && height <= 1).toBe(true);
			}),
			{ numRuns: 1000 },
		);
	});
});

describe('the flow of a pipe', () => {
	test('is forward above the limit, backward below its negative, and still between', () => {
		const flow = (value: number, over: number) => flowOf(state({ value }), over);
		expect([flow(1, 0), flow(0, 0), flow(-1, 0), flow(5, 5), flow(6, 5), flow(-5, 5), flow(-6, 5)]).toEqual([
			...['forward', 'still', 'backward', 'still', 'forward', 'still', 'backward'],
		]);
	});

	test('a state that is on flows', () => {
		const flow = (value: number) => flowOf(state({ value }, { isState: true }), 0);
		expect([flow(1), flow(0)]).toEqual(['forward', 'still']);
	});

	test('is not known unless the value is good', () => {
		for (const quality of ['stale', 'no_data', 'bad', 'missing_reference', 'skipped'] as const)
			expect(flowOf(state({ quality }), 0)).toBe('unknown');
	});

	test('is bare without a variable, before the first reading, and while everything is out of date', () => {
		expect([flowOf(unboundState, 0), flowOf(state(null), 0), flowOf(state({}, { isOutdated: true }), 0)]).toEqual([
			...['bare', 'bare', 'bare'],
		]);
	});
});
