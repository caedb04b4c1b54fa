import fc from 'fast-check';

/** A diagram to save, with these fields. */
export function makeDiagramBody(fields: object) {
	return { id: 1, title: 'Plant', items: [], ...fields };
}

/** The entries of a diagram with a symbol and a value of variable 4, a bit of variable 18, and pipes. */
export const smallDiagram = {
	items: [
		{ key: 'raw', kind: 'tank', varId: 4, x: 0.2, y: 0.3, w: 0.1, h: 0.2, scale: [0, 4], label: 'Raw', words: 'above' },
		{ key: 'inv', kind: 'valve', varId: 18, bit: 3, x: 0.4, y: 0.3, w: 0.03, turn: 90 },
		{ varId: 4, x: 0.6, y: 0.1, tap: [0.2, 0.3] },
	],
	shapes: [{ key: 'riv', kind: 'source', x: 0.1, y: 0.9, w: 0.2, h: 0.1 }],
	pipes: [
		{ from: ['riv', 'top', 0.2], to: ['raw', 'left'], via: [[0.1, 0.3]], varId: 4, over: 2, thin: true },
		{ from: ['raw', 'right'], to: ['inv', 'in'], varId: 18, bit: 5 },
		{ from: ['inv', 'out'], to: ['riv', 'right'] },
	],
} as const;

/** From 0 to 1. Adding 0 turns -0 into 0, which is what JSON gives back. */
const fraction = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0);
const place = fc.tuple(fraction, fraction);
const size = fc.double({ min: 0.005, max: 1, noNaN: true });
const label = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' });
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const scale = fc.tuple(fc.integer(), fc.integer({ min: 1, max: 1000 })).map(([empty, span]) => [empty, empty + span]);
const words = fc.constantFrom('above', 'below', 'left', 'right');
const turn = fc.constantFrom(0, 90, 180, 270);
const varId = fc.integer({ min: 1, max: 4 });
const at = { x: fraction, y: fraction };

/** A symbol without its variable. Keys are given to it later. */
const symbol = fc.oneof(
	fc.record({
		kind: fc.constant('tank'),
		...at,
		w: size,
		h: size,
		scale: optional(scale),
		words: optional(words),
		label: optional(label),
	}),
	fc.record({ kind: fc.constantFrom('pump', 'valve'), ...at, w: size, turn: optional(turn), words: optional(words) }),
	fc.record({ kind: fc.constant('filter'), ...at, w: size, h: size, label: optional(label) }),
);
const shapeOnly = fc.oneof(
	fc.record({ kind: fc.constant('source'), ...at, w: size, h: size }),
	fc.record({ kind: fc.constant('network'), ...at, w: size, words: optional(words) }),
	fc.record({ kind: fc.constant('join'), ...at }),
);
const unkeyed = fc.oneof(
	fc.record({ kind: fc.constant('text'), ...at, label }),
	fc.record({ kind: fc.constant('frame'), ...at, w: size, h: size, label: optional(label) }),
);
const binding = fc.record({ varId, bit: optional(fc.integer({ min: 0, max: 7 })) });
const value = fc
	.tuple(binding, fc.record({ kind: optional(fc.constant('value')), ...at, label: optional(label), tap: optional(place) }))
	.map(([bound, drawn]) => ({ ...bound, ...drawn }));

/** Any diagram that can be saved, of variables 1 to 4. */
export const anyDiagram = fc
	.record({
		values: fc.array(value, { maxLength: 4 }),
		bound: fc.array(fc.tuple(binding, symbol), { maxLength: 5 }),
		shapes: fc.array(fc.oneof(symbol, shapeOnly), { maxLength: 5 }),
		unkeyed: fc.array(unkeyed, { maxLength: 3 }),
		pipes: fc.array(
			fc.record({
				ends: fc.tuple(fc.nat(), fc.nat()),
				sides: fc.tuple(fc.nat(), fc.nat()),
				places: fc.tuple(optional(fraction), optional(fraction)),
				via: optional(fc.array(place, { maxLength: 20 })),
				bound: optional(fc.tuple(binding, optional(fc.integer()))),
				thin: optional(fc.boolean()),
			}),
			{ maxLength: 6 },
		),
		ratio: optional(fc.double({ min: 0.25, max: 4, noNaN: true })),
		hasShapes: fc.boolean(),
	})
	.map(({ values, bound, shapes, unkeyed: texts, pipes, ratio, hasShapes }) => {
		const items = [...bound.map(([bind, drawn], index) => ({ ...drawn, ...bind, key: `i${index}` })), ...values];
		const keyed = shapes.map((drawn, index) => ({ ...drawn, key: `s${index}` }));
		const ends = [...items.slice(0, bound.length), ...(hasShapes ? keyed : [])].flatMap(({ kind, ...each }) =>
			'key' in each ? [{ kind: kind ?? 'value', key: each.key }] : [],
		);
		/** Returns the end of a pipe. Any numbers choose one of the ends and of its sides. */
		const endOf = (end: number, side: number, placeOnSide: number | undefined) => {
			const { kind, key } = ends[end % ends.length] ?? { kind: '', key: '' };
			const isOpen = kind === 'pump' || kind === 'valve';
			const sideNames = [...(isOpen ? ['in', 'out'] : []), 'left', 'right', 'top', 'bottom'];
			const sideName = sideNames[side % sideNames.length] ?? 'left';
			const hasPlace = placeOnSide !== undefined && kind !== 'join' && sideName !== 'in' && sideName !== 'out';
			return hasPlace ? [key, sideName, placeOnSide] : [key, sideName];
		};
		const drawnPipes = pipes.map(({ ends: pipeEnds, sides, places, via, bound: bind, thin }) => ({
			from: endOf(pipeEnds[0], sides[0], places[0]),
			to: endOf(pipeEnds[1], sides[1], places[1]),
			via,
			...(bind === undefined ? {} : { ...bind[0], over: bind[1] }),
			thin,
		}));
		return makeDiagramBody({
			items,
			...(ratio === undefined ? {} : { ratio }),
			...(hasShapes ? { shapes: [...keyed, ...texts] } : {}),
			...(ends.length > 0 ? { pipes: drawnPipes } : {}),
		});
	});
