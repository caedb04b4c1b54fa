import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { spreadLabels } from '#page/screens/trend/plot-places.ts';

describe('labels', () => {
	test('stay where they are while there is room', () => {
		expect(spreadLabels([10, 80], 16, 200)).toEqual([10, 80]);
	});

	test('that would cover each other stand side by side, in the order of their places', () => {
		expect(spreadLabels([80, 76], 16, 200)).toEqual([92, 76]);
	});

	test('never cover each other, nor leave the room while they fit', () => {
		const places = fc.array(fc.double({ min: -20, max: 220, noNaN: true }), { maxLength: 12 });
		fc.assert(
			fc.property(places, (wanted) => {
				const spread = spreadLabels(wanted, 16, 200).toSorted((a, b) => a - b);
				for (const [index, place] of spread.entries()) {
					if (index > 0) expect(place - (spread[index - 1] ?? 0)).toBeGreaterThanOrEqual(16 - 1e-9);
					expect(place).toBeLessThanOrEqual(200 - 16 + 1e-9);
				}
			}),
		);
	});
});
