import { describe, expect, test } from 'vitest';
import type { ListedAlarm } from '#page/core/alarms.ts';
import type { Variable } from '#page/core/definitions.ts';
import { alarmFilters, alarmRows, passesFilter } from '#page/screens/alarms/alarm-rows.ts';
import { makeBody } from '#test/support/builders/builders.ts';
import { makeListedAlarm } from '#test/support/builders/listed-alarm.ts';

const alarm = makeListedAlarm;

const known: ReadonlyMap<number, Variable> = new Map([
	[3, { ...makeBody({ id: 3, name: 'Tank', unit: 'm' }), version: 1 } as unknown as Variable],
]);

describe('the rows of alarms', () => {
	test('stand worst first, with the state that each is marked with', () => {
		const listed = [
			alarm({ id: 1, severity: 'critical' }),
			alarm({ id: 2, severity: 'critical', state: 'active_acknowledged' }),
			alarm({ id: 3, severity: 'info', state: 'active_unacknowledged' }),
			alarm({ id: 4, shelvedUntil: '2026-11-22T16:51:00Z' }),
		];
		expect(alarmRows(listed, known).map(({ alarm: { id }, state }) => [id, state])).toEqual([
			[3, 'active_unacknowledged'],
			[2, 'active_acknowledged'],
			[4, 'shelved'],
			[1, 'normal'],
		]);
	});

	test('pass several filters: what is shelved and active is in both', () => {
		const passed = (overrides: Partial<ListedAlarm>) =>
			alarmFilters.filter((filter) => passesFilter({ alarm: alarm(overrides) }, filter));
		expect(passed({})).toEqual(['all']);
		expect(passed({ state: 'active_unacknowledged' })).toEqual(['all', 'unacknowledged', 'active']);
		expect(passed({ state: 'returned_unacknowledged' })).toEqual(['all', 'unacknowledged']);
		expect(passed({ state: 'active_acknowledged' })).toEqual(['all', 'active']);
		expect(passed({ state: 'active_unacknowledged', shelvedUntil: '2026-11-22T16:51:00Z' })).toEqual([
			'all',
			'active',
			'shelved',
		]);
		expect(passed({ state: null, active: true })).toEqual(['all', 'active']);
	});

	test('have the value 0, and none without a usable quality', () => {
		const shownValue = (overrides: Partial<ListedAlarm>) => alarmRows([alarm(overrides)], known)[0]?.value;
		expect(shownValue({ value: 0 })).toBe(0);
		expect(shownValue({ value: 0, quality: 'stale' })).toBe(0);
		expect(shownValue({ value: 5, quality: 'bad' })).toBeNull();
	});

	test('tell several sources apart by their tags', () => {
		expect(alarmRows([alarm({ tags: [{ name: 'slave_id', values: ['1', '2'] }] })], known)[0]?.sources).toBe('slave_id = 1 | 2');
		expect(alarmRows([alarm({})], known)[0]?.sources).toBe('');
	});

	test('have the unit of the variable, but not for a bit, and none for a variable that there is none of', () => {
		expect(alarmRows([alarm({})], known)[0]).toMatchObject({ unit: 'm', variable: 'Tank' });
		expect(alarmRows([alarm({ bit: 0 })], known)[0]).toMatchObject({ unit: '', variable: 'Tank' });
		expect(alarmRows([alarm({ varId: 9 })], known)[0]).toMatchObject({ unit: '', variable: null });
	});
});
