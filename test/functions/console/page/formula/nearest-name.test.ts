import { expect, test } from 'vitest';
import { nearestName } from '#page/formula/nearest-name.ts';

test.each([
	['Backwsh flow', 'Backwash flow'],
	['bakcwash flow', 'Backwash flow'],
	['Intake', null],
	['intake flou', 'Intake flow'],
	['caudal', 'Caudál'],
	['', null],
])('near %j is %j', (typed, expected) => {
	expect(nearestName(typed, ['Intake flow', 'Backwash flow', 'Caudál'])).toBe(expected);
});

test('of several names the nearest is taken', () => {
	expect(nearestName('Flow A2', ['Flow A11', 'Flow A1'])).toBe('Flow A1');
});
