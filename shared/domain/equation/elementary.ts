// Powers, exp and logarithms in steps of IEEE 754 only, by the method of fdlibm (Sun Microsystems, 1993). The results of Math.exp, Math.log and
// Math.pow differ between engines and their versions. A number of a sealed day must not.

/**
 * Returns e to the power of x, with an error of less than one unit in the last place.
 * @returns infinite where the result is too large, NaN where x is not finite
 */
export function exp(x: number): number {
	if (!Number.isFinite(x)) return Number.NaN;
	if (x > greatestExponent) return Number.POSITIVE_INFINITY;
	if (x < leastExponent) return 0;
	// x = halvings · ln 2 + rest, with |rest| at most half of ln 2. Its two parts keep what one number would round away.
	const halvings = Math.floor(x / Math.LN2 + 0.5);
	const high = x - halvings * ln2High;
	const low = halvings * ln2Low;
	const rest = high - low;
	const square = rest * rest;
	const even = rest - square * (exp1 + square * (exp2 + square * (exp3 + square * (exp4 + square * exp5))));
	return scaled(1 - (low - (rest * even) / (2 - even) - high), halvings);
}

/**
 * Returns the natural logarithm of x, with an error of less than one unit in the last place.
 * @returns NaN where x is not finite or not above 0
 */
export function ln(x: number): number {
	if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return Number.NaN;
	const { fraction, exponent } = split(x);
	// The fraction is at least 1. Above the root of 2, half of it is nearer to 1.
	const isHigh = fraction > Math.SQRT2;
	const distance = (isHigh ? fraction / 2 : fraction) - 1;
	const doublings = isHigh ? exponent + 1 : exponent;
	const ratio = distance / (2 + distance);
	const square = ratio * ratio;
	const fourth = square * square;
	const odd = square * (log1 + fourth * (log3 + fourth * (log5 + fourth * log7)));
	const even = fourth * (log2 + fourth * (log4 + fourth * log6));
	const half = 0.5 * distance * distance;
	return doublings * ln2High - (half - (ratio * (half + odd + even) + doublings * ln2Low) - distance);
}

/**
 * Returns the decimal logarithm of x: exactly n of a power 10^n that is a whole number without rounding.
 * @returns NaN where x is not finite or not above 0
 */
export function log10(x: number): number {
	if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return Number.NaN;
	const { fraction, exponent } = split(x);
	// Both parts of the sum have one sign, so that nothing cancels.
	const doublings = exponent < 0 ? exponent + 1 : exponent;
	const rest = doublings * log10Of2Low + Math.LOG10E * ln(exponent < 0 ? fraction / 2 : fraction);
	return rest + doublings * log10Of2High;
}

/** The greatest whole exponent of a power that is computed by multiplications. */
export const maxWholePower = 64;

/**
 * Returns x to the power of a constant (shared/domain/equation/README.md#functions).
 * @returns NaN where x is not finite, where it is negative and the exponent broken, and where a step is too large
 */
export function power(x: number, exponent: number): number {
	if (!Number.isFinite(x)) return Number.NaN;
	const result = positivePower(x, Math.abs(exponent));
	if (exponent >= 0) return result;
	return Number.isFinite(result) ? 1 / result : Number.NaN;
}

function positivePower(x: number, exponent: number): number {
	const whole = Math.floor(exponent);
	if (whole <= maxWholePower && whole === exponent) return wholePower(x, whole);
	if (whole <= maxWholePower && exponent - whole === 0.5) return wholePower(x, whole) * Math.sqrt(x);
	if (x === 0) return 0;
	if (x > 0) return exp(exponent * ln(x));
	if (whole !== exponent) return Number.NaN;
	const size = exp(exponent * ln(-x));
	return exponent % 2 === 0 ? size : -size;
}

/** Multiplies by the squares whose bits are set in the exponent, from the lowest bit. */
function wholePower(x: number, exponent: number): number {
	let result = 1;
	let square = x;
	for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
		if (rest % 2 === 1) result *= square;
		square *= square;
	}
	return result;
}

const bits = new DataView(new ArrayBuffer(8));

/** Returns x as fraction · 2^exponent, with a fraction of at least 1 and less than 2. x is finite and above 0. */
function split(x: number): { readonly fraction: number; readonly exponent: number } {
	// A number below the normal ones has no exponent of its own.
	const isSmall = x < leastNormal;
	bits.setFloat64(0, isSmall ? x * 0x40_0000_0000_0000 : x);
	const high = bits.getUint32(0);
	bits.setUint32(0, (high & 0xf_ffff) | (exponentBias << 20));
	return { fraction: bits.getFloat64(0), exponent: (high >>> 20) - exponentBias - (isSmall ? 54 : 0) };
}

/** Returns x · 2^exponent, rounded once. The exponent is from -1,100 to 1,024. */
function scaled(x: number, exponent: number): number {
	if (exponent > 1000) return x * powerOf2(exponent - 1) * 2;
	return exponent < -1000 ? x * powerOf2(exponent + 100) * powerOf2(-100) : x * powerOf2(exponent);
}

/** Returns 2^exponent for an exponent from -1,022 to 1,023. */
function powerOf2(exponent: number): number {
	bits.setUint32(0, (exponent + exponentBias) << 20);
	bits.setUint32(4, 0);
	return bits.getFloat64(0);
}

const exponentBias = 1023;
const leastNormal = 2.2250738585072014e-308;
const greatestExponent = 709.782712893384;
const leastExponent = -745.1332191019411;
/** ln 2 in two parts. The upper one ends in zeros, so that its multiples are exact. */
const ln2High = 0.6931471803691238;
const ln2Low = 1.9082149292705877e-10;
/** The polynomials of fdlibm for exp and ln. */
const exp1 = 0.16666666666666602;
const exp2 = -0.0027777777777015593;
const exp3 = 0.00006613756321437934;
const exp4 = -0.0000016533902205465252;
const exp5 = 4.1381367970572385e-8;
const log1 = 0.6666666666666735;
const log2 = 0.3999999999940942;
const log3 = 0.2857142874366239;
const log4 = 0.22222198432149784;
const log5 = 0.1818357216161805;
const log6 = 0.15313837699209373;
const log7 = 0.14798198605116586;
/** The decimal logarithm of 2 in two parts, as ln 2. */
const log10Of2High = 0.30102999566361177;
const log10Of2Low = 3.694239077158931e-13;
