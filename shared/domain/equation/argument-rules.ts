import type { FormulaFunction } from './token.ts';

/** What the arguments of a function are, for the check of the grammar. */
export interface ArgumentRule {
	/** How the function is written, for messages. */
	readonly form: string;
	readonly minimum: number;
	readonly maximum: number;
	/** From which argument on, counted from 0, only constants may follow. */
	readonly constantsFrom: number;
}

const one = (form: string): ArgumentRule => ({ form, minimum: 1, maximum: 1, constantsFrom: Number.POSITIVE_INFINITY });

/** The most decimals that `round` keeps. */
export const maxDecimals = 6;

/** The arguments of each function. */
export const argumentRules: Readonly<Record<FormulaFunction, ArgumentRule>> = {
	abs: one('abs(a)'),
	sqrt: one('sqrt(a)'),
	exp: one('exp(a)'),
	ln: one('ln(a)'),
	log10: one('log10(a)'),
	min: { form: 'min(a, b, …)', minimum: 2, maximum: 16, constantsFrom: Number.POSITIVE_INFINITY },
	max: { form: 'max(a, b, …)', minimum: 2, maximum: 16, constantsFrom: Number.POSITIVE_INFINITY },
	round: { form: 'round(a, n)', minimum: 1, maximum: 2, constantsFrom: 1 },
	if: { form: 'if(c, a, b)', minimum: 3, maximum: 3, constantsFrom: Number.POSITIVE_INFINITY },
	curve: { form: 'curve(a, x1, y1, x2, y2, …)', minimum: 5, maximum: 121, constantsFrom: 1 },
};
