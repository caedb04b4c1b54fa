import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { visibleRangeOf } from '#page/parts/visible-range.ts';

const list = { scrollTop: 0, viewportHeight: 100, rowHeight: 10, count: 1000 };

describe('visibleRangeOf', () => {
	test('begins at the top with the rows in view and as many again below', () => {
		expect(visibleRangeOf(list)).toEqual({ from: 0, to: 20 });
	});

	test('covers one view above and one below', () => {
		expect(visibleRangeOf({ ...list, scrollTop: 500 })).toEqual({ from: 40, to: 70 });
	});

	test('ends at the last row', () => {
		expect(visibleRangeOf({ ...list, scrollTop: 9900 })).toEqual({ from: 980, to: 1000 });
	});

	test('shows the end of a list that became shorter than the place scrolled to', () => {
		expect(visibleRangeOf({ ...list, scrollTop: 9900, count: 30 })).toEqual({ from: 10, to: 30 });
	});

	test.each([{ rowHeight: 0 }, { rowHeight: Number.NaN }, { viewportHeight: 0 }])(
		'shows a first few rows before anything is measured: %o',
		(unmeasured) => {
			expect(visibleRangeOf({ ...list, ...unmeasured })).toEqual({ from: 0, to: 50 });
			expect(visibleRangeOf({ ...list, ...unmeasured, count: 3 })).toEqual({ from: 0, to: 3 });
		},
	);

	test('always has every row of which a part is in view', () => {
		fc.assert(
			fc.property(
				fc.nat(50_000),
				fc.integer({ min: 1, max: 2000 }),
				fc.integer({ min: 8, max: 90 }),
				fc.integer({ min: 1, max: 5000 }),
				(scrolled, viewportHeight, rowHeight, count) => {
					const scrollTop = Math.min(scrolled, Math.max(0, count * rowHeight - viewportHeight));
					const { from, to } = visibleRangeOf({ scrollTop, viewportHeight, rowHeight, count });
					expect(from * rowHeight).toBeLessThanOrEqual(scrollTop);
					expect(to === count || to * rowHeight >= scrollTop + viewportHeight).toBe(true);
					expect(to - from).toBeLessThanOrEqual(3 * Math.ceil(viewportHeight / rowHeight) + 3);
				},
			),
		);
	});
});
