import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReportColumn } from '#page/screens/report/report-model.ts';
import { riseWords } from '#page/screens/report/rise-words.ts';
import { makeColumn } from './report-columns.ts';

const bounded = (value: number | null, low = value, high = value) => ({ value, low, high });

/** A night flow in m³/h above a reference of which nights are usually `spread` away. */
const risen = (rise: ReturnType<typeof bounded>, percent: ReturnType<typeof bounded>, spread: number | null): ReportColumn => {
	const reference = { from: '2026-10-01', nights: 28, taken: 28, ...bounded(20), spread };
	const total = { ...bounded(30), known: 1 };
	return makeColumn(
		{ function: 'leastMean', decimals: 1 },
		{ reference, rise: { windows: [], total: { ...rise, percent } }, total },
	);
};

test('a rise has its sign, its per cent, its bounds rounded outwards, and what is as usual', () => {
	expect(riseWords(risen(bounded(12.44, 10.16, 14.71), bounded(62.2, 50.8, 73.5), 3), null)).toEqual({
		number: '+12.4',
		size: '12.4',
		percent: '+62\u202f%',
		percentBounds: '+50 to +74\u202f%',
		bounds: '+10.1 to +14.8',
		boundsInUnit: '+10.1 to +14.8 m³/h',
		usual: '±\u202f6.0',
		isBeyond: true,
		isFall: false,
		isBelow: false,
	});
	expect(riseWords(risen(bounded(-3), bounded(-15), null), null)).toEqual({
		...{
			number: '−3.0',
			size: '3.0',
			boundsInUnit: null,
			isFall: true,
			isBelow: false,
			percent: '−15\u202f%',
			percentBounds: null,
			bounds: null,
			usual: null,
			isBeyond: false,
		},
	});
	// Nothing is known but up to where it may be.
	expect(riseWords(risen(bounded(null, null, 4.21), bounded(null), 3), null)).toMatchObject({
		...{ number: null, percent: null, bounds: '+4.3 or less', isBeyond: false },
	});
	expect(riseWords(risen(bounded(null), bounded(null), 3), null)).toBeNull();
	expect(riseWords(makeColumn({ function: 'leastMean' }), null)).toBeNull();
});

test('a rise up to twice the spread is as usual, and so is every fall', () => {
	const isBeyond = (value: number | null, spread: number | null) =>
		riseWords(risen(bounded(value, 0, 99), bounded(value), spread), null)?.isBeyond;
	expect([isBeyond(0, 5), isBeyond(10, 5), isBeyond(-10.1, 5), isBeyond(0, 0)]).toEqual([false, false, false, false]);
	expect([isBeyond(10.1, 5), isBeyond(0.1, 0)]).toEqual([true, true]);
	expect([isBeyond(null, 5), isBeyond(3, null)]).toEqual([false, false]);
});

test('a number that is not shown, because too little is known, has no rise: only its bounds are told', () => {
	const rise = { ...bounded(0, -17, 183), percent: bounded(0, -100, 1074) };
	const months = { ...bounded(17, 0, 200), expected: 333, taken: 27 };
	const wordsOf = (known: number) => {
		const reference = { from: '2026-10-01', nights: 28, taken: 28, ...bounded(17), spread: 1 };
		return riseWords(
			makeColumn({ function: 'leastMean' }, { reference, rise: { windows: [], total: rise }, total: { ...months, known } }),
			null,
		);
	};
	expect(wordsOf(0.08)).toMatchObject({ number: null, size: null, percent: null, isBeyond: false });
	expect(wordsOf(0.08)?.bounds).toMatch(/^−17.* to \+183/);
	expect(wordsOf(0.5)).toMatchObject({ number: '0', percent: '0\u202f%' });
});

test('the bounds of a rise hold every rise between them, whatever the decimals', () => {
	const number = fc.double({ min: -1e6, max: 1e6, noNaN: true });
	fc.assert(
		fc.property(number, number, (a, b) => {
			const [low, high] = [Math.min(a, b), Math.max(a, b)];
			const words = riseWords(risen(bounded(null, low, high), bounded(null), null), null)?.bounds;
			if (words == null) return;
			const [least = Number.NaN, most = Number.NaN] = words
				.split(' to ')
				.map((word) => Number(word.replaceAll('\u202f', '').replace('−', '-')));
			expect(least).toBeLessThanOrEqual(low + 1e-6);
			expect(most).toBeGreaterThanOrEqual(high - 1e-6);
		}),
	);
});
