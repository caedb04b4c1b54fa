import { parseFormula } from '#domain/equation/formula-text.ts';
import { type FormulaFunction, functionNames } from '#domain/equation/token.ts';

/** The beginning of a function's name that is being typed: `cu`. */
export interface OpenFunction {
	/** The word is from `start` up to, but not including, `end`. */
	readonly start: number;
	readonly end: number;
	/** The functions that begin so. */
	readonly names: readonly { readonly name: FormulaFunction }[];
}

/** Returns the word before the caret with the functions that complete it; null when none does. */
export function openFunctionAt(text: string, caret: number): OpenFunction | null {
	const word = parseFormula(text).find(
		({ end, flaw, token }) => end === caret && (flaw === 'name_without_braces' || token.type === 'operator'),
	);
	if (word === undefined || !/^\w+$/.test(word.token.value) || text[caret] === '(') return null;
	const names = functionNames.filter((name) => name.startsWith(word.token.value)).map((name) => ({ name }));
	return names.length === 0 ? null : { start: word.start, end: word.end, names };
}
