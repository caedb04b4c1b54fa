import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textDifference } from '#page/parts/text-difference.ts';

describe('textDifference', () => {
	test('marks the words that differ', () => {
		const { before, after } = textDifference('{x} / ({y} - 2) * 100', '{x} / {y} * 100');
		expect(before.filter(({ changed }) => changed).map(({ text }) => text)).toEqual(['(', '- 2) ']);
		expect(after.filter(({ changed }) => changed)).toEqual([]);
	});

	test('keeps both texts whole, and what is not marked is the same in both', () => {
		fc.assert(
			fc.property(fc.string(), fc.string(), (one, other) => {
				const { before, after } = textDifference(one, other);
				const join = (parts: typeof before, only: boolean) =>
					parts
						.filter(({ changed }) => !only || !changed)
						.map(({ text }) => text)
						.join('');
				expect([join(before, false), join(after, false)]).toEqual([one, other]);
				expect(join(before, true)).toBe(join(after, true));
			}),
		);
	});
});
