import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bareSymbol, type DiagramDraft, emptyDraft } from '#page/screens/diagram/diagram-draft.ts';
import { clipOf, withClip } from '#page/screens/diagram/edit/clipboard.ts';
import { bigStep, gridStep, onDrawing, onGrid } from '#page/screens/diagram/edit/grid.ts';
import { bendAt, nearestPort, placeOfPort, withPipe, withPipeTurned } from '#page/screens/diagram/edit/pipe-edits.ts';
import { withMoved, without, withSymbol, withSymbolChange } from '#page/screens/diagram/edit/symbol-edits.ts';

const tank = { ...bareSymbol, kind: 'tank', x: 0.2, y: 0.5, w: 0.1, h: 0.25 } as const;
const pump = { ...bareSymbol, kind: 'pump', x: 0.6, y: 0.5, w: 0.04 } as const;
const two = withSymbol(withSymbol(emptyDraft, tank), pump);
const port = (symbol: number, side: 'left' | 'right' | 'in' | 'out', at: number | null = null) => ({ symbol, side, at });
const piped = withPipe(two, port(0, 'right', 0.9), port(1, 'in'), [[0.4, 0.6]]);

describe('a pipe', () => {
	test('gives its symbols keys, and leads from port to port', () => {
		expect(piped.symbols.map(({ key }) => key)).toEqual(['t1', 'p1']);
		expect(piped.pipes).toEqual([
			{ id: 2, from: ['t1', 'right', 0.9], to: ['p1', 'in'], via: [[0.4, 0.6]], varId: null, bit: null, over: 0, isThin: false },
		]);
	});

	test('leads from one symbol to another, with at most 20 bends', () => {
		expect(withPipe(two, port(0, 'left'), port(0, 'right'), [])).toBe(two);
		expect(withPipe(two, port(0, 'left'), port(9, 'right'), [])).toBe(two);
		const bends = (count: number) => Array.from({ length: count }, () => [0.5, 0.5] as const);
		expect(withPipe(two, port(0, 'left'), port(1, 'in'), bends(20)).pipes).toHaveLength(1);
		expect(withPipe(two, port(0, 'left'), port(1, 'in'), bends(21)).pipes).toHaveLength(0);
	});

	test('turned round twice is the same', () => {
		const once = withPipeTurned(piped, 2);
		expect(once.pipes[0]).toMatchObject({ from: ['p1', 'in'], to: ['t1', 'right', 0.9] });
		expect(withPipeTurned(once, 2)).toEqual(piped);
	});

	test('goes with the symbol at its end', () => {
		expect(without(piped, [1]).pipes).toEqual([]);
		expect(without(piped, [2]).symbols).toHaveLength(2);
	});

	test('keeps its ends where the kind of its symbol changes, and goes where no pipe can end', () => {
		expect(withSymbolChange(piped, 1, { kind: 'tank' }).pipes[0]?.to).toEqual(['p1', 'left']);
		expect(withSymbolChange(piped, 0, { kind: 'valve' }).pipes[0]?.from).toEqual(['t1', 'right', 0.9]);
		expect(withSymbolChange(piped, 1, { kind: 'frame' }).pipes).toEqual([]);
	});

	test('bends with both of its symbols, and not with one', () => {
		expect(withMoved(piped, [0], [0.1, 0.1]).pipes[0]?.via).toEqual([[0.4, 0.6]]);
		expect(withMoved(piped, [0, 1], [0.1, 0.1]).pipes[0]?.via).toEqual([[0.5, 0.7]]);
	});
});

describe('a copy', () => {
	test('has keys of its own, and the pipes between what was copied', () => {
		const { drawing, ids } = withClip(piped, clipOf(piped, [0, 1]), 0.03);
		expect(drawing.symbols.map(({ key }) => key)).toEqual(['t1', 'p1', 't2', 'p2']);
		expect(drawing.pipes[1]).toMatchObject({ from: ['t2', 'right', 0.9], to: ['p2', 'in'], via: [[0.43, 0.63]] });
		expect(ids).toEqual(drawing.symbols.slice(2).map(({ id }) => id));
	});

	test('of one symbol has no pipe', () => {
		expect(clipOf(piped, [1]).pipes).toEqual([]);
	});
});

describe('the nearest port', () => {
	const at = (draft: DiagramDraft, id: number, place: readonly [number, number]) => {
		const symbol = draft.symbols[id];
		return symbol === undefined ? null : nearestPort(symbol, place, 1.6);
	};
	test('of a tank is where the grid meets the nearest side, and its middle', () => {
		const near = at(two, 0, [0.248, 0.598]);
		expect(near).toMatchObject({ side: 'right' });
		expect(near === null ? null : placeOfPort(two, near)?.[1]).toBeCloseTo(0.6, 4);
		expect(at(two, 0, [0.151, 0.503])).toEqual(port(0, 'left'));
	});
	test('of a pump is one of its openings', () => {
		expect(at(two, 1, [0.58, 0.5])).toEqual(port(1, 'in'));
		expect(at(two, 1, [0.62, 0.48])).toEqual(port(1, 'out'));
	});
	test('of a text is none', () => {
		expect(at(withSymbol(emptyDraft, { ...bareSymbol, kind: 'text', label: 'x', x: 0.5, y: 0.5 }), 0, [0.5, 0.5])).toBeNull();
	});
});

test('a bend goes straight on where it is nearly in line, and where Alt says so', () => {
	expect(bendAt([0.504, 0.31], [0.5077, 0.2])).toEqual([0.5077, 0.31]);
	expect(bendAt([0.5049, 0.3111], [0.5077, 0.2], { isFree: true })).toEqual([0.5049, 0.3111]);
});

describe('places', () => {
	test('arrow keys lead to round numbers, from one edge to the other', () => {
		const steps = Array.from({ length: 101 });
		let place = 0;
		const reached = steps.map(() => {
			const before = place;
			place = onGrid(place + gridStep);
			return before;
		});
		expect(reached).toEqual(steps.map((_, index) => index / 100));
		expect(onGrid(0.15 + bigStep)).toBe(0.25);
	});

	test('stay on the drawing, and near to where they were', () => {
		fc.assert(
			fc.property(fc.double({ min: -5, max: 5, noNaN: true }), (place) => {
				for (const near of [onGrid(place), onDrawing(place)]) {
					expect(near).toBeGreaterThanOrEqual(0);
					expect(near).toBeLessThanOrEqual(1);
					if (place >= 0 && place <= 1) expect(Math.abs(near - place)).toBeLessThanOrEqual(gridStep / 2 + 1e-9);
				}
			}),
		);
	});

	test('of a group keep their distances at the edges', () => {
		fc.assert(
			fc.property(fc.double({ min: -2, max: 2, noNaN: true }), fc.double({ min: -2, max: 2, noNaN: true }), (dx, dy) => {
				const after = withMoved(piped, [0, 1], [dx, dy]);
				const [first, second] = after.symbols;
				expect((second?.x ?? 0) - (first?.x ?? 0)).toBeCloseTo(0.4, 3);
				expect((second?.y ?? 0) - (first?.y ?? 0)).toBeCloseTo(0, 3);
			}),
		);
	});
});
