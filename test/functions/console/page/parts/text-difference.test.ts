import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textDifference } from '#page/parts/text-difference.ts';

describe('textDifference', () => {
	test('marks the words that differ', () => {
		const { a, b } = textDifference('{x} / ({y} - 2) * 100', '{x} / {y} * 100');
		expect(a.filter(({ changed }) => changed).map(({ text }) => text)).toEqual(['(', '- 2) ']);
		expect(b.filter(({ changed }) => changed)).toEqual([]);
	});

	test('keeps both texts whole, and what is not marked is the same in both', () => {
		fc.assert(
			fc.property(fc.string(), fc.string(), (one, other) => {
				const { a, b } = textDifference(one, other);
				const join = (parts: typeof a, only: boolean) =>
					parts
						.filter(({ changed }) => !only || !changed)
						.map(({ text }) => text)
						.join('');
				expect([join(a, false), join(b, false)]).toEqual([one, other]);
				expect(join(a, true)).toBe(join(b, true));
			}),
		);
	});
});
