import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { type DraftVersions, differencesOf, mergedDraft } from '#page/core/draft-fields.ts';
import { bareSymbol, type DiagramDraft, type DraftPipe, emptyDraft, inputOf } from '#page/screens/diagram/diagram-draft.ts';
import { portsOf, withPipe } from '#page/screens/diagram/edit/pipe-edits.ts';
import {
	nextId,
	withMoved,
	without,
	withPipeChange,
	withSymbol,
	withSymbolChange,
} from '#page/screens/diagram/edit/symbol-edits.ts';
import type { PipeEnd } from '#page/screens/diagram/symbols/pipe-geometry.ts';

// The page's client takes these when it is loaded, and another file may have loaded it.
vi.resetModules();
vi.stubGlobal('document', { baseURI: 'http://console.test/' });
vi.stubGlobal('location', { hash: '' });
vi.stubGlobal('addEventListener', () => undefined);
const { diagramVersionFields } = await import('#page/screens/diagram/diagram-versions.ts');
// The modules have taken them. Other files share the process.
vi.unstubAllGlobals();

const drawn = [
	{ ...bareSymbol, kind: 'tank', x: 0.15, y: 0.3, label: 'Raw tank' },
	{ ...bareSymbol, kind: 'value', varId: 18, bit: 0, x: 0.4, y: 0.6, label: 'Backwash' },
	{ ...bareSymbol, kind: 'pump', x: 0.5, y: 0.5, label: 'Pump' },
	{ ...bareSymbol, kind: 'join', x: 0.7, y: 0.7 },
] as const;

describe('two versions', () => {
	const symbols = drawn.reduce(withSymbol, emptyDraft);
	const first = withPipe(symbols, { symbol: 0, side: 'right', at: 0.9 }, { symbol: 2, side: 'in', at: null }, []);
	const base = withPipe(first, { symbol: 2, side: 'out', at: null }, { symbol: 3, side: 'left', at: null }, []);
	const theirs = withMoved(base, [0], [0.2, 0]);
	const mine = without(base, [3]);
	const versions = { base, theirs, mine };
	const fields = diagramVersionFields(versions);
	const differing = fields.filter(({ textOf }) => textOf(theirs) !== textOf(mine));

	test('are compared by entry', () => {
		expect(differing.map(({ label }) => label)).toEqual(['Raw tank', 'Join j1', 'p1 out → j1 left']);
	});

	test('are merged by entry, and no pipe is left without its end', () => {
		const merged = mergedDraft(fields, versions, new Set(differing.slice(1, 2).map(({ key }) => key)));
		expect(merged.symbols.map(({ key, x }) => [key, x])).toEqual([
			['t1', 0.35],
			[null, 0.4],
			['p1', 0.5],
		]);
		expect(merged.pipes.map(({ to }) => to[0])).toEqual(['p1']);
		const ids = [...merged.symbols, ...merged.pipes].map(({ id }) => id);
		expect(new Set(ids).size).toBe(ids.length);
	});

	test('keep what only one of them has', () => {
		const merged = mergedDraft(fields, versions, new Set());
		expect(inputOf(merged)).toEqual(inputOf(theirs));
	});
});

/** An edit of a drawing by one of two people. The numbers choose the symbols and pipes that it concerns. */
type Edit = readonly [act: number, one: number, other: number];
const edits = fc.array(fc.tuple(fc.nat(6), fc.nat(20), fc.nat(20)), { maxLength: 8 });

/** Carries out edits. What a person adds has a label or a limit that nobody else gives: `mark` and a number. */
function edited(draft: DiagramDraft, made: readonly Edit[], mark: number): DiagramDraft {
	return made.reduce((drawing, [act, one, other], number) => {
		const [symbol, second] = [drawing.symbols[one % drawing.symbols.length], drawing.symbols[other % drawing.symbols.length]];
		const [over, place] = [mark + number, { x: one / 20, y: other / 20 }];
		const added = { ...bareSymbol, kind: 'pump', ...place, label: String(over) } as const;
		if (symbol === undefined || second === undefined || act === 0) return withSymbol(drawing, added);
		const pipe = drawing.pipes[one % Math.max(1, drawing.pipes.length)];
		if (act === 1) return without(drawing, [symbol.id]);
		if (act === 2) return without(drawing, pipe === undefined ? [] : [pipe.id]);
		if (act === 3) return withSymbolChange(drawing, symbol.id, place);
		// A symbol that shows something else is the same one only if its key is as old as the start.
		if (act === 4 && !start.symbols.some(({ key }) => key !== null && key === symbol.key)) return drawing;
		if (act === 4) return withSymbolChange(drawing, symbol.id, { varId: other, kind: 'tank' });
		const ports = [portsOf(symbol)[other % 2], portsOf(second)[one % 2]] as const;
		const drawn = ports[0] === undefined || ports[1] === undefined ? drawing : withPipe(drawing, ports[0], ports[1], []);
		return drawn === drawing ? drawing : withPipeChange(drawn, nextId(drawn) - 1, { varId: 1, over });
	}, draft);
}

/** Merges as the dialog proposes it. */
function mergedOf(versions: DraftVersions<DiagramDraft>): DiagramDraft {
	const fields = diagramVersionFields(versions);
	const mine = differencesOf(fields, versions).filter(({ isMine }) => isMine);
	return mergedDraft(fields, versions, new Set(mine.map(({ key }) => key)));
}

/** Returns what is drawn: symbols without their keys, and pipes with the labels of the symbols at their ends. */
function drawnIn({ symbols, pipes }: DiagramDraft) {
	const labels = new Map(symbols.map(({ key, label }) => [key, label]));
	return {
		symbols: symbols.map(({ id, key, ...symbol }) => JSON.stringify(symbol)).toSorted(),
		pipes: pipes
			.map(({ id, from: [from, ...fromPort], to: [to, ...toPort], ...pipe }) =>
				JSON.stringify([labels.get(from), fromPort, labels.get(to), toPort, pipe]),
			)
			.toSorted(),
	};
}

const start: DiagramDraft = edited(
	emptyDraft,
	[0, 0, 0, 0, 5, 5, 0].map((act, index) => [act, index, index + 1]),
	0,
);
const labelByKey = new Map(start.symbols.map(({ key, label }) => [key, label]));
/** Whether another symbol of the start has the key of a removed one. Nothing tells that it is another one. */
const reusesKey = ({ symbols }: DiagramDraft) =>
	symbols.some(({ key, label }) => key !== null && (labelByKey.get(key) ?? label) !== label);
const both = fc
	.tuple(edits, edits)
	.map(([theirs, mine]) => ({
		base: start,
		theirs: edited(start, theirs, 100),
		mine: edited(start, mine, 200),
	}))
	.filter(({ theirs, mine }) => !reusesKey(theirs) && !reusesKey(mine));

test('the start of the properties has symbols with and without keys', () => {
	expect(start.pipes).not.toEqual([]);
	expect(start.symbols.some(({ key }) => key === null)).toBe(true);
});

test('where one person changed nothing, the merge is what the other drew', () => {
	fc.assert(
		fc.property(both, ({ base, theirs, mine }) => {
			expect(mergedOf({ base, theirs, mine: base })).toEqual(theirs);
			expect(drawnIn(mergedOf({ base, theirs: base, mine }))).toEqual(drawnIn(mine));
		}),
	);
});

test('a merge keeps each pipe that nobody removed and whose symbols are there', () => {
	fc.assert(
		fc.property(both, ({ base, theirs, mine }) => {
			const merged = mergedOf({ base, theirs, mine });
			const keys = merged.symbols.flatMap(({ key }) => key ?? []);
			expect(new Set(keys).size).toBe(keys.length);
			const labels = new Set(merged.symbols.map(({ label }) => label));
			const labelAt = ({ symbols }: DiagramDraft, [key]: PipeEnd) => symbols.find((symbol) => symbol.key === key)?.label ?? '';
			const portsIn = (draft: DiagramDraft, { from, to }: DraftPipe) =>
				JSON.stringify([labelAt(draft, from), from[1], labelAt(draft, to), to[1]]);
			const [ports, marks] = [merged.pipes.map((pipe) => portsIn(merged, pipe)), merged.pipes.map(({ over }) => over)];
			/** Whether somebody removed a pipe, or the one that another person's pipe replaced. */
			const wasRemoved = (drawn: string) =>
				base.pipes.some((pipe) => portsIn(base, pipe) === drawn) &&
				[theirs, mine].some((draft) => !draft.pipes.some((pipe) => portsIn(draft, pipe) === drawn));
			for (const draft of [theirs, mine])
				for (const pipe of draft.pipes)
					if (!wasRemoved(portsIn(draft, pipe)) && labels.has(labelAt(draft, pipe.from)) && labels.has(labelAt(draft, pipe.to)))
						expect(marks.includes(pipe.over) || ports.includes(portsIn(draft, pipe)), portsIn(draft, pipe)).toBe(true);
		}),
	);
});

test('two people draw the first pipes of two tanks, and each pipe stays at its tank', () => {
	const tanks = ['A', 'B', 'C'].map((label, index) => ({ ...bareSymbol, kind: 'tank', x: index / 3, y: 0.5, label }) as const);
	const base = tanks.reduce(withSymbol, emptyDraft);
	const piped = (from: number, to: number) =>
		withPipe(base, { symbol: from, side: 'right', at: null }, { symbol: to, side: 'left', at: null }, []);
	const drawn = drawnIn(mergedOf({ base, theirs: piped(0, 1), mine: piped(1, 2) })).pipes.map((text) => JSON.parse(text));
	expect(drawn.map(([from, , to]) => [from, to])).toEqual([
		['A', 'B'],
		['B', 'C'],
	]);
});
