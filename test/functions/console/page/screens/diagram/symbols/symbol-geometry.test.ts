import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Side, type SymbolKind, sides } from '#domain/board/symbol-kinds.ts';
import {
	boxOf,
	kindGeometry,
	type PlacedSymbol,
	portOf,
	type Turn,
	wordsOf,
} from '#page/screens/diagram/symbols/symbol-geometry.ts';
import ports from '#test/vectors/diagram-ports.json' with { type: 'json' };

const ratio = 1.6;
const share = fc.double({ min: 0, max: 1, noNaN: true });
const kinds = Object.keys(kindGeometry) as SymbolKind[];
const turns: readonly Turn[] = [0, 90, 180, 270];

const placed: fc.Arbitrary<PlacedSymbol> = fc.record({
	kind: fc.constantFrom(...kinds),
	x: share,
	y: share,
	w: fc.option(share, { nil: undefined }),
	h: fc.option(share, { nil: undefined }),
	turn: fc.constantFrom(...turns),
});

test.each(ports)('port: $what', ({ symbol, side, at, place }) => {
	const [x, y] = portOf(symbol as PlacedSymbol, side as Side, at, ratio);
	expect(x).toBeCloseTo(place[0] ?? Number.NaN, 9);
	expect(y).toBeCloseTo(place[1] ?? Number.NaN, 9);
});

describe('the geometry of symbols', () => {
	test('every port lies within the box of its symbol', () => {
		fc.assert(
			fc.property(placed, share, fc.double({ min: 0.2, max: 5, noNaN: true }), (symbol, at, anyRatio) => {
				const { left, top, width, height } = boxOf(symbol, anyRatio);
				for (const side of sides) {
					const [x, y] = portOf(symbol, side, at, anyRatio);
					expect(x).toBeGreaterThanOrEqual(left - 1e-9);
					expect(x).toBeLessThanOrEqual(left + width + 1e-9);
					expect(y).toBeGreaterThanOrEqual(top - 1e-9);
					expect(y).toBeLessThanOrEqual(top + height + 1e-9);
				}
			}),
		);
	});

	test('a pump and a valve are as high as they are wide, on the screen', () => {
		fc.assert(
			fc.property(placed, (symbol) => {
				fc.pre(symbol.kind === 'pump' || symbol.kind === 'valve');
				const { width, height } = boxOf(symbol, ratio);
				expect(height / ratio).toBeCloseTo(width, 9);
			}),
		);
	});

	test('a turn by half puts the intake and the outlet on the other side of the middle', () => {
		const upright = { kind: 'pump', x: 0.5, y: 0.5, w: 0.1 } as const;
		for (const side of ['in', 'out'] as const) {
			const [x, y] = portOf({ ...upright, turn: 0 }, side, 0.5, 1);
			const [turnedX, turnedY] = portOf({ ...upright, turn: 180 }, side, 0.5, 1);
			expect(x + turnedX).toBeCloseTo(1, 9);
			expect(y + turnedY).toBeCloseTo(1, 9);
		}
	});

	test('words stand where they are wanted, otherwise where no pipe leaves the symbol', () => {
		const at = (kind: SymbolKind, turn?: Turn) => wordsOf({ kind, x: 0, y: 0, turn }, undefined);
		expect([at('tank'), at('pump'), at('valve', 180), at('pump', 90), at('pump', 270), at('network')]).toEqual([
			...['above', 'below', 'below', 'right', 'right', 'below'],
		]);
		expect(wordsOf({ kind: 'pump', x: 0, y: 0, turn: 90 }, 'left')).toBe('left');
	});
});
