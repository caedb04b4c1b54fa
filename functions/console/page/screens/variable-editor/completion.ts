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
