import { expect, test } from 'vitest';
import { alarmEventKey, alarmEventKeyStart } from '#domain/alarm-rows/alarm-event.ts';

const time = 1_764_000_000_000;
const keyOf = (alarmId: number, number: number, at = time) =>
	alarmEventKey({ time: at, alarmId, origin: { writer: 'evaluator', number } });

test('names time, alarm, writer and number', () => {
	expect(keyOf(7, 12)).toBe('1764000000000#0000000000000007#p0000000012');
	expect(alarmEventKey({ time, alarmId: 7, origin: { writer: 'operator', number: 1 } })).toMatch(/#o0000000001$/);
	expect(alarmEventKey({ time, alarmId: 7, origin: { writer: 'definition', number: 3 } })).toMatch(/#d0000000003$/);
});

test('sorts as text by time, then alarm, then number', () => {
	const keys = [keyOf(9, 5, 999), keyOf(9, 9), keyOf(9, 10), keyOf(10, 1), keyOf(Number.MAX_SAFE_INTEGER, 1)];
	expect([...keys].sort()).toEqual(keys);
});

test('begins with the start of the keys of its time', () => {
	expect(keyOf(1, 1) > alarmEventKeyStart(time)).toBe(true);
	expect(keyOf(1, 1) < alarmEventKeyStart(time + 1)).toBe(true);
});
