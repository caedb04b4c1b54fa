import fc from 'fast-check';
import { expect, test } from 'vitest';
import { slotCounts } from '#domain/calendar/slots.ts';

test('a slot belongs to the window in which it begins', () => {
	expect(slotCounts([0, 25, 50, 75, 100], 10)).toEqual([3, 2, 3, 2]);
});

test('a slot that ends with the last bound counts, one that ends after it does not', () => {
	expect(slotCounts([0, 30], 10)).toEqual([3]);
	expect(slotCounts([0, 29], 10)).toEqual([2]);
});

test('a slot that began before the first bound does not count', () => {
	expect(slotCounts([1, 20], 10)).toEqual([1]);
	expect(slotCounts([0, 20], 10)).toEqual([2]);
});

test('a window in which no slot begins has 0', () => {
	expect(slotCounts([1, 5, 9, 30], 10)).toEqual([0, 0, 2]);
	expect(slotCounts([0, 5], 10)).toEqual([0]);
});

test('slots are the multiples since the epoch that begin in a window and end by the last bound', () => {
	const anyCase = fc.record({
		first: fc.oneof(fc.integer({ min: -500, max: 500 }), fc.integer({ min: 4_000_000_000_000, max: 4_000_000_000_500 })),
		lengths: fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 }),
		slotMs: fc.integer({ min: 1, max: 100 }),
	});
	fc.assert(
		fc.property(anyCase, ({ first, lengths, slotMs }) => {
			let last = first;
			const bounds = [first, ...lengths.map((length) => (last += length))];
			const expected = lengths.map(() => 0);
			for (let time = first; time + slotMs <= last; time += 1) {
				const window = bounds.findLastIndex((bound) => bound <= time);
				if (time % slotMs === 0) expected[window] = (expected[window] ?? 0) + 1;
			}
			expect(slotCounts(bounds, slotMs)).toEqual(expected);
		}),
	);
});
