import { type Expression, parseEquation } from './compile.ts';
import type { BinaryOperator, Token } from './token.ts';

/** All numbers from `low` to `high`. */
export interface Interval {
	readonly low: number;
	readonly high: number;
}

/** An equation that is ready to be evaluated over intervals. */
export interface IntervalEquation {
	/** The variables' names, in the order of the operands. */
	readonly names: readonly string[];
	/**
	 * Returns an interval that holds the value for all operands within theirs. It is wider than needed where a name occurs more than once.
	 * Null where a divisor's interval holds 0, and where a bound is not finite.
	 * @param operands one for each name
	 */
	readonly evaluate: (operands: readonly Interval[]) => Interval | null;
}

/**
 * Compiles a checked equation for interval arithmetic (shared/domain/totals/README.md#formulas).
 * @throws RangeError when `checkEquation` would have rejected the tokens
 */
export function compileIntervals(tokens: readonly Token[]): IntervalEquation {
	const { expression, names, constants } = parseEquation(tokens);
	const exact = constants.map((value) => ({ low: value, high: value }));
	return {
		names,
		evaluate: (operands) => {
			const result = evaluate(expression, [...operands, ...exact]);
			return result !== null && Number.isFinite(result.low) && Number.isFinite(result.high) ? result : null;
		},
	};
}

function evaluate(expression: Expression, slots: readonly Interval[]): Interval | null {
	if (typeof expression === 'number') return slots[expression] ?? null;
	const left = evaluate(expression.left, slots);
	const right = evaluate(expression.right, slots);
	return left === null || right === null ? null : steps[expression.operator](left, right);
}

const steps: Readonly<Record<BinaryOperator, (left: Interval, right: Interval) => Interval | null>> = {
	'+': (left, right) => ({ low: left.low + right.low, high: left.high + right.high }),
	'-': (left, right) => ({ low: left.low - right.high, high: left.high - right.low }),
	'*': (left, right) => hull(left, right, (a, b) => a * b),
	'/': (left, right) => (right.low <= 0 && right.high >= 0 ? null : hull(left, right, (a, b) => a / b)),
};

/** Returns the interval of a product or a quotient: its extremes are at the ends of the operands. */
function hull(left: Interval, right: Interval, step: (a: number, b: number) => number): Interval {
	const ends = [left.low, left.high].flatMap((a) => [step(a, right.low), step(a, right.high)]);
	return { low: Math.min(...ends), high: Math.max(...ends) };
}
