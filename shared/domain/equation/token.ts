import * as v from 'valibot';

/** The operators of an equation (specification section 2.2). */
export const operators = ['+', '-', '*', '/', '(', ')'] as const;

export type Operator = (typeof operators)[number];

/** The operators that join two operands. */
export type BinaryOperator = Exclude<Operator, '(' | ')'>;

const operatorSchema = v.picklist(operators);

/** Whether a token's text is an operator that exists. */
export function isOperator(value: string): value is Operator {
	return v.is(operatorSchema, value);
}

/** The kinds of token that occur. */
export const tokenTypes = ['variable', 'operator', 'number'] as const;

/** One token as the wire and the store have it: every value is text, a number's too. */
export const tokenSchema = v.object({ value: v.string(), type: v.picklist(tokenTypes) });

export type Token = v.InferOutput<typeof tokenSchema>;

/** Most tokens of an equation, and the deepest nesting of parentheses (design section 4). */
export const maxTokens = 256;

export const maxDepth = 32;

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Whether a token's text is written as a number; one such as 1e400 is, and still too large to hold. */
export function isDecimal(value: string): boolean {
	return decimal.test(value);
}

/**
 * The number that a token's text stands for: decimal, optional sign and exponent.
 * @returns null for anything else: comma, hex, blanks, Infinity, or a number too large to hold
 */
export function numberOf(value: string): number | null {
	if (!isDecimal(value)) return null;
	const number = Number(value);
	return Number.isFinite(number) ? number : null;
}
