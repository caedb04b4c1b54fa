import { signal } from '@preact/signals';
import { isValidElement, toChildArray, type VNode } from 'preact';
import { describe, expect, test, vi } from 'vitest';
import { maxTextLength } from '#domain/validation/input-limits.ts';

// The page's client takes these when it is loaded, and another file may have loaded it.
vi.resetModules();
vi.stubGlobal('document', { baseURI: 'http://console.test/' });
vi.stubGlobal('location', { hash: '' });
vi.stubGlobal('addEventListener', () => undefined);
const { DiagramForm } = await import('#page/screens/diagram/edit/side-forms.tsx');
const { SymbolForm } = await import('#page/screens/diagram/edit/symbol-form.tsx');
const { bareSymbol, emptyDraft } = await import('#page/screens/diagram/diagram-draft.ts');
// The modules have taken them. Other files share the process.
vi.unstubAllGlobals();

type Edits = Parameters<typeof DiagramForm>[0]['edits'];

describe('the forms of a diagram take as much text as the service', () => {
	const symbol = { ...bareSymbol, id: 0, kind: 'text', x: 0.5, y: 0.5, label: 'Works' } as const;
	const draft = { ...emptyDraft, symbols: [symbol] };
	const edits = { editor: { content: signal(draft), shownProblems: signal(new Map()) } } as unknown as Edits;

	test('for the title', () => {
		expect(lengthOf(DiagramForm({ edits }), 'Title')).toBe(maxTextLength);
	});

	test('for the label of a symbol', () => {
		expect(lengthOf(SymbolForm({ symbol, edits, variables: new Map() }), 'Label')).toBe(maxTextLength);
	});
});

/** Returns the most characters that the field with a label takes. */
function lengthOf(form: VNode, label: string): unknown {
	const fields = toChildArray(form.props.children).filter((child): child is VNode<Record<string, unknown>> =>
		isValidElement(child),
	);
	return fields.find(({ props }) => props['label'] === label)?.props['maxLength'];
}
