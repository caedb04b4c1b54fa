import * as v from 'valibot';
import { listUpTo } from '../validation/field.ts';

/** The operators that compare two operands: 1 where the comparison is true, otherwise 0. */
export const comparisons = ['<', '<=', '>', '>=', '=', '<>'] as const;

/** The functions of an equation. Each is followed by "(" (shared/domain/equation/README.md#functions). */
export const functionNames = ['abs', 'sqrt', 'exp', 'ln', 'log10', 'min', 'max', 'round', 'if', 'curve'] as const;

/** The operators of an equation (shared/domain/equation/README.md#grammar). */
export const operators = ['+', '-', '*', '/', '(', ')', '^', ',', ...comparisons, ...functionNames] as const;

/** An operator of an equation, a parenthesis, a comma, or a function. */
export type Operator = (typeof operators)[number];

/** A function of an equation. */
export type FormulaFunction = (typeof functionNames)[number];

/** The operators that join two operands, and the functions that do. */
export type BinaryOperator = '+' | '-' | '*' | '/' | (typeof comparisons)[number] | 'min' | 'max';

/** Returns whether a text is the name of a function. */
export function isFunctionName(text: string): text is FormulaFunction {
	return functionNames.some((name) => name === text);
}

/** The kinds of token. */
export const tokenTypes = ['variable', 'operator', 'number'] as const;

/** One token as it is sent and stored. Its value is text, also for a number. */
export const tokenSchema = v.object({ value: v.string(), type: v.picklist(tokenTypes) });

/** A token of an equation. */
export type Token = v.InferOutput<typeof tokenSchema>;

/** Maximum number of tokens of an equation (shared/http/README.md#limits). */
export const maxTokens = 256;

/** The tokens of an equation, before its grammar is checked. */
export const tokensSchema = v.pipe(...listUpTo(tokenSchema, maxTokens, 'tokens'));

/** Maximum nesting of parentheses. */
export const maxDepth = 32;

/**
 * Parses a decimal number with an optional sign and exponent.
 * @returns NaN for any other text (comma, hex, blanks, `Infinity`), infinite when the number is too large
 */
export function parseNumber(text: string): number {
	return decimal.test(text) ? Number(text) : Number.NaN;
}

/** A sign, digits with a fraction or a fraction alone, and an exponent; sign and exponent may be left out. */
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
