import { describe, expect, test } from 'vitest';
import type { ListedAlarm } from '#page/core/alarms.ts';
import type { Variable } from '#page/core/definitions.ts';
import { alarmPlaceOf } from '#page/screens/alarms/alarm-route.ts';
import { alarmRows } from '#page/screens/alarms/alarm-rows.ts';
import { makeBody } from '#test/support/builders/builders.ts';

const alarm = (overrides: Partial<ListedAlarm>): ListedAlarm => ({
	id: 1,
	name: 'Tank low',
	varId: 3,
	bit: null,
	condition: '<',
	threshold: 2,
	severity: 'warning',
	message: 'Start a pump.',
	version: 1,
	active: false,
	value: 3,
	quality: 'good',
	...overrides,
});

const known: ReadonlyMap<number, Variable> = new Map([
	[3, { ...makeBody({ id: 3, name: 'Tank', unit: 'm' }), version: 1 } as unknown as Variable],
]);

describe('the rows of alarms', () => {
	test('are active, then unknown, then not active; in each the worst severity first, then the lowest id', () => {
		const listed = [
			alarm({ id: 1, severity: 'critical' }),
			alarm({ id: 2, severity: 'critical', active: null, value: null, quality: 'no_data' }),
			alarm({ id: 3, severity: 'info', active: true }),
			alarm({ id: 4, severity: 'critical', active: true }),
			alarm({ id: 5, severity: 'critical', active: true }),
			alarm({ id: 6, severity: 'warning' }),
		];
		expect(alarmRows(listed, known).map(({ alarm: { id }, group }) => [id, group])).toEqual([
			[4, 'active'],
			[5, 'active'],
			[3, 'active'],
			[2, 'unknown'],
			[1, 'normal'],
			[6, 'normal'],
		]);
	});

	test('have the value 0, and none without a usable quality', () => {
		const shownValue = (overrides: Partial<ListedAlarm>) => alarmRows([alarm(overrides)], known)[0]?.value;
		expect(shownValue({ value: 0 })).toBe(0);
		expect(shownValue({ value: 0, quality: 'stale' })).toBe(0);
		expect(shownValue({ value: 5, quality: 'bad' })).toBeNull();
	});

	test('have the unit of the variable, but not for a bit, and none for a variable that there is none of', () => {
		expect(alarmRows([alarm({})], known)[0]).toMatchObject({ unit: 'm', variable: 'Tank' });
		expect(alarmRows([alarm({ bit: 0 })], known)[0]).toMatchObject({ unit: '', variable: 'Tank' });
		expect(alarmRows([alarm({ varId: 9 })], known)[0]).toMatchObject({ unit: '', variable: null });
	});
});

test('the address names the list, an alarm or an editor', () => {
	expect(alarmPlaceOf(null)).toEqual({ kind: 'list' });
	expect(alarmPlaceOf('7')).toEqual({ kind: 'detail', id: 7 });
	expect(alarmPlaceOf('7-edit')).toEqual({ kind: 'edit', id: 7 });
	expect(alarmPlaceOf('new')).toEqual({ kind: 'edit', id: 0 });
	expect(['0', '07', '-1', '7-', 'edit', '7.5', '12345678901234567'].map((item) => alarmPlaceOf(item).kind)).toEqual(
		Array(7).fill('list'),
	);
});
