import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { barGeometryOf } from '#page/parts/bar-geometry.ts';

const bar = { scale: { from: 0, to: 10 }, band: null, limits: [], value: null, excessFrom: null };

describe('barGeometryOf', () => {
	test('places value, band and limits by the scale', () => {
		expect(barGeometryOf({ ...bar, band: { from: 2, to: 6 }, limits: [8], value: 5 })).toEqual({
			pointer: 50,
			band: { left: 20, width: 40 },
			limits: [80],
			excess: null,
		});
	});

	test('places zero at its place and not nowhere', () => {
		expect(barGeometryOf({ ...bar, value: 0 })?.pointer).toBe(0);
		expect(barGeometryOf({ ...bar, scale: { from: -10, to: 10 }, value: 0 })?.pointer).toBe(50);
	});

	test.each([null, Number.NaN, Number.POSITIVE_INFINITY])('has no pointer and no excess for %s', (value) => {
		expect(barGeometryOf({ ...bar, value, excessFrom: 3 })).toMatchObject({ pointer: null, excess: null });
	});

	test('keeps a value beyond the scale at its end', () => {
		expect(barGeometryOf({ ...bar, value: 12 })?.pointer).toBe(100);
		expect(barGeometryOf({ ...bar, value: -3 })?.pointer).toBe(0);
	});

	test('leaves out limits beyond the scale, and keeps those at its ends', () => {
		expect(barGeometryOf({ ...bar, limits: [-0.1, 0, 10, 10.1] })?.limits).toEqual([0, 100]);
	});

	test('shows the excess from the limit to the value, above and below', () => {
		expect(barGeometryOf({ ...bar, value: 9, excessFrom: 7 })?.excess).toEqual({ left: 70, width: 20 });
		expect(barGeometryOf({ ...bar, value: 1, excessFrom: 4 })?.excess).toEqual({ left: 10, width: 30 });
	});

	test.each([
		{ from: 5, to: 5 },
		{ from: 6, to: 5 },
		{ from: Number.NaN, to: 1 },
	])('is nothing on the scale $from to $to', (scale) => {
		expect(barGeometryOf({ ...bar, scale, value: 5 })).toBeNull();
	});

	test('stays within the bar for every scale and value', () => {
		const number = fc.double({ noNaN: true, noDefaultInfinity: true });
		fc.assert(
			fc.property(number, number, number, number, number, (from, to, value, low, high) => {
				const geometry = barGeometryOf({ ...bar, scale: { from, to }, value, band: { from: low, to: high }, excessFrom: low });
				expect(geometry !== null).toBe(from < to);
				if (geometry === null) return;
				for (const part of [geometry.band, geometry.excess])
					if (part !== null) {
						expect(part.left).toBeGreaterThanOrEqual(0);
						expect(part.width).toBeGreaterThanOrEqual(0);
						expect(part.left + part.width).toBeLessThanOrEqual(100.000001);
					}
				expect(geometry.pointer).toBeGreaterThanOrEqual(0);
				expect(geometry.pointer).toBeLessThanOrEqual(100);
			}),
		);
	});
});
