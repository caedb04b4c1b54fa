import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WindowState } from '#page/core/past/window-states.ts';
import { stripSegmentsOf } from '#page/parts/strip-segments.ts';

/** States as a text: 1 on, 0 off, x both, ? unknown. */
const statesOf = (text: string): readonly (WindowState | null)[] =>
	[...text].map((state) => (state === '?' ? null : { isOn: state !== '0', changed: state === 'x' }));

describe('stripSegmentsOf', () => {
	test('joins neighbours of one state and leaves out what is off', () => {
		expect(stripSegmentsOf(statesOf('0110'))).toEqual([{ state: 'on', from: 25, to: 75 }]);
	});

	test('shows what is unknown, which is not off', () => {
		expect(stripSegmentsOf(statesOf('1??1'))).toEqual([
			{ state: 'on', from: 0, to: 25 },
			{ state: 'unknown', from: 25, to: 75 },
			{ state: 'on', from: 75, to: 100 },
		]);
	});

	test('shows where both were, which is neither on nor off', () => {
		expect(stripSegmentsOf(statesOf('1xx0'))).toEqual([
			{ state: 'on', from: 0, to: 25 },
			{ state: 'mixed', from: 25, to: 75 },
		]);
	});

	test('is unknown as a whole without a state', () => {
		expect(stripSegmentsOf([])).toEqual([{ state: 'unknown', from: 0, to: 100 }]);
	});

	test('is empty when everything is off', () => {
		expect(stripSegmentsOf(statesOf('00'))).toEqual([]);
	});

	test('covers each state with its share of the width, in order', () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom('0', '1', 'x', '?'), { minLength: 1, maxLength: 60 }), (states) => {
				const segments = stripSegmentsOf(statesOf(states.join('')));
				const covered = (state: string) =>
					segments.reduce((sum, one) => (one.state === state ? sum + one.to - one.from : sum), 0);
				const share = (state: string) => (states.filter((one) => one === state).length / states.length) * 100;
				expect(covered('on')).toBeCloseTo(share('1'), 6);
				expect(covered('mixed')).toBeCloseTo(share('x'), 6);
				expect(covered('unknown')).toBeCloseTo(share('?'), 6);
				for (const [index, { from, to }] of segments.entries()) {
					expect(from).toBeLessThan(to);
					expect(from).toBeGreaterThanOrEqual(segments[index - 1]?.to ?? 0);
				}
			}),
		);
	});
});
