import { parseFormula, unescaped } from '#domain/equation/formula-text.ts';

/** A reference in the text of a formula, `{name}`, that is being typed. */
export interface OpenReference {
	/** The index of its opening brace. */
	readonly start: number;
	/**
	 * A completion replaces the text from `start` to this index: the end of the reference or, without a closing brace, the caret. Text behind
	 * the caret may then belong to the formula rather than to the name.
	 */
	readonly end: number;
	/** The part of the name before the caret. */
	readonly typed: string;
}

/** Returns the reference around the caret; null when the caret is not in one. */
export function openReferenceAt(text: string, caret: number): OpenReference | null {
	for (const { start, end, token, flaw } of parseFormula(text)) {
		if (token.type !== 'variable' || flaw === 'name_without_braces' || caret <= start) continue;
		// Without a closing brace, trailing blanks are not part of the reference. The caret may still stand after them, because more of the name
		// may follow.
		const isInside = caret < end || (flaw === 'brace_not_closed' && text.slice(end, caret).trim() === '');
		if (!isInside) continue;
		return { start, end: flaw === null ? end : caret, typed: unescaped(text.slice(start + 1, caret)) };
	}
	return null;
}
