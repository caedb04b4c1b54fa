import { describe, expect, test } from 'vitest';
import {
	compareAlarms,
	isOpenAlarm,
	isRaised,
	isUnacknowledged,
	markedStateOf,
	occurrenceKey,
	raisedSince,
} from '#page/core/alarm-state.ts';
import { makeListedAlarm } from '#test/support/builders/listed-alarm.ts';

const until = '2026-11-22T16:51:00Z';

describe('the state of an alarm', () => {
	test.each([
		['active_unacknowledged', null, 'active_unacknowledged'],
		['returned_unacknowledged', null, 'returned_unacknowledged'],
		['active_acknowledged', null, 'active_acknowledged'],
		['normal', null, 'normal'],
		[null, null, 'unknown'],
		['active_unacknowledged', until, 'shelved'],
		['normal', until, 'shelved'],
		[null, until, 'shelved'],
		['disabled', null, 'disabled'],
		['disabled', until, 'disabled'],
	] as const)('%s, shelved until %s, is marked as %s', (state, shelvedUntil, marked) => {
		expect(markedStateOf({ state, shelvedUntil })).toBe(marked);
	});

	test('asks for an acknowledgement while active or returned, but not on a shelf', () => {
		const asks = (state: 'active_unacknowledged' | 'returned_unacknowledged' | 'active_acknowledged' | 'normal' | null) =>
			[null, until].map((shelvedUntil) => isUnacknowledged({ state, shelvedUntil }));
		expect(asks('active_unacknowledged')).toEqual([true, false]);
		expect(asks('returned_unacknowledged')).toEqual([true, false]);
		expect(asks('active_acknowledged')).toEqual([false, false]);
		expect(asks('normal')).toEqual([false, false]);
		expect(asks(null)).toEqual([false, false]);
	});

	test('follows the condition only before the first evaluation', () => {
		expect(isRaised({ state: null, active: true })).toBe(true);
		expect(isRaised({ state: null, active: null })).toBe(false);
		expect(isRaised({ state: 'normal', active: true })).toBe(false);
		expect(isRaised({ state: 'active_acknowledged', active: false })).toBe(true);
		expect(isOpenAlarm(makeListedAlarm({ state: 'active_acknowledged' }))).toBe(true);
		expect(isOpenAlarm(makeListedAlarm({ state: 'active_acknowledged', shelvedUntil: until }))).toBe(false);
		expect(isOpenAlarm(makeListedAlarm({ state: 'returned_unacknowledged' }))).toBe(true);
	});
});

test('alarms stand worst first: what nobody acknowledged before everything else, whatever its severity', () => {
	const alarms = [
		makeListedAlarm({ id: 1, severity: 'critical', state: 'disabled' }),
		makeListedAlarm({ id: 2, severity: 'critical' }),
		makeListedAlarm({ id: 3, severity: 'critical', state: 'active_unacknowledged', shelvedUntil: until }),
		makeListedAlarm({ id: 4, severity: 'critical', state: null, active: false }),
		makeListedAlarm({ id: 5, severity: 'info', state: 'active_acknowledged' }),
		makeListedAlarm({ id: 6, severity: 'critical', state: 'active_acknowledged' }),
		makeListedAlarm({ id: 7, severity: 'info', state: 'active_unacknowledged' }),
		makeListedAlarm({ id: 8, severity: 'warning', state: 'returned_unacknowledged' }),
		makeListedAlarm({ id: 9, severity: 'warning', state: 'active_unacknowledged' }),
		makeListedAlarm({ id: 10, severity: 'critical', state: null, active: true }),
		makeListedAlarm({ id: 11, severity: 'warning', state: 'active_unacknowledged' }),
		makeListedAlarm({ id: 12, severity: 'critical', state: 'active_unacknowledged' }),
	];
	expect(alarms.toSorted(compareAlarms).map(({ id }) => id)).toEqual([12, 10, 9, 11, 8, 7, 6, 5, 4, 3, 2, 1]);
});

test('the alarms that are new are those that did not ask for anybody before, and none at the first reading', () => {
	const first = makeListedAlarm({ id: 1, occurrence: 1, state: 'active_unacknowledged' });
	const second = makeListedAlarm({ id: 2, occurrence: 1, state: 'active_unacknowledged' });
	const again = { ...first, occurrence: 2 };
	const known = new Set([occurrenceKey(first)]);
	expect(raisedSince(known, [first, second])).toEqual([second]);
	expect(raisedSince(known, [again])).toEqual([again]);
	expect(raisedSince(known, [first])).toEqual([]);
	expect(raisedSince(null, [first, second])).toEqual([]);
});
