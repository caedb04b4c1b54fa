import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Side, SymbolKind } from '#domain/board/symbol-kinds.ts';
import { leaderPoints, linePoints, markOf, pipePoints } from '#page/screens/diagram/symbols/pipe-geometry.ts';
import { kindGeometry, type PlacedSymbol, type Point, portAxis, portOf } from '#page/screens/diagram/symbols/symbol-geometry.ts';

const ratio = 1.6;
const share = fc.double({ min: 0, max: 1, noNaN: true });
const point = fc.tuple(share, share);
const symbol = fc.record({
	kind: fc.constantFrom(...(Object.keys(kindGeometry) as SymbolKind[])),
	x: share,
	y: share,
	turn: fc.constantFrom(...([0, 90, 180, 270] as const)),
});
const side = fc.constantFrom(...(['left', 'right', 'top', 'bottom', 'in', 'out'] as const));

const tank = (x: number, y: number): PlacedSymbol => ({ kind: 'tank', x, y, w: 0.1, h: 0.2 });
const pipe = (symbols: Readonly<Record<string, PlacedSymbol>>, from: Side, to: Side, via?: readonly Point[]) =>
	pipePoints({ from: ['a', from], to: ['b', to], via }, new Map(Object.entries(symbols)), ratio);

describe('the places of a pipe', () => {
	const symbols = { a: tank(0.2, 0.5), b: tank(0.8, 0.5) };

	test('ports in line are joined straight', () => {
		expect(pipe(symbols, 'right', 'left')).toEqual([
			[0.25, 0.5],
			[0.75, 0.5],
		]);
	});

	test('ports that face the same way have two corners in the middle', () => {
		expect(pipe({ ...symbols, b: tank(0.8, 0.7) }, 'right', 'left')).toEqual([
			[0.25, 0.5],
			[0.5, 0.5],
			[0.5, 0.7],
			[0.75, 0.7],
		]);
		const below = { a: tank(0.2, 0.3), b: tank(0.6, 0.8) };
		expect(pipe(below, 'bottom', 'top')?.map(([x, y]) => [x, Math.round(y * 1e9) / 1e9])).toEqual([
			[0.2, 0.4],
			[0.2, 0.55],
			[0.6, 0.55],
			[0.6, 0.7],
		]);
	});

	test('ports at a right angle have one corner', () => {
		expect(pipe({ ...symbols, b: tank(0.8, 0.9) }, 'right', 'top')).toEqual([
			[0.25, 0.5],
			[0.8, 0.5],
			[0.8, 0.8],
		]);
	});

	test('a pipe leaves its ports straight, and joins its bends as they are', () => {
		expect(
			pipe(symbols, 'right', 'top', [
				[0.4, 0.2],
				[0.6, 0.1],
			]),
		).toEqual([
			[0.25, 0.5],
			[0.4, 0.5],
			[0.4, 0.2],
			[0.6, 0.1],
			[0.8, 0.1],
			[0.8, 0.4],
		]);
	});

	test('is null where a symbol is missing', () => {
		expect(pipe({ a: tank(0.2, 0.5) }, 'right', 'left')).toBeNull();
	});

	test('it begins and ends at its ports, leads through every bend, and leaves ports straight', () => {
		let leftStraight = 0;
		fc.assert(
			fc.property(symbol, symbol, side, side, fc.array(point, { maxLength: 20 }), (a, b, from, to, via) => {
				const points = pipe({ a, b }, from, to, via) ?? [];
				expect(points[0]).toEqual(portOf(a, from, 0.5, ratio));
				expect(points.at(-1)).toEqual(portOf(b, to, 0.5, ratio));
				for (const bend of via) expect(points).toContainEqual(bend);
				const [[x, y], [nextX, nextY]] = [points[0] ?? [0, 0], points[1] ?? [0, 0]];
				const [across, along] = portAxis(a, from) === 'level' ? [y - nextY, x - nextX] : [x - nextX, y - nextY];
				// Within the slack of two units, or along an axis that another port or bend is in line with.
				if (Math.abs(across) < 2.5e-3 * ratio || Math.abs(along) < 2.5e-3 * ratio) leftStraight += 1;
			}),
		);
		expect(leftStraight).toBe(100);
	});
});

describe('the mark of a pipe', () => {
	test('stands in the middle of the longest part, in its direction', () => {
		expect(
			markOf(
				[
					[0, 0],
					[0.1, 0],
					[0.1, 0.8],
				],
				ratio,
			),
		).toEqual({ x: 100, y: 250, angle: 90 });
		expect(
			markOf(
				[
					[0.5, 0.2],
					[0.1, 0.2],
				],
				ratio,
			),
		).toEqual({ x: 300, y: 125, angle: 180 });
	});

	test('is null without a length', () => {
		expect(
			markOf(
				[
					[0.5, 0.5],
					[0.5, 0.5],
				],
				ratio,
			),
		).toBeNull();
		expect(markOf([], ratio)).toBeNull();
	});

	test('lies on the pipe', () => {
		fc.assert(
			fc.property(fc.array(point, { minLength: 2, maxLength: 22 }), (points) => {
				const mark = markOf(points, ratio);
				if (mark === null) return;
				const middles = points.slice(1).map(([x, y], index) => {
					const [fromX, fromY] = points[index] ?? [Number.NaN, Number.NaN];
					return [((x + fromX) / 2) * 1000, (((y + fromY) / 2) * 1000) / ratio] as const;
				});
				expect(middles.some(([x, y]) => Math.hypot(x - mark.x, y - mark.y) < 0.02)).toBe(true);
			}),
		);
	});
});

test('lines are written in units of the drawing, with two decimals at most', () => {
	expect(
		linePoints(
			[
				[0, 0],
				[1 / 3, 1],
			],
			ratio,
		),
	).toBe('0,0 333.33,625');
});

test('a leader is level first, then upright', () => {
	expect(leaderPoints(0.1, 0.2, [0.3, 0.4])).toEqual([
		[0.1, 0.2],
		[0.3, 0.2],
		[0.3, 0.4],
	]);
});
