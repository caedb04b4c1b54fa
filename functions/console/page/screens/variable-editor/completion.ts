import { folded } from '#page/parts/matching-options.ts';
import type { QueryDraft } from './draft.ts';
import { parseFormula, unescaped } from './formula-text.ts';

/** A reference that is being typed. */
export interface OpenReference {
	/** The place of its brace. */
	readonly start: number;
	/** Where the text goes on that a completed reference leaves as it is. */
	readonly end: number;
	/** What is typed of the name. */
	readonly typed: string;
}

/** A name that can complete a reference. */
export type Completion =
	| { readonly kind: 'input'; readonly name: string }
	/** The query of another variable, which becomes an input. */
	| { readonly kind: 'variable'; readonly name: string; readonly id: number; readonly query: QueryDraft }
	/** An input that is not there yet. */
	| { readonly kind: 'new'; readonly name: string };

/** A variable whose query can be taken over. */
export type QuerySource = Extract<Completion, { kind: 'variable' }>;

/** The most names that a list shows. */
const maxCompletions = 40;

/** Returns the reference around the caret; null where the caret is in none. */
export function openReferenceAt(text: string, caret: number): OpenReference | null {
	for (const { start, end, token, flaw } of parseFormula(text)) {
		if (token.type !== 'variable' || flaw === 'name_without_braces' || caret <= start) continue;
		// The name of a reference without end may go on after blanks that do not count as its own.
		const isInside = caret < end || (flaw === 'brace_not_closed' && text.slice(end, caret).trim() === '');
		if (!isInside) continue;
		return { start, end: flaw === null ? end : caret, typed: unescaped(text.slice(start + 1, caret)) };
	}
	return null;
}

/** Returns the names that complete what is typed: inputs, then queries of other variables; those that begin with it first. */
export function completionsFor(typed: string, inputs: readonly string[], sources: readonly QuerySource[]): readonly Completion[] {
	const wanted = folded(typed.trim());
	const taken = new Set(inputs);
	const all: readonly Completion[] = [
		...inputs.map((name): Completion => ({ kind: 'input', name })),
		...sources.filter(({ name }) => !taken.has(name)),
	];
	const found = all.filter(({ name }) => folded(name).includes(wanted));
	const begins = ({ name }: Completion): boolean => folded(name).startsWith(wanted);
	const best = [...found.filter(begins), ...found.filter((each) => !begins(each))].slice(0, maxCompletions);
	const name = typed.trim();
	return name === '' || all.some((each) => each.name === name) ? best : [...best, { kind: 'new', name }];
}
