import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diagramSchema } from '#domain/board/diagram.ts';
import { diagramItemKinds, shapeKinds, symbolKinds } from '#domain/board/symbol-kinds.ts';
import { parse } from '#domain/validation/parse.ts';
import { createDraftEditor } from '#page/core/draft-editor.ts';
import { bareSymbol, type DiagramDraft, emptyDraft, inputOf } from '#page/screens/diagram/diagram-draft.ts';
import { withFrames } from '#page/screens/diagram/edit/beginnings.ts';
import { clipOf, withClip } from '#page/screens/diagram/edit/clipboard.ts';
import { createDrawingHistory, maxSteps } from '#page/screens/diagram/edit/drawing-history.ts';
import { countsOf, exceededBy, maxCounts } from '#page/screens/diagram/edit/limits.ts';
import { type PipePort, withBends, withPipe, withPipeEnd, withPipeTurned } from '#page/screens/diagram/edit/pipe-edits.ts';
import {
	canBeBound,
	withCorner,
	withMoved,
	without,
	withPipeChange,
	withResized,
	withSymbol,
	withSymbolChange,
} from '#page/screens/diagram/edit/symbol-edits.ts';

type Edit = (draft: DiagramDraft) => DiagramDraft;
/** An edit of the drawing, or one of the keys of undo. */
type Act = Edit | 'undo' | 'redo';

/** Chooses entries of whatever is drawn by then. */
const pick = <Entry>(entries: readonly Entry[], at: number): Entry | undefined => entries[Math.floor(at * entries.length)];
const idsOf = ({ symbols, pipes }: DiagramDraft, places: readonly number[]): readonly number[] =>
	places.flatMap((at) => pick([...symbols, ...pipes], at)?.id ?? []);

const share = fc.double({ min: 0, max: 0.999, noNaN: true });
const any = fc.double({ min: -2, max: 2, noNaN: true });
/** A number as the forms of the editor parse it: never -0, which the service refuses. */
const typed = any.map((value) => (value === 0 ? 0 : value));
const kind = fc.constantFrom(...new Set([...diagramItemKinds, ...shapeKinds]));
const varId = fc.option(fc.integer({ min: 1, max: 60 }));
const label = fc.constantFrom('', '  ', 'Tank', 'Depósito <b>', 'x'.repeat(200));
const point = fc.tuple(any, any);
const port = fc.record({ at: share, side: share, along: fc.option(any) });
type PickedPort = { readonly at: number; readonly side: number; readonly along: number | null };
/** A port of a symbol that has some; sometimes of one that has none. */
const portIn = ({ symbols }: DiagramDraft, { at, side, along }: PickedPort): PipePort => {
	const piped = symbols.filter((each) => symbolKinds[each.kind].sides.length > 0);
	const symbol = pick(at < 0.1 ? symbols : piped, at);
	return {
		symbol: symbol?.id ?? -1,
		side: pick(symbol === undefined ? [] : symbolKinds[symbol.kind].sides, side) ?? 'left',
		at: along,
	};
};

const edits: fc.Arbitrary<Act> = fc.oneof(
	{ weight: 3, arbitrary: fc.constantFrom<Act>('undo', 'redo') },
	{
		weight: 6,
		arbitrary: fc.tuple(kind, varId, label, point).map(([chosen, variable, words, [x, y]]): Edit => {
			const bound = canBeBound(chosen) ? variable : null;
			if (chosen === 'value' && bound === null) return (draft) => draft;
			const place = { x: Math.abs(x % 1), y: Math.abs(y % 1) };
			return (draft) => withSymbol(draft, { ...bareSymbol, kind: chosen, varId: bound, label: words, ...place });
		}),
	},
	{
		weight: 6,
		arbitrary: fc.tuple(port, port, fc.array(point, { maxLength: 21 })).map(
			([from, to, via]): Edit =>
				(draft) =>
					withPipe(draft, portIn(draft, from), portIn(draft, to), via),
		),
	},
	fc.tuple(fc.array(share, { maxLength: 4 }), point).map(
		([places, by]): Edit =>
			(draft) =>
				withMoved(draft, idsOf(draft, places), by),
	),
	fc.tuple(fc.array(share, { maxLength: 4 }), point).map(
		([places, by]): Edit =>
			(draft) =>
				withResized(draft, idsOf(draft, places), by),
	),
	fc.tuple(share, point, fc.constantFrom('left', 'right'), fc.constantFrom('top', 'bottom')).map(
		([at, place, horizontal, vertical]): Edit =>
			(draft) => {
				const symbol = pick(
					draft.symbols.filter((each) => symbolKinds[each.kind].required.includes('w')),
					at,
				);
				return symbol === undefined ? draft : withCorner(draft, symbol.id, [horizontal, vertical], place);
			},
	),
	fc.tuple(share, kind, varId, fc.tuple(typed, typed), fc.constantFrom(0, 90, 180, 270), label).map(
		([at, next, variable, scale, turn, words]): Edit =>
			(draft) =>
				withSymbolChange(draft, pick(draft.symbols, at)?.id ?? -1, {
					kind: next,
					varId: variable,
					bit: 3,
					scale,
					turn,
					label: words,
				}),
	),
	fc.tuple(fc.array(share, { maxLength: 3 })).map(
		([places]): Edit =>
			(draft) =>
				without(draft, idsOf(draft, places)),
	),
	fc.tuple(share).map(
		([at]): Edit =>
			(draft) =>
				withPipeTurned(draft, pick(draft.pipes, at)?.id ?? -1),
	),
	fc.tuple(share, varId, any).map(
		([at, variable, over]): Edit =>
			(draft) =>
				withPipeChange(draft, pick(draft.pipes, at)?.id ?? -1, { varId: variable, bit: 2, over }),
	),
	fc.tuple(share, fc.array(point, { maxLength: 22 })).map(
		([at, via]): Edit =>
			(draft) =>
				withBends(draft, pick(draft.pipes, at)?.id ?? -1, via),
	),
	fc.tuple(share, fc.constantFrom('from', 'to'), port).map(
		([at, which, to]): Edit =>
			(draft) =>
				withPipeEnd(draft, pick(draft.pipes, at)?.id ?? -1, which, portIn(draft, to)),
	),
	fc.tuple(fc.array(share, { maxLength: 6 }), any).map(
		([places, offset]): Edit =>
			(draft) =>
				withClip(draft, clipOf(draft, idsOf(draft, places)), offset).drawing,
	),
	fc.integer({ min: 1, max: 9 }).map(
		(count): Edit =>
			(draft) =>
				withFrames(
					draft,
					Array.from({ length: count }, (_, n) => `P${n}`),
				),
	),
);

const editorOf = () => {
	const base = { content: { ...emptyDraft, title: 'Plant' }, version: null };
	const none = async () => ({ ok: true, data: base, etag: null }) as const;
	return createDraftEditor<DiagramDraft>(base, { check: () => new Map(), storedOf: inputOf, save: none, read: none });
};

describe('any sequence of edits and undos', () => {
	test('gives a diagram that the service accepts', () => {
		let [drawn, piped] = [0, 0];
		fc.assert(
			fc.property(fc.array(edits, { minLength: 20, maxLength: 80 }), (acts) => {
				const editor = editorOf();
				const history = createDrawingHistory(editor);
				for (const act of acts) {
					if (act === 'undo') history.undo();
					else if (act === 'redo') history.redo();
					else {
						const next = act(editor.content.peek());
						if (exceededBy(editor.content.peek(), next) !== null) continue;
						history.note('act');
						history.endUndoStep();
						editor.change(next);
					}
					piped = Math.max(piped, editor.content.peek().pipes.length);
					expect(() => parse(diagramSchema, inputOf(editor.content.peek()))).not.toThrow();
				}
				drawn += editor.content.peek().symbols.length;
			}),
			{ numRuns: 300 },
		);
		expect(drawn).toBeGreaterThan(300);
		expect(piped).toBeGreaterThan(1);
	});

	test('goes back to where it was by as many undos, and forth again by as many redos', () => {
		fc.assert(
			fc.property(fc.array(edits, { maxLength: maxSteps }), (acts) => {
				const editor = editorOf();
				const history = createDrawingHistory(editor);
				const begun = editor.content.peek();
				const done = acts.filter((act) => typeof act !== 'string');
				for (const act of done) {
					history.note('act');
					history.endUndoStep();
					editor.change(act(editor.content.peek()));
				}
				const reached = editor.content.peek();
				for (const _ of done) history.undo();
				expect(editor.content.peek()).toEqual(begun);
				expect(history.undo()).toBe(false);
				for (const _ of done) history.redo();
				expect(editor.content.peek()).toEqual(reached);
				expect(history.redo()).toBe(false);
			}),
			{ numRuns: 100 },
		);
	});
});

test('the newest fifty steps can be undone', () => {
	const editor = editorOf();
	const history = createDrawingHistory(editor);
	for (let step = 0; step < maxSteps + 10; step += 1) {
		history.note('add');
		history.endUndoStep();
		editor.change(withSymbol(editor.content.peek(), { ...bareSymbol, kind: 'join', x: 0.5, y: 0.5 }));
	}
	let undone = 0;
	while (history.undo()) undone += 1;
	expect(undone).toBe(50);
	expect(editor.content.peek().symbols).toHaveLength(10);
});

test('a drawing grows up to each limit, and not beyond', () => {
	const join = { ...bareSymbol, kind: 'join', x: 0.5, y: 0.5 } as const;
	const full: DiagramDraft = { ...emptyDraft, symbols: Array.from({ length: maxCounts.drawn }, (_, id) => ({ ...join, id })) };
	const fewer = without(full, [0]);
	expect(exceededBy(fewer, full)).toBeNull();
	expect(exceededBy(full, withSymbol(full, join))).toBe('drawn');
	let bound: DiagramDraft = emptyDraft;
	for (let variable = 1; variable <= maxCounts.variables; variable += 1)
		bound = withSymbol(bound, { ...bareSymbol, kind: 'value', varId: variable, x: 0.5, y: 0.5 });
	expect(countsOf(bound).variables).toBe(48);
	expect(exceededBy(bound, withSymbol(bound, { ...bareSymbol, kind: 'value', varId: 1, x: 0.5, y: 0.5 }))).toBeNull();
	expect(exceededBy(bound, withSymbol(bound, { ...bareSymbol, kind: 'value', varId: 49, x: 0.5, y: 0.5 }))).toBe('variables');
	const wordy = {
		...emptyDraft,
		symbols: full.symbols.map((each) => ({ ...each, kind: 'text', label: 'ñ'.repeat(200) }) as const),
	};
	expect(countsOf(wordy).bytes).toBeLessThan(maxCounts.bytes);
	expect(exceededBy(wordy, { ...wordy, background: 'x'.repeat(199_000) })).toBe('bytes');
	expect(exceededBy({ ...wordy, background: 'x'.repeat(199_000) }, wordy)).toBeNull();
});
