import { checkEquation, type EquationFault } from '#domain/equation/check.ts';
import { referenceTo } from '#domain/equation/format-formula.ts';
import { type FormulaPiece, parseFormula } from '#domain/equation/formula-text.ts';
import { isFunctionName, type Token } from '#domain/equation/token.ts';
import type { ErrorParams } from '#domain/validation/problem.ts';
import { numberSigns } from '#page/core/number-signs.ts';
import { nearestName } from './nearest-name.ts';

/** An error in one piece of a formula's text. */
export interface FormulaFault {
	readonly code: EquationFault['code'] | Exclude<FormulaPiece['flaw'], null>;
	/** The message in English; '' for flaws of the text, which the service never sees. */
	readonly message: string;
	readonly params: ErrorParams;
	/** The faulty text is from `start` up to, but not including, `end`. */
	readonly start: number;
	readonly end: number;
	/** The faulty text. */
	readonly text: string;
	/** The column of its first character, from 1, counted in characters that a person sees. */
	readonly column: number;
	/** A text that the person may have meant instead; null without one. */
	readonly suggestion: string | null;
}

/** The result of a check. The tokens are sent only if there are no faults. */
export interface CheckedFormula {
	readonly tokens: readonly Token[];
	/** The names in braces, in the order of the text, each once. */
	readonly references: readonly string[];
	/** The errors in the order of the text, at most one for each piece. */
	readonly faults: readonly FormulaFault[];
}

/**
 * Checks the text of a formula by the grammar of the service itself, so that the page accepts exactly what a save does.
 * @param names the names of the inputs
 */
export function checkFormula(text: string, names: ReadonlySet<string>): CheckedFormula {
	const pieces = parseFormula(text);
	const tokens = pieces.map(({ token }) => token);
	const result = checkEquation(tokens, names);
	/**
	 * The fault of each piece, by the index of the piece; null for a fault of the whole formula. A piece with a flaw has that fault only: what
	 * the grammar says of it, such as an unknown name, is hidden.
	 */
	const faultByPiece = new Map<number | null, Pick<FormulaFault, 'code' | 'message' | 'params'>>();
	for (const [index, { flaw }] of pieces.entries())
		if (flaw !== null) faultByPiece.set(index, { code: flaw, message: '', params: {} });
	for (const fault of 'faults' in result ? result.faults : [])
		if (!faultByPiece.has(fault.index)) faultByPiece.set(fault.index, fault);
	const faults = [...faultByPiece].map(([index, { code, message, params }]): FormulaFault => {
		const piece = index === null ? undefined : pieces[index];
		const { start, end } = piece ?? { start: 0, end: text.length };
		return {
			code,
			message,
			params,
			start,
			end,
			text: text.slice(start, end),
			column: columnOf(text, start),
			suggestion: piece === undefined ? null : suggestionFor(code, piece, names, text),
		};
	});
	return {
		tokens,
		references: [
			...new Set(pieces.flatMap(({ token, flaw }) => (token.type === 'variable' && flaw === null ? token.value : []))),
		],
		faults: faults.toSorted((a, b) => a.start - b.start),
	};
}

/** Returns the column of a place in a text, from 1. A letter with its accents, or an emoji, counts as one. */
export function columnOf(text: string, offset: number): number {
	return [...graphemes.segment(text.slice(0, offset))].length + 1;
}

const graphemes = new Intl.Segmenter();

/** Signs that people type in place of operators. */
const operatorFor: ReadonlyMap<string, string> = new Map(
	Object.entries({
		'×': '*',
		'·': '*',
		'⋅': '*',
		'÷': '/',
		':': '/',
		'−': '-',
		'–': '-',
		'[': '(',
		']': ')',
		'≤': '<=',
		'≥': '>=',
		'≠': '<>',
		';': ',',
	}),
);

/** Returns the text that may have been meant in place of a faulty piece; null where nothing comes close. */
function suggestionFor(
	code: FormulaFault['code'],
	{ token: { value }, start, end }: FormulaPiece,
	names: ReadonlySet<string>,
	text: string,
): string | null {
	switch (code) {
		case 'unknown_name':
		case 'brace_not_closed': {
			const near = nearestName(value, names);
			return near === null ? null : referenceTo(near);
		}
		case 'name_without_braces':
			if (isFunctionName(value.toLowerCase())) return value.toLowerCase();
			return referenceTo(nearestName(value, names) ?? value);
		case 'unknown_operator':
			return operatorFor.get(value) ?? null;
		case 'comma_outside_function':
			return isDecimalComma(text.slice(0, start), text.slice(end)) ? '.' : null;
		default:
			return null;
	}
}

/**
 * Whether a comma between two texts is that of a decimal number. Formulas have a point in every language. The comma may also be between
 * thousands, as in `1,500` where numbers have a decimal point. Then nobody knows which number is meant.
 */
function isDecimalComma(before: string, after: string): boolean {
	const mayBeThousands = numberSigns.value.decimal === '.' && /^\d{3}(?!\d)/.test(after);
	return /(?<![\w.])\d+$/.test(before) && /^\d+(?![\w.,])/.test(after) && !mayBeThousands;
}
