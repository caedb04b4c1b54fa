import { folded } from '#page/parts/matching-options.ts';
import type { QueryDraft } from './draft.ts';

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

/**
 * Returns the names that complete the typed text: first inputs, then queries of other variables. Within both, names that begin with the
 * text come first.
 */
export function completionsFor(typed: string, inputs: readonly string[], sources: readonly QuerySource[]): readonly Completion[] {
	const wanted = typed.trim();
	const wantedFolded = folded(wanted);
	const inputNames = new Set(inputs);
	const all: readonly Completion[] = [
		...inputs.map((name): Completion => ({ kind: 'input', name })),
		...sources.filter(({ name }) => !inputNames.has(name)),
	];
	const matches = all.filter(({ name }) => folded(name).includes(wantedFolded));
	const begins = ({ name }: Completion): boolean => folded(name).startsWith(wantedFolded);
	const shown = [...matches.filter(begins), ...matches.filter((match) => !begins(match))].slice(0, maxCompletions);
	// The typed text itself is offered as a new input, unless something has exactly this name.
	return wanted === '' || all.some(({ name }) => name === wanted) ? shown : [...shown, { kind: 'new', name: wanted }];
}
