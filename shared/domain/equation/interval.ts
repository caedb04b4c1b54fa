import { maxWholePower } from './elementary.ts';
import { type Expression, parseEquation } from './expression.ts';
import { type UnaryName, unarySteps } from './functions.ts';
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
			const [low, high] = evaluate(expression, [...ends, ...exact]) ?? unbounded;
			return { low: Number.isFinite(low) ? low : null, high: Number.isFinite(high) ? high : null };
		},
	};
}

/** The ends of an interval. The lower one is finite or -Infinity, the upper one finite or Infinity. */
type Ends = readonly [low: number, high: number];

const unbounded: Ends = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

/** Returns ends. One that is not a number, or too large for one, is none: a bound that is left out is never wrong. */
function endsOf(low: number, high: number): Ends {
	return [Number.isFinite(low) ? low : Number.NEGATIVE_INFINITY, Number.isFinite(high) ? high : Number.POSITIVE_INFINITY];
}

/** Returns ends; null where a function has no value for some of the operands: nothing then bounds the result. */
function evaluate(expression: Expression, slots: readonly Ends[]): Ends | null {
	if (typeof expression === 'number') return slots[expression] ?? unbounded;
	if ('condition' in expression) {
		const condition = evaluate(expression.condition, slots);
		if (condition === null) return null;
		const [low, high] = condition;
		if (low > 0 || high < 0) return evaluate(expression.then, slots);
		const otherwise = evaluate(expression.otherwise, slots);
		if (low === 0 && high === 0) return otherwise;
		const then = evaluate(expression.then, slots);
		return then === null || otherwise === null ? null : [Math.min(then[0], otherwise[0]), Math.max(then[1], otherwise[1])];
	}
	if ('operand' in expression) {
		const operand = evaluate(expression.operand, slots);
		return operand === null ? null : calls[expression.name](operand, expression.constants);
	}
	const left = evaluate(expression.left, slots);
	const right = evaluate(expression.right, slots);
	return left === null || right === null ? null : steps[expression.operator](left, right);
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
	'<': (left, right) => truth(left[1] < right[0], left[0] >= right[1]),
	'<=': (left, right) => truth(left[1] <= right[0], left[0] > right[1]),
	'>': (left, right) => truth(left[0] > right[1], left[1] <= right[0]),
	'>=': (left, right) => truth(left[0] >= right[1], left[1] < right[0]),
	'=': (left, right) => truth(isOnly(left, right), areApart(left, right)),
	'<>': (left, right) => truth(areApart(left, right), isOnly(left, right)),
	min: (left, right) => [Math.min(left[0], right[0]), Math.min(left[1], right[1])],
	max: (left, right) => [Math.max(left[0], right[0]), Math.max(left[1], right[1])],
};

/** Returns the interval of a comparison: 1, 0, or both. */
function truth(isAlways: boolean, isNever: boolean): Ends {
	return [isAlways ? 1 : 0, isNever ? 0 : 1];
}

const areApart = (left: Ends, right: Ends): boolean => left[1] < right[0] || left[0] > right[1];

const isOnly = (left: Ends, right: Ends): boolean =>
	left[0] === left[1] && right[0] === right[1] && left[0] === right[0] && Number.isFinite(left[0]);

/** How far exp, logarithms and broken powers may fall although their operand rises, as a share: their last digits are not exact. */
const unevenness = { logarithm: 2 ** -50, power: 2 ** -40 } as const;

/** The interval of each function of one operand; null where it has no value at some point of the operand. */
const calls: Readonly<Record<UnaryName, (operand: Ends, constants: readonly number[]) => Ends | null>> = {
	abs: ([low, high]) => ofEven(low, high, (x) => x),
	sqrt: ([low, high]) => (low < 0 ? null : rising('sqrt', low, high)),
	exp: ([low, high]) => {
		const ends = widened(low, high, unevenness.logarithm, rising('exp', low, high));
		return [low === Number.NEGATIVE_INFINITY ? 0 : ends[0], ends[1]];
	},
	ln: ([low, high]) => (low <= 0 ? null : widened(low, high, unevenness.logarithm, rising('ln', low, high))),
	log10: ([low, high]) => (low <= 0 ? null : widened(low, high, unevenness.logarithm, rising('log10', low, high))),
	round: ([low, high], constants) => rising('round', low, high, constants),
	'^': ([low, high], [exponent = 1]) => powerOf(low, high, exponent),
	curve: ([low, high], points) => {
		if (!(low >= (points[0] ?? low) && high <= (points.at(-2) ?? high))) return null;
		const inner = points.filter((_, index) => {
			const x = points[index - 1] ?? low;
			return index % 2 === 1 && x > low && x < high;
		});
		const values = [...inner, unarySteps.curve.value(low, points), unarySteps.curve.value(high, points)];
		return endsOf(Math.min(...values), Math.max(...values));
	},
};

/** Returns the interval of a function that rises with its operand. Without a bound of the operand there is none of the value. */
function rising(name: UnaryName, low: number, high: number, constants: readonly number[] = []): Ends {
	const { value } = unarySteps[name];
	return endsOf(value(low, constants), value(high, constants));
}

/** Returns the interval of a function that is the same for -x as for x, and rises with the size of x. */
function ofEven(low: number, high: number, sizeOf: (x: number) => number): Ends {
	const [least, greatest] = [Math.min(Math.abs(low), Math.abs(high)), Math.max(Math.abs(low), Math.abs(high))];
	return endsOf(sizeOf(low <= 0 && high >= 0 ? 0 : least), sizeOf(greatest));
}

function powerOf(low: number, high: number, exponent: number): Ends | null {
	const size = Math.abs(exponent);
	const isWhole = Number.isInteger(size);
	if (size === 0) return [1, 1];
	if ((!isWhole && low < 0) || (exponent < 0 && low <= 0 && high >= 0)) return null;
	const isEven = isWhole && size % 2 === 0;
	const ends = isEven ? ofEven(low, high, (x) => unarySteps['^'].value(x, [size])) : rising('^', low, high, [size]);
	const isExact = Math.floor(size) <= maxWholePower && Number.isInteger(2 * size);
	const [least, greatest] = isExact ? ends : widened(low, high, unevenness.power, ends);
	return exponent > 0 ? [least, greatest] : endsOf(1 / greatest, 1 / least);
}

/** Returns an interval that is wider by a share of each end, unless it is that of one point. */
function widened(low: number, high: number, share: number, ends: Ends): Ends {
	return low === high ? ends : [ends[0] - Math.abs(ends[0]) * share, ends[1] + Math.abs(ends[1]) * share];
}

/**
 * Returns the interval of a product or a quotient: its extremes are at the ends of the operands. Of 0 · ∞, ∞ / ∞ and 0 / 0 only 0 is taken:
 * what else they can be lies between 0 and the other ends.
 */
function hull(left: Ends, right: Ends, step: (a: number, b: number) => number): Ends {
	const ends = left.flatMap((a) => right.map((b) => step(a, b))).map((end) => (Number.isNaN(end) ? 0 : end));
	return endsOf(Math.min(...ends), Math.max(...ends));
}
