import { isAtMost, roundedTo, shownValue } from '#domain/totals/shown-number.ts';
import type { Schemas } from '#page/core/api.ts';
import { withUnit } from '#page/format/condition.ts';
import { formatNumber, noNumber } from '#page/format/number.ts';
import { commonText } from '#page/i18n/common.ts';
import type { LineFunctionName } from '#page/reports/line-draft.ts';
import { reportScreenText } from './texts.ts';

/** The number of a line in a window, as the service returns it. */
export type CountedNumber = Pick<Schemas['RangeTotal'], 'value' | 'known' | 'low' | 'high' | 'cut' | 'expected' | 'taken'>;

/** The properties of a line that decide how its numbers are written. */
export interface LineLook {
	/** Null if the definition of the line is not known, because the line was deleted since. */
	readonly function: LineFunctionName | null;
	readonly decimals: number;
}

/** The words of a number. */
export interface CellWords {
	/**
	 * `empty`: no counted hours are in the window. `none`: nothing is known. `part`: not all of the time is known. `bounds`: too little
	 * is known, so only the bounds are shown.
	 */
	readonly kind: 'empty' | 'none' | 'exact' | 'part' | 'bounds';
	/** The number; null if only its bounds or nothing is shown. */
	readonly number: string | null;
	/** The bounds of the number, such as `4 519–5 276` or `at least`; null if it is exact or if they are unknown. */
	readonly bounds: string | null;
}

/** If a smaller share of the time is known, the number itself says little, so only its bounds are shown. */
const leastShownShare = 0.5;

/**
 * Returns the words of a number. A number that is not known for all of the time is shown with its bounds. If it has no bounds, it is not
 * shown, because nobody could tell how much is missing. Bounds that round to the number are left out.
 */
export function cellWords(counted: CountedNumber, look: LineLook): CellWords {
	const { value, known, low, high } = counted;
	if (value === null && known === null && low === null && high === null) return { kind: 'empty', number: null, bounds: null };
	// Where no reading was taken, that is told with how many were due.
	const isUntaken = look.function === 'readings' && value === null && (counted.expected ?? 0) > 0;
	const number = value === null && !isUntaken ? null : valueWords(value ?? 0, counted, look);
	// A night in part: no hour that is known was less.
	if (isAtMost(counted, look.function) && !isExact(counted, look)) {
		const atMost = `≤\u202f${boundWritten(high, look, Math.ceil)}`;
		return low === null
			? { kind: 'bounds', number: null, bounds: atMost }
			: { kind: 'part', number: atMost, bounds: boundWords(counted, look, {}) };
	}
	if (isExact(counted, look)) return { kind: 'exact', number: number ?? written(low ?? 0, look), bounds: null };
	const isWhole = known !== null && known >= 1;
	// For a number that is never below zero, a lower bound of zero says nothing.
	if (value === null && high === null && (low ?? 0) <= 0 && isNeverNegative(look)) return nothingKnown;
	if (low === null && high === null) return isWhole && number !== null ? { kind: 'exact', number, bounds: null } : nothingKnown;
	// What was taken is told with what was due, so a small share hides nothing.
	const tellsShare = look.function === 'readings';
	const showsNumber = number !== null && (isWhole || tellsShare || (known ?? 0) >= leastShownShare);
	const bounds = boundWords(counted, look, { beside: showsNumber && value !== null ? written(value, look) : null });
	return showsNumber ? { kind: 'part', number, bounds } : { kind: 'bounds', number: null, bounds };
}

/**
 * Returns the bounds of a number for a place where it does not stand beside them, with their unit: `3.2 m or less`. Null if `cellWords`
 * shows no bounds.
 */
export function boundsAlone(counted: CountedNumber, look: LineLook, unit: string): string | null {
	return cellWords(counted, look).bounds === null ? null : boundWords(counted, look, { unit });
}

/** Says between which bounds a number lies, with its unit; null if it has no bounds. */
export function boundsSentence({ low, high }: CountedNumber, look: LineLook, unit: string): string | null {
	const text = reportScreenText();
	const [least, most] = [boundWritten(low, look, Math.floor), boundWritten(high, look, Math.ceil)];
	if (least !== null && most !== null) return text.between(least, most, unit);
	if (least !== null) return text.atLeast(withUnit(least, unit));
	return most === null ? null : text.orLess(withUnit(most, unit));
}

/**
 * Returns the change from one number to another: in percent for sums, and as a difference for levels and counts. If a number is not
 * exact, the change is given by its bounds. The words are always in `bounds`, also those of an exact change.
 */
export function changeWords(counted: CountedNumber, before: CountedNumber, look: LineLook): Omit<CellWords, 'number'> {
	const [from, to] = [boundsIn(before, look), boundsIn(counted, look)];
	if (from === null || to === null) return { kind: 'none', bounds: noNumber };
	// A line whose function is not known is treated like a formula: its change is in percent.
	const isRelative =
		!differenceFunctions.includes(look.function ?? 'formula') && from.low !== null && from.low > 0 && (to.low ?? 0) >= 0;
	const change = (now: number | null, earlier: number | null): number | null => {
		if (now === null || earlier === null) return null;
		return isRelative ? (100 * now) / earlier - 100 : now - earlier;
	};
	const low = change(to.low, from.high);
	const high = change(to.high, from.low);
	// A narrow space that does not break.
	const unit = isRelative ? '\u202f%' : '';
	if (to.isExact && from.isExact) return { kind: 'exact', bounds: `${signed(high ?? 0, isRelative ? 1 : look.decimals)}${unit}` };
	const bounds = signedBounds({ low, high }, isRelative ? 0 : look.decimals, unit);
	return bounds === null ? { kind: 'none', bounds: noNumber } : { kind: 'part', bounds };
}

/** Writes the bounds of a difference with their signs, rounded outwards, so that the truth lies within; null without bounds. */
export function signedBounds(
	{ low, high }: { readonly low: number | null; readonly high: number | null },
	decimals: number,
	unit: string,
): string | null {
	const text = reportScreenText();
	const least = low === null ? null : signed(roundedTo(low, decimals, Math.floor), decimals);
	const most = high === null ? null : signed(roundedTo(high, decimals, Math.ceil), decimals);
	if (least === null) return most === null ? null : text.orLess(`${most}${unit}`);
	return most === null ? text.orMore(`${least}${unit}`) : commonText().lowToHigh(least, `${most}${unit}`);
}

/** Writes a share of time in percent. Only time that is fully known is written as 100. */
export function shareText(known: number | null): string {
	if (known === null) return '';
	if (known >= 1) return formatNumber(100, { decimals: 0 });
	if (known <= 0) return formatNumber(0, { decimals: 0 });
	// Rounded down, so that almost all of the time is not written as 100.
	return formatNumber(Math.floor(1000 * known) / 10, { decimals: 1 });
}

/**
 * The functions whose change is a difference: the levels, of which a percentage would mean nothing (a temperature may be 0 °C), the counts, and
 * what limits tell: points of a percentage, and hours. All others change in percent, run hours and formulas among them.
 */
const differenceFunctions: readonly LineFunctionName[] = [
	...(['mean', 'min', 'max', 'starts', 'raised', 'leastMean', 'change', 'within', 'longest', 'readings', 'excursions'] as const),
];

/**
 * Whether a number is never below zero. This is asked only of numbers without an upper bound. So `onTime` is left out: it always has one,
 * because the unknown time counts as on.
 */
const isNeverNegative = ({ function: lineFunction }: LineLook): boolean => neverNegative.includes(lineFunction ?? 'formula');

const neverNegative: readonly LineFunctionName[] = [
	...(['starts', 'raised', 'increase', 'within', 'longest', 'readings', 'excursions'] as const),
];

const nothingKnown: CellWords = { kind: 'none', number: null, bounds: null };

/** Whether the bounds round to one number. */
function isExact({ value, low, high }: CountedNumber, look: LineLook): boolean {
	if (low === null || high === null) return false;
	const words = written(low, look);
	return words === written(high, look) && (value === null || words === written(value, look));
}

/** Writes a value. A percentage within limits is rounded down: 94.96 % is not 95.0 %. */
function written(value: number, { function: lineFunction, decimals }: LineLook): string {
	return formatNumber(shownValue(value, lineFunction, decimals), { decimals });
}

/** Writes a bound, rounded outwards, so that the truth lies within. */
function boundWritten(bound: number | null, { decimals }: LineLook, outwards: (value: number) => number): string | null {
	return bound === null ? null : formatNumber(roundedTo(bound, decimals, outwards), { decimals });
}

/** Writes a value with what its function tells beside it: where a stretch may go on, and how many readings were taken of those due. */
function valueWords(value: number, { cut, expected, taken }: CountedNumber, look: LineLook): string {
	const words = written(value, look);
	if (look.function === 'longest' && cut != null) return `${cut[0] ? '←\u202f' : ''}${words}${cut[1] ? '\u202f→' : ''}`;
	if (look.function === 'readings' && taken != null && expected != null)
		return reportScreenText().readings(
			words,
			formatNumber(taken, { decimals: 0 }),
			taken === expected ? null : formatNumber(expected, { decimals: 0 }),
		);
	return words;
}

/** Returns the bounds in words. A bound that equals the number beside them is not repeated: `or more` instead of `12 or more`. */
function boundWords({ value, low, high }: CountedNumber, look: LineLook, { beside = null, unit = '' }: BoundPlace): string {
	const text = reportScreenText();
	const [least, most] = [boundWritten(low, look, Math.floor), boundWritten(high, look, Math.ceil)];
	const unlessShown = (bound: string | null): string => (bound === null || bound === beside ? '' : withUnit(bound, unit));
	// Of a least value that was seen only the upper bound says something, and of a greatest value only the lower one. The error of an
	// instrument makes both matter.
	if (look.function === 'min' && most !== null && value === high) return text.orLess(unlessShown(most));
	if (look.function === 'max' && least !== null && value === low) return text.orMore(unlessShown(least));
	if (least === null) return text.orLess(unlessShown(most));
	if (most === null) return text.atLeast(unlessShown(least));
	// Before a number below zero a dash reads as its sign.
	return withUnit((low ?? 0) < 0 ? commonText().lowToHigh(least, most) : `${least}–${most}`, unit);
}

/** Where bounds are written: beside a number, or alone with their unit. */
interface BoundPlace {
	readonly beside?: string | null;
	readonly unit?: string;
}

/**
 * Returns the bounds of a number; null if they are unknown. A number without bounds whose time is fully known is its own lower and upper
 * bound.
 */
function boundsIn(counted: CountedNumber, look: LineLook) {
	const { value, known, low, high } = counted;
	if (isExact(counted, look)) return { low: value ?? low, high: value ?? high, isExact: true };
	if (low !== null || high !== null) return { low, high, isExact: false };
	return value !== null && known !== null && known >= 1 ? { low: value, high: value, isExact: true } : null;
}

/** Writes a difference with its sign. A difference that rounds to 0 has none. */
export function signed(value: number, decimals: number): string {
	const words = formatNumber(Math.abs(value), { decimals });
	const isZero = Number(Math.abs(value).toFixed(decimals)) === 0;
	return isZero ? '0' : `${value < 0 ? '−' : '+'}${words}`;
}
