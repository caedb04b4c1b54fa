import { expectsOperand, referenceTo } from './format-formula.ts';
import { isFunctionName, type Token } from './token.ts';

/** A token of a formula's text, with its place there: the characters from `start` to before `end`. */
export interface FormulaPiece {
	readonly start: number;
	readonly end: number;
	readonly token: Token;
	/** What makes the text no formula, although a token can be guessed. */
	readonly flaw: 'brace_not_closed' | 'name_without_braces' | null;
}

/**
 * Splits the text of a formula into tokens. References to inputs stand in curly braces; inside of them `{{` and `}}` are single
 * braces. A sign belongs to the number behind it where an operand must follow and no blank stands between. A word without braces is a
 * function where it is the name of one. Never fails: a character
 * that means nothing is an operator that the check of the grammar refuses.
 *
 * @example
 * parseFormula('({Flow A} + {Flow B}) * 0.5'); // 7 pieces
 */
export function parseFormula(text: string): readonly FormulaPiece[] {
	const pieces: FormulaPiece[] = [];
	for (let start = 0; start < text.length; ) {
		const blank = matchAt(blanks, text, start);
		if (blank !== null) {
			start += blank[0].length;
			continue;
		}
		const piece = pieceAt(text, start, expectsOperand(pieces.at(-1)?.token));
		pieces.push(piece);
		start = piece.end;
	}
	return pieces;
}

/** Returns a formula with another name for an input. */
export function renameReference(text: string, from: string, to: string): string {
	let renamed = '';
	let end = 0;
	for (const piece of parseFormula(text)) {
		const isReference = piece.token.type === 'variable' && piece.flaw === null && piece.token.value === from;
		renamed += text.slice(end, piece.start) + (isReference ? referenceTo(to) : text.slice(piece.start, piece.end));
		end = piece.end;
	}
	return renamed + text.slice(end);
}

/** Returns the name that a reference holds: there `{{` and `}}` are single braces. */
export function unescaped(reference: string): string {
	return reference.replace(/\{\{|\}\}/g, (pair) => pair.slice(1));
}

// The parts of a formula, each matched where the one before it ends.
const blanks = /\s+/y;
/** A name in braces, in which braces are doubled. The closing brace may be missing. */
const reference = /\{((?:\{\{|\}\}|[^{}])*)(\})?/y;
/** A number begins with a digit, or a point and a digit. It goes on over letters and points, so that a mistake in it is one fault. */
const signedNumber = /[+-](?:\d|\.\d)(?:[eE][+-](?=\d)|[\w.])*/y;
const number = /(?:\d|\.\d)(?:[eE][+-](?=\d)|[\w.])*/y;
const twoSigns = /<=|>=|<>/y;
/** Words of letters and digits that single blanks join: a name whose braces were forgotten. */
const bareName = /[\p{L}_][\p{L}\p{M}\p{N}_]*(?: +[\p{L}\p{M}\p{N}_]+)*/uy;
/** Any character, also one of two UTF-16 units. */
const character = /[\s\S]/uy;

/** Returns the piece that begins at `start`. `isOperand`: whether an operand must follow, so that a sign belongs to its number. */
function pieceAt(text: string, start: number, isOperand: boolean): FormulaPiece {
	/** A piece of the first `length` characters. */
	const piece = (value: string, type: Token['type'], length: number, flaw: FormulaPiece['flaw'] = null): FormulaPiece => ({
		start,
		end: start + length,
		token: { value, type },
		flaw,
	});
	const named = matchAt(reference, text, start);
	if (named !== null) {
		const name = unescaped(named[1] ?? '');
		if (named[2] !== undefined) return piece(name, 'variable', named[0].length);
		return piece(name.trimEnd(), 'variable', named[0].trimEnd().length, 'brace_not_closed');
	}
	const digits = (isOperand ? matchAt(signedNumber, text, start) : null) ?? matchAt(number, text, start);
	if (digits !== null) return piece(digits[0], 'number', digits[0].length);
	const bare = matchAt(bareName, text, start);
	if (bare !== null && isFunctionName(bare[0])) return piece(bare[0], 'operator', bare[0].length);
	if (bare !== null) return piece(bare[0], 'variable', bare[0].length, 'name_without_braces');
	const [comparison] = matchAt(twoSigns, text, start) ?? [];
	if (comparison !== undefined) return piece(comparison, 'operator', comparison.length);
	const [sign = ''] = matchAt(character, text, start) ?? [];
	return piece(sign, 'operator', sign.length);
}

/** Returns the match of a sticky pattern at exactly `start`; null: it does not match there. */
function matchAt(pattern: RegExp, text: string, start: number): RegExpExecArray | null {
	pattern.lastIndex = start;
	return pattern.exec(text);
}
