import { describe, expect, test } from 'vitest';
import { bitOf, isByte } from '#domain/variable/byte.ts';

describe('bitOf and isByte', () => {
	test.each(Array.from({ length: 256 }, (_, byte) => [byte, byte.toString(2).padStart(8, '0')] as const))(
		'read byte %i as the bits %s, of which the last is bit 0',
		(byte, text) => {
			const states = Array.from({ length: 8 }, (_, position) => bitOf(byte, position));
			expect(states).toEqual([...text].reverse().map(Number));
			expect(isByte(byte)).toBe(true);
		},
	);

	test.each([
		-1,
		256,
		0.5,
		127.5,
		254.999,
		255.00000000000003,
		2 ** 32,
		2 ** 32 + 1,
		Number.NaN,
		Number.POSITIVE_INFINITY,
		Number.NEGATIVE_INFINITY,
	])('reject %d as a byte', (value) => {
		expect(isByte(value)).toBe(false);
	});
});
