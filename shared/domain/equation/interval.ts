import { type Expression, parseEquation } from './compile.ts';
import type { BinaryOperator, Token } from './token.ts';

/** All numbers from `low` to `high`; null: no bound is known on that side. */
export interface Interval {
	readonly low: number | null;
	readonly high: number | null;
}

/** An equation that is ready to be evaluated over intervals. */
export interface IntervalEquation {
	/** The variables' names, in the order of the operands. */
	readonly names: readonly string[];
	/**
	 * Returns an interval that holds the value for all operands within theirs, where there is a value. It is wider than needed where a name
	 * occurs more than once.
	 * @param operands one for each name
	 */
	readonly evaluate: (operands: readonly Interval[]) => Interval;
}

/**
 * Compiles a checked equation for interval arithmetic (shared/domain/totals/README.md#formulas).
 * @throws RangeError when `checkEquation` would have rejected the tokens
 */
export function compileIntervals(tokens: readonly Token[]): IntervalEquation {
	const { expression, names, constants } = parseEquation(tokens);
	const exact = constants.map((value): Ends => [value, value]);
	return {
		names,
		evaluate: (operands) => {
			const ends = operands.map(({ low, high }) => endsOf(low ?? Number.NEGATIVE_INFINITY, high ?? Number.POSITIVE_INFINITY));
			const [low, high] = evaluate(expression, [...ends, ...exact]);
			return { low: Number.isFinite(low) ? low : null, high: Number.isFinite(high) ? high : null };
		},
	};
}

/** The ends of an interval. The lower one is finite or -Infinity, the upper one finite or Infinity. */
type Ends = readonly [low: number, high: number];

/** Returns ends. One that is not a number, or too large for one, is none: a bound that is left out is never wrong. */
function endsOf(low: number, high: number): Ends {
	return [Number.isFinite(low) ? low : Number.NEGATIVE_INFINITY, Number.isFinite(high) ? high : Number.POSITIVE_INFINITY];
}

function evaluate(expression: Expression, slots: readonly Ends[]): Ends {
	if (typeof expression === 'number') return slots[expression] ?? endsOf(Number.NaN, Number.NaN);
	return steps[expression.operator](evaluate(expression.left, slots), evaluate(expression.right, slots));
}

const steps: Readonly<Record<BinaryOperator, (left: Ends, right: Ends) => Ends>> = {
	'+': (left, right) => endsOf(left[0] + right[0], left[1] + right[1]),
	'-': (left, right) => endsOf(left[0] - right[1], left[1] - right[0]),
	'*': (left, right) => hull(left, right, (a, b) => a * b),
	// A divisor that begins or ends at 0 comes near it from one side only. The sign of that 0 gives the infinity its sign.
	'/': (left, [low, high]) =>
		(low < 0 && high > 0) || (low === 0 && high === 0)
			? endsOf(Number.NaN, Number.NaN)
			: hull(left, [low === 0 ? 0 : low, high === 0 ? -0 : high], (a, b) => a / b),
};

/**
 * Returns the interval of a product or a quotient: its extremes are at the ends of the operands. Of 0 · ∞, ∞ / ∞ and 0 / 0 only 0 is taken:
 * what else they can be lies between 0 and the other ends.
 */
function hull(left: Ends, right: Ends, step: (a: number, b: number) => number): Ends {
	const ends = left.flatMap((a) => right.map((b) => step(a, b))).map((end) => (Number.isNaN(end) ? 0 : end));
	return endsOf(Math.min(...ends), Math.max(...ends));
}
