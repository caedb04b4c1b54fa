import { expect, test } from 'vitest';
import { derivedState } from '#domain/alarm/derived-state.ts';

test.each([
	['normal', null, 0, 0],
	['normal', null, 2, 2],
	['returned_unacknowledged', null, 2, 1],
	['active_unacknowledged', 'condition', 1, 0],
	['active_unacknowledged', 'no_data', 3, 2],
	['active_acknowledged', 'condition', 3, 3],
] as const)(
	'is %s with the cause %s, occurrence %i and the acknowledged occurrence %i',
	(state, cause, occurrence, ackedOccurrence) => {
		expect(derivedState({ enabled: true, state: { cause, occurrence }, operator: { ackedOccurrence } })).toBe(state);
	},
);

test('counts an alarm that nobody acknowledged yet as unacknowledged', () => {
	expect(derivedState({ enabled: true, state: { cause: 'condition', occurrence: 1 }, operator: null })).toBe(
		'active_unacknowledged',
	);
});

test('is disabled whatever else is stored', () => {
	expect(derivedState({ enabled: false, state: { cause: 'condition', occurrence: 2 }, operator: { ackedOccurrence: 1 } })).toBe(
		'disabled',
	);
	expect(derivedState({ enabled: false, state: null, operator: null })).toBe('disabled');
});

test('is null before the first evaluation', () => {
	expect(derivedState({ enabled: true, state: null, operator: null })).toBeNull();
});
