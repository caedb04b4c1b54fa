import { parseFormula, unescaped } from '#domain/equation/formula-text.ts';

/** A reference that is being typed. */
export interface OpenReference {
	/** The place of its brace. */
	readonly start: number;
	/** Where the text goes on that a completed reference leaves as it is. */
	readonly end: number;
	/** What is typed of the name. */
	readonly typed: string;
}

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
