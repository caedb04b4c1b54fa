import type { BinaryOperator } from './token.ts';

/** Evaluates an expression over the variables' values, by slot. Not finite once any step was not. */
export type Closure = (slots: Float64Array) => number;

/** The value of a slot. */
export function at(slots: Float64Array, slot: number): number {
	return slots[slot] ?? Number.NaN;
}

/**
 * A quotient whose fault cannot vanish. NaN survives every further step and so does an overflow, except as a divisor
 * (1 / Infinity is 0): so that is where both are caught.
 */
const divide = (dividend: number, divisor: number): number =>
	divisor === 0 || divisor === Number.POSITIVE_INFINITY || divisor === Number.NEGATIVE_INFINITY ? Number.NaN : dividend / divisor;

/** Two slots joined by an operator: the commonest operand that is neither a slot nor a constant. */
export interface Pair {
	readonly operator: BinaryOperator;
	readonly i: number;
	readonly j: number;
}

function pairOf({ operator, i, j }: Pair, slots: Float64Array): number {
	const left = at(slots, i);
	const right = at(slots, j);
	if (operator === '+') return left + right;
	if (operator === '-') return left - right;
	return operator === '*' ? left * right : divide(left, right);
}

/** What makes a step's closure of its left operand and a right one of each kind. */
export interface Row<Left> {
	readonly slot: (left: Left, j: number) => Closure;
	readonly constant: (left: Left, l: number) => Closure;
	readonly pair: (left: Left, q: Pair) => Closure;
	readonly closure: (left: Left, d: Closure) => Closure;
}

/** A row for each kind of left operand. */
export interface Rows {
	readonly slot: Row<number>;
	readonly constant: Row<number>;
	readonly pair: Row<Pair>;
	readonly closure: Row<Closure>;
}

/**
 * An operator's closures by the kinds of its operands, i k p c the left one's slot, constant, pair and closure, j l q d the
 * right one's. A call costs several times what an addition does, so slots, constants and pairs, most operands by far, are
 * read in place. Written out, because one closure that is given the operator as a function is called through it, and one
 * that chooses among kinds and operators each time is slower than the calls.
 */
export const rows: Readonly<Record<BinaryOperator, Rows>> = {
	'+': {
		slot: {
			slot: (i, j) => (slots) => at(slots, i) + at(slots, j),
			constant: (i, l) => (slots) => at(slots, i) + l,
			pair: (i, q) => (slots) => at(slots, i) + pairOf(q, slots),
			closure: (i, d) => (slots) => at(slots, i) + d(slots),
		},
		constant: {
			slot: (k, j) => (slots) => k + at(slots, j),
			constant: (k, l) => () => k + l,
			pair: (k, q) => (slots) => k + pairOf(q, slots),
			closure: (k, d) => (slots) => k + d(slots),
		},
		pair: {
			slot: (p, j) => (slots) => pairOf(p, slots) + at(slots, j),
			constant: (p, l) => (slots) => pairOf(p, slots) + l,
			pair: (p, q) => (slots) => pairOf(p, slots) + pairOf(q, slots),
			closure: (p, d) => (slots) => pairOf(p, slots) + d(slots),
		},
		closure: {
			slot: (c, j) => (slots) => c(slots) + at(slots, j),
			constant: (c, l) => (slots) => c(slots) + l,
			pair: (c, q) => (slots) => c(slots) + pairOf(q, slots),
			closure: (c, d) => (slots) => c(slots) + d(slots),
		},
	},
	'-': {
		slot: {
			slot: (i, j) => (slots) => at(slots, i) - at(slots, j),
			constant: (i, l) => (slots) => at(slots, i) - l,
			pair: (i, q) => (slots) => at(slots, i) - pairOf(q, slots),
			closure: (i, d) => (slots) => at(slots, i) - d(slots),
		},
		constant: {
			slot: (k, j) => (slots) => k - at(slots, j),
			constant: (k, l) => () => k - l,
			pair: (k, q) => (slots) => k - pairOf(q, slots),
			closure: (k, d) => (slots) => k - d(slots),
		},
		pair: {
			slot: (p, j) => (slots) => pairOf(p, slots) - at(slots, j),
			constant: (p, l) => (slots) => pairOf(p, slots) - l,
			pair: (p, q) => (slots) => pairOf(p, slots) - pairOf(q, slots),
			closure: (p, d) => (slots) => pairOf(p, slots) - d(slots),
		},
		closure: {
			slot: (c, j) => (slots) => c(slots) - at(slots, j),
			constant: (c, l) => (slots) => c(slots) - l,
			pair: (c, q) => (slots) => c(slots) - pairOf(q, slots),
			closure: (c, d) => (slots) => c(slots) - d(slots),
		},
	},
	'*': {
		slot: {
			slot: (i, j) => (slots) => at(slots, i) * at(slots, j),
			constant: (i, l) => (slots) => at(slots, i) * l,
			pair: (i, q) => (slots) => at(slots, i) * pairOf(q, slots),
			closure: (i, d) => (slots) => at(slots, i) * d(slots),
		},
		constant: {
			slot: (k, j) => (slots) => k * at(slots, j),
			constant: (k, l) => () => k * l,
			pair: (k, q) => (slots) => k * pairOf(q, slots),
			closure: (k, d) => (slots) => k * d(slots),
		},
		pair: {
			slot: (p, j) => (slots) => pairOf(p, slots) * at(slots, j),
			constant: (p, l) => (slots) => pairOf(p, slots) * l,
			pair: (p, q) => (slots) => pairOf(p, slots) * pairOf(q, slots),
			closure: (p, d) => (slots) => pairOf(p, slots) * d(slots),
		},
		closure: {
			slot: (c, j) => (slots) => c(slots) * at(slots, j),
			constant: (c, l) => (slots) => c(slots) * l,
			pair: (c, q) => (slots) => c(slots) * pairOf(q, slots),
			closure: (c, d) => (slots) => c(slots) * d(slots),
		},
	},
	'/': {
		slot: {
			slot: (i, j) => (slots) => divide(at(slots, i), at(slots, j)),
			constant: (i, l) => (slots) => divide(at(slots, i), l),
			pair: (i, q) => (slots) => divide(at(slots, i), pairOf(q, slots)),
			closure: (i, d) => (slots) => divide(at(slots, i), d(slots)),
		},
		constant: {
			slot: (k, j) => (slots) => divide(k, at(slots, j)),
			constant: (k, l) => () => divide(k, l),
			pair: (k, q) => (slots) => divide(k, pairOf(q, slots)),
			closure: (k, d) => (slots) => divide(k, d(slots)),
		},
		pair: {
			slot: (p, j) => (slots) => divide(pairOf(p, slots), at(slots, j)),
			constant: (p, l) => (slots) => divide(pairOf(p, slots), l),
			pair: (p, q) => (slots) => divide(pairOf(p, slots), pairOf(q, slots)),
			closure: (p, d) => (slots) => divide(pairOf(p, slots), d(slots)),
		},
		closure: {
			slot: (c, j) => (slots) => divide(c(slots), at(slots, j)),
			constant: (c, l) => (slots) => divide(c(slots), l),
			pair: (c, q) => (slots) => divide(c(slots), pairOf(q, slots)),
			closure: (c, d) => (slots) => divide(c(slots), d(slots)),
		},
	},
};
