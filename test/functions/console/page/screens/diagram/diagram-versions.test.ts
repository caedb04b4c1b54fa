import { describe, expect, test, vi } from 'vitest';
import { mergedDraft } from '#page/core/draft-fields.ts';
import { bareSymbol, emptyDraft, inputOf } from '#page/screens/diagram/diagram-draft.ts';
import { withPipe } from '#page/screens/diagram/edit/pipe-edits.ts';
import { withMoved, without, withSymbol } from '#page/screens/diagram/edit/symbol-edits.ts';

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
