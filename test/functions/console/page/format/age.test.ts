import { expect, test } from 'vitest';
import { formatAge } from '#page/format/time.ts';

test.each([
	[-500, '0 s'],
	[0, '0 s'],
	[1999, '1 s'],
	[59_999, '59 s'],
	[60_000, '1 min'],
	[3_599_999, '59 min'],
	[3_600_000, '1 h'],
	[91 * 60_000, '1 h 31 min'],
	[86_399_999, '23 h 59 min'],
	[86_400_000, '1 d'],
	[3.9 * 86_400_000, '3 d'],
])('%d ms is %s', (ms, expected) => {
	expect(formatAge(ms)).toBe(expected);
});
