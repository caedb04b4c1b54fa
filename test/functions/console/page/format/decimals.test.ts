import { expect, test } from 'vitest';
import { decimalsOfVariable, noteValues } from '#page/format/decimals.ts';

test('decimals of a variable follow all values that it has had, and do not change back', () => {
	noteValues(1, [0, 4]);
	expect(decimalsOfVariable(1)).toBe(0);
	noteValues(1, [4.5]);
	expect(decimalsOfVariable(1)).toBe(2);
	noteValues(1, [258.3]);
	expect(decimalsOfVariable(1)).toBe(1);
	noteValues(1, [2, null]);
	expect(decimalsOfVariable(1)).toBe(1);
	expect(decimalsOfVariable(2)).toBe(2);
});
