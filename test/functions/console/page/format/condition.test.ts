import { afterEach, expect, test } from 'vitest';
import { language, numberStyle } from '#page/core/preferences.ts';
import { formatCondition, withUnit } from '#page/format/condition.ts';

afterEach(() => {
	language.value = 'en';
	numberStyle.value = 'region';
});

test.each([
	['<', 2, 'm', '< 2 m'],
	['>=', 0.5, 'mg/L', '≥ 0.5 mg/L'],
	['<=', -1, '', '≤ -1'],
	['==', 0, '', '= 0'],
	['!=', 1, '', '≠ 1'],
] as const)('formats the condition %s %d in "%s" as %s', (condition, threshold, unit, text) => {
	expect(formatCondition({ condition, threshold }, unit)).toBe(text);
});

test('has a decimal comma where numbers have one, and no space where there is no unit', () => {
	language.value = 'es';
	numberStyle.value = ',';
	expect(formatCondition({ condition: '>', threshold: 0.95 }, 'm')).toBe('> 0,95 m');
	expect([withUnit('1,87', 'm'), withUnit('0', '')]).toEqual(['1,87 m', '0']);
});
