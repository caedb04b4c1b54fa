import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatAge } from '#page/format/time.ts';

test.each([
	[-500, '0 s'],
	[0, '0 s'],
	[1499, '1 s'],
	[1500, '2 s'],
	[59_499, '59 s'],
	[59_500, '1 min'],
	[3_569_999, '59 min'],
	[3_570_000, '1 h'],
	[91 * 60_000, '1 h 31 min'],
	[86_369_999, '23 h 59 min'],
	[86_370_000, '1 d'],
	[3.9 * 86_400_000, '3 d 22 h'],
	[30 * 86_400_000, '30 d'],
])('%d ms is %s', (ms, expected) => {
	expect(formatAge(ms)).toBe(expected);
});

const unitsMs: Readonly<Record<string, number>> = { s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 };

test('a duration is at most half of the smallest unit beside its text, which never goes back', () => {
	const msOf = (text: string) =>
		[...text.matchAll(/(\d+) (\w+)/g)].reduce(
			(sum, [, count, unit = '']) => sum + Number(count) * (unitsMs[unit] ?? Number.NaN),
			0,
		);
	const anyMs = fc.oneof(...[120_000, 7_200_000, 200_000_000, 4_000_000_000].map((max) => fc.integer({ min: 0, max })));
	fc.assert(
		fc.property(anyMs, anyMs, (one, other) => {
			const smallest = one < 59_500 ? 1000 : one < 86_370_000 ? 60_000 : 3_600_000;
			expect(Math.abs(msOf(formatAge(one)) - one)).toBeLessThanOrEqual(smallest / 2);
			expect(Math.sign(msOf(formatAge(one)) - msOf(formatAge(other))) * Math.sign(one - other)).toBeGreaterThanOrEqual(0);
		}),
		{ numRuns: 5000 },
	);
});
