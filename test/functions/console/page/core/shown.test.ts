import { describe, expect, test } from 'vitest';
import type { Reading } from '#page/core/readings.ts';
import { currentStateOf, shownOf, stateOf, worstFirst } from '#page/core/shown.ts';

const reason = (code: 'no_data' | 'stale' | 'not_a_byte') => ({ code, message: 'Why.', inputs: ['Level'] });
const last: Extract<Reading, { kind: 'newest' }> = {
	id: 1,
	kind: 'newest',
	name: 'Level',
	unit: 'm',
	type: 'last',
	quality: 'good',
	value: 0,
	time: '2026-11-21T10:00:00.000Z',
};

describe('shownOf', () => {
	test('shows zero as a value', () => {
		expect(shownOf(last)).toMatchObject({ value: 0, at: Date.UTC(2026, 10, 21, 10), quality: 'good', unit: 'm' });
	});

	test('shows the number of a stale reading, and none of any other quality', () => {
		expect(shownOf({ ...last, quality: 'stale', reason: reason('stale') }).value).toBe(0);
		for (const quality of worstFirst.filter((each) => each !== 'good' && each !== 'stale'))
			expect(shownOf({ ...last, value: 7, quality, reason: reason('no_data') }).value, quality).toBeNull();
	});

	test('shows the newest value of a history, not an instant without one', () => {
		const reading: Reading = {
			id: 1,
			kind: 'history',
			name: 'Level',
			unit: 'm',
			type: 'history',
			quality: 'good',
			series: [
				['2026-11-21T10:00:00.000Z', 0],
				['2026-11-21T10:01:00.000Z', null],
			],
		};
		expect(shownOf(reading)).toMatchObject({ value: 0, at: Date.UTC(2026, 10, 21, 10) });
		expect(shownOf({ ...reading, series: [] })).toMatchObject({ value: null, at: null });
	});
});

describe('stateOf', () => {
	test.each([
		[0b100, 2, true],
		[0b100, 1, false],
		[0, undefined, false],
		[3, undefined, true],
		[300, 2, null],
		[1.5, 0, null],
	])('of %d, bit %s, is %s', (value, bit, expected) => {
		expect(stateOf(shownOf({ ...last, value }), bit)).toBe(expected);
	});

	test('is unknown without a usable value', () => {
		expect(stateOf(null, 0)).toBeNull();
		expect(stateOf(shownOf({ ...last, value: 4, quality: 'bad', reason: reason('not_a_byte') }), 2)).toBeNull();
	});
});

test('the state at present is that of a good reading only; the stale one stays the newest state', () => {
	const stale = shownOf({ ...last, value: 1, quality: 'stale', reason: reason('stale') });
	expect([currentStateOf(stale, null), stateOf(stale, null)]).toEqual([null, true]);
	expect(currentStateOf(shownOf({ ...last, value: 1 }), null)).toBe(true);
	expect(currentStateOf(shownOf({ ...last, value: 0b100 }), 2)).toBe(true);
	expect(currentStateOf(null, null)).toBeNull();
});
