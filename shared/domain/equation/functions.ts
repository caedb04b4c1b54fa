import { exp, ln, log10, power } from './elementary.ts';
import type { BinaryOperator, FormulaFunction } from './token.ts';

/** Why an equation over finite operands has no value. `stored_row_invalid`: its variable cannot be read. */
export type EvaluationFault = 'division_by_zero' | 'overflow' | 'domain' | 'outside_curve' | 'stored_row_invalid';

/** The steps of one operand; the exponent of `^`, the decimals of `round` and the points of `curve` are constants. */
export type UnaryName = Exclude<FormulaFunction, 'if' | 'min' | 'max'> | '^';

/** A step of one operand. */
interface UnaryStep {
	/** Returns the value; NaN or infinite where there is none, as for each x that is not finite. */
	readonly value: (x: number, constants: readonly number[]) => number;
	/** Returns why a finite x has no value. */
	readonly fault: (x: number, constants: readonly number[]) => EvaluationFault;
}

/** Every step of one operand (shared/domain/equation/README.md#functions). */
export const unarySteps: Readonly<Record<UnaryName, UnaryStep>> = {
	abs: { value: (x) => Math.abs(x), fault: () => 'overflow' },
	sqrt: { value: (x) => Math.sqrt(x), fault: () => 'domain' },
	exp: { value: exp, fault: () => 'overflow' },
	ln: { value: ln, fault: () => 'domain' },
	log10: { value: log10, fault: () => 'domain' },
	round: { value: (x, [decimals = 0]) => round(x, decimals), fault: () => 'overflow' },
	'^': {
		value: (x, [exponent = 1]) => power(x, exponent),
		fault: (x, [exponent = 1]) => {
			if (x === 0) return 'division_by_zero';
			return x < 0 && !Number.isInteger(exponent) ? 'domain' : 'overflow';
		},
	},
	curve: {
		value: valueOnCurve,
		fault: (x, points) => (x < (points[0] ?? x) || x > (points.at(-2) ?? x) ? 'outside_curve' : 'overflow'),
	},
};

/** Every step of two operands beside those of arithmetic. Each is NaN where an operand is not finite, so that no fault is lost. */
export const binarySteps: Readonly<Record<Exclude<BinaryOperator, '+' | '-' | '*' | '/'>, (a: number, b: number) => number>> = {
	'<': (a, b) => truth(a, b, a < b),
	'<=': (a, b) => truth(a, b, a <= b),
	'>': (a, b) => truth(a, b, a > b),
	'>=': (a, b) => truth(a, b, a >= b),
	'=': (a, b) => truth(a, b, a === b),
	'<>': (a, b) => truth(a, b, a !== b),
	min: (a, b) => (areFinite(a, b) ? Math.min(a, b) : Number.NaN),
	max: (a, b) => (areFinite(a, b) ? Math.max(a, b) : Number.NaN),
};

const areFinite = (a: number, b: number): boolean => Number.isFinite(a) && Number.isFinite(b);

function truth(a: number, b: number, isTrue: boolean): number {
	if (!areFinite(a, b)) return Number.NaN;
	return isTrue ? 1 : 0;
}

/** Rounds half away from zero, as SQL and spreadsheets do. */
function round(x: number, decimals: number): number {
	const scale = scales[decimals] ?? 1;
	const size = Math.abs(x) * scale;
	// From here on, a number has no digit behind the rounded one. It may also be too large for the product, or not finite.
	if (!(size < 0x10_0000_0000_0000)) return x;
	const whole = Math.floor(size);
	const rounded = (size - whole < 0.5 ? whole : whole + 1) / scale;
	return x < 0 && rounded > 0 ? -rounded : rounded;
}

const scales = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000];

/** Returns the y at x on straight lines between points `x1, y1, x2, y2, …`; NaN outside of them. */
function valueOnCurve(x: number, points: readonly number[]): number {
	for (let right = 2; right < points.length; right += 2) {
		const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = [points[right - 2], points[right - 1], points[right], points[right + 1]];
		if (x === x2) return y2;
		// NaN is in no part.
		if (!(x >= x1 && x < x2)) continue;
		const y = y1 + ((x - x1) * (y2 - y1)) / (x2 - x1);
		if (!Number.isFinite(y)) return Number.NaN;
		// A rounding error must not lead beyond the ends of the line.
		return Math.max(Math.min(y1, y2), Math.min(y, Math.max(y1, y2)));
	}
	return Number.NaN;
}
