import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { numberStyle } from '#page/core/preferences.ts';
import { proposedLengths, typedLength } from '#page/screens/variable-editor/add/lengths.ts';
import { durationMsOf } from '#page/screens/variable-editor/draft.ts';

const text = ({ count, unit }: { readonly count: string; readonly unit: string }): string => `${count} ${unit}`;

describe('the lengths of a series', () => {
	test.each([
		[5, '5 s', '1 h'],
		[9.98, '10 s', '1 h'],
		[10.4, '10 s', '1 h'],
		[0.25, '1 s', '1 h'],
		[59, '1 m', '1 h'],
		[900, '15 m', '3 h'],
		[3600, '1 h', '12 h'],
		[86_400, '1 d', '7 d'],
		[null, '1 d', '7 d'],
	])('with samples every %s s: expected every %s, looks back %s', (interval, period, lookback) => {
		const proposed = proposedLengths(interval);
		expect([text(proposed.period), text(proposed.lookback)]).toEqual([period, lookback]);
	});

	test('are never too short for the samples', () => {
		fc.assert(
			fc.property(fc.double({ min: 0.001, max: 86_400, noNaN: true }), (interval) => {
				const { period, lookback } = proposedLengths(interval);
				const [periodMs, backMs] = [durationMsOf(period.count, period.unit), durationMsOf(lookback.count, lookback.unit)];
				expect(periodMs).toBeGreaterThanOrEqual(interval * 900);
				expect(backMs).toBeGreaterThanOrEqual(Math.max(3_600_000, 7 * periodMs));
			}),
		);
	});
});

describe('a typed length', () => {
	test.each([
		['10 s', '10 s'],
		['10s', '10 s'],
		[' 5 min ', '5 m'],
		['1.5 h', '1.5 h'],
		['2 días', '2 d'],
		['1 mes', '1 mo'],
		['3 months', '3 mo'],
		['1 año', '1 y'],
	])('%s is %s', (typed, length) => {
		const parsed = typedLength(typed);
		expect(parsed === null ? null : text(parsed)).toBe(length);
	});

	test.each(['', '10', 's', 'ten s', '-1 s', '1 fortnight', '1 constructor', '1 2 s', '1,5 h', '1,500 s'])(
		'%s is none',
		(typed) => {
			expect(typedLength(typed)).toBeNull();
		},
	);

	test('has the decimal sign that numbers are shown with', () => {
		numberStyle.value = ',';
		expect([typedLength('1,5 h'), typedLength('1.5 h')]).toEqual([{ count: '1,5', unit: 'h' }, null]);
		numberStyle.value = 'region';
	});
});
