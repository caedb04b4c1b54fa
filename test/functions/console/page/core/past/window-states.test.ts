import { expect, test } from 'vitest';
import { windowStates } from '#page/core/past/window-states.ts';

const unknown = { changed: null };

test('is on for any number but zero, and tells whether it changed from the least and the greatest value', () => {
	const values = [0, 1, 1, 0, -0.2, 5, 3, null];
	const band = { low: [0, 1, 0, 0, -0.2, 1, -1, null], high: [0, 1, 1, 1, -0.2, 5, 3, null] };
	expect(windowStates({ values, band }, null)).toEqual([
		{ isOn: false, changed: false },
		{ isOn: true, changed: false },
		{ isOn: true, changed: true },
		{ isOn: false, changed: true },
		{ isOn: true, changed: false },
		{ isOn: true, changed: false },
		// Of both signs: it may have been zero between.
		{ isOn: true, ...unknown },
		null,
	]);
});

test('reads a bit of a byte, from the least significant, and nothing of what is no byte', () => {
	const values = [0b101, 0b010, 256, -1, 1.5, null];
	const on = (bit: number) => windowStates({ values, band: null }, bit).map((state) => state?.isOn ?? null);
	expect(on(0)).toEqual([true, false, null, null, null, null]);
	expect(on(1)).toEqual([false, true, null, null, null, null]);
});

test('knows that a bit did not change where the byte did not, and nothing else', () => {
	expect(windowStates({ values: [5, 5], band: { low: [5, 4], high: [5, 5] } }, 0)).toEqual([
		{ isOn: true, changed: false },
		{ isOn: true, ...unknown },
	]);
});

test('knows of no change where the service cannot tell', () => {
	expect(windowStates({ values: [1], band: null }, null)).toEqual([{ isOn: true, ...unknown }]);
});
