import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stripSegmentsOf } from '#page/parts/strip-segments.ts';

describe('stripSegmentsOf', () => {
	test('joins neighbours of one state and leaves out what is off', () => {
		expect(stripSegmentsOf([false, true, true, false])).toEqual([{ state: 'on', from: 25, to: 75 }]);
	});

	test('shows what is unknown, which is not off', () => {
		expect(stripSegmentsOf([true, null, null, true])).toEqual([
			{ state: 'on', from: 0, to: 25 },
			{ state: 'unknown', from: 25, to: 75 },
			{ state: 'on', from: 75, to: 100 },
		]);
	});

	test('is unknown as a whole without a state', () => {
		expect(stripSegmentsOf([])).toEqual([{ state: 'unknown', from: 0, to: 100 }]);
	});

	test('is empty when everything is off', () => {
		expect(stripSegmentsOf([false, false])).toEqual([]);
	});

	test('covers each state with its share of the width, in order', () => {
		fc.assert(
			fc.property(fc.array(fc.option(fc.boolean()), { minLength: 1, maxLength: 60 }), (states) => {
				const segments = stripSegmentsOf(states);
				const covered = (state: string) =>
					segments.reduce((sum, one) => (one.state === state ? sum + one.to - one.from : sum), 0);
				const share = (state: boolean | null) => (states.filter((one) => one === state).length / states.length) * 100;
				expect(covered('on')).toBeCloseTo(share(true), 6);
				expect(covered('unknown')).toBeCloseTo(share(null), 6);
				for (const [index, { from, to }] of segments.entries()) {
					expect(from).toBeLessThan(to);
					expect(from).toBeGreaterThanOrEqual(segments[index - 1]?.to ?? 0);
				}
			}),
		);
	});
});
