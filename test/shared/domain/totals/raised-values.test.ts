import { describe, expect, test } from 'vitest';
import type { AlarmEvent } from '#domain/alarm-rows/alarm-event.ts';
import { evaluateLines } from '#domain/totals/evaluate-lines.ts';
import type { RaisedEvents } from '#domain/totals/raised-values.ts';

const event = (time: number, kind: AlarmEvent['kind'], fields: Partial<AlarmEvent> = {}, severity = 'critical'): AlarmEvent => ({
	...{
		time,
		recordedAt: time,
		alarmId: 7,
		origin: { writer: 'evaluator', number: time },
		occurrence: 2,
		kind,
		cause: 'condition',
	},
	...{ value: 1, quality: 'good', inputs: [], user: null, comment: null },
	alarm: {
		...{ name: 'Level', message: 'Low', condition: '<', threshold: 1, unit: 'm', version: 1 },
		severity: severity === 'info' ? 'info' : 'critical',
	},
	...fields,
});

const raisedValues = (raised: RaisedEvents, severity: 'critical' | undefined, within: readonly number[]) => {
	const [line] = evaluateLines([{ kind: 'raised', key: 'line', severity }], new Map([['line', { raised }]]), within);
	if (line === undefined) throw new RangeError('A line is evaluated.');
	return line.values;
};

const bounds = [100, 200, 300];
const valuesOf = (events: readonly AlarmEvent[], severity?: 'critical', unknown: { start: number; stop: number }[] = []) => {
	const { windows, total } = raisedValues({ events, unknown }, severity, bounds);
	return [...windows, total].map(({ low, value, high }) => [low, value, high]);
};

describe('alarms that were raised', () => {
	test('counts an alarm at the time at which it was raised, in windows [a, b)', () => {
		const events = [
			event(50, 'cleared'),
			event(100, 'raised'),
			event(150, 'cleared'),
			event(200, 'raised'),
			event(300, 'raised'),
		];
		expect(valuesOf(events)).toEqual([
			[1, 1, 1],
			[1, 1, 1],
			[2, 2, 2],
		]);
	});

	test('counts a change of cause once, in whatever order the entries come', () => {
		const events = [
			event(110, 'raised', { occurrence: 1 }),
			event(150, 'raised', { cause: 'no_data' }),
			event(210, 'acknowledged'),
			event(250, 'raised', { occurrence: 3 }),
		];
		const counted = [
			[1, 1, 1],
			[0, 0, 0],
			[1, 1, 1],
		];
		expect(valuesOf(events)).toEqual(counted);
		expect(valuesOf(events.toReversed())).toEqual(counted);
	});

	test('leaves an alarm out of low where nobody knows whether it was active before', () => {
		expect(valuesOf([event(120, 'raised')])[0]).toEqual([0, 1, 1]);
		expect(valuesOf([event(120, 'raised', { occurrence: 1 })])[0]).toEqual([1, 1, 1]);
	});

	test('counts alarms of one severity, and each alarm by itself', () => {
		const events = [
			event(50, 'cleared'),
			event(50, 'cleared', { alarmId: 8 }, 'info'),
			event(110, 'raised'),
			event(120, 'raised', { alarmId: 8 }, 'info'),
		];
		expect(valuesOf(events)[0]).toEqual([2, 2, 2]);
		expect(valuesOf(events, 'critical')[0]).toEqual([1, 1, 1]);
	});

	test('has no high where alarms were not evaluated all the time, and no value where they never were', () => {
		const { windows, total } = raisedValues({ events: [], unknown: [{ start: 150, stop: 300 }] }, undefined, bounds);
		expect(windows.map(({ value, known, high }) => [value, known, high])).toEqual([
			[0, 0.5, null],
			[null, 0, null],
		]);
		expect(total).toMatchObject({ value: 0, known: 0.25, high: null });
	});
});
