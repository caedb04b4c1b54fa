import type { Range } from '../variable/window.ts';
import type { BoundedValue } from './signal-values.ts';

/** A number that somebody entered for some whole days: [from, to), epoch milliseconds. */
export interface EnteredNumber {
	readonly id: number;
	readonly from: number;
	readonly to: number;
	readonly value: number;
	readonly low: number;
	readonly high: number;
}

/** An entered number with the time of the windows that had it when they were counted, in milliseconds. */
export interface CoveredNumber extends EnteredNumber {
	readonly covered: number;
}

/** A window of a line that is entered: [from, to), epoch milliseconds, with the numbers about some of it. */
export interface EnteredState extends Range {
	readonly numbers: readonly CoveredNumber[];
}

/** Returns the numbers that count: of those about one day, the one with the highest id. A number counts whole or not at all. */
export function countingNumbers<Entered extends EnteredNumber>(numbers: readonly Entered[]): readonly Entered[] {
	const kept: Entered[] = [];
	for (const number of numbers.toSorted((a, b) => b.id - a.id)) if (!kept.some((other) => meet(number, other))) kept.push(number);
	return kept;
}

/** Returns the state of consecutive windows. @param numbers those that count */
export function foldEntered(numbers: readonly EnteredNumber[], bounds: readonly number[]): readonly EnteredState[] {
	return bounds.slice(1).map((stop, index) => {
		const window = { from: bounds[index] ?? stop, to: stop };
		const own = numbers.filter((number) => meet(number, window));
		const covered = (number: EnteredNumber): number => Math.min(number.to, stop) - Math.max(number.from, window.from);
		return { start: window.from, stop, numbers: own.map((number) => ({ ...number, covered: covered(number) })) };
	});
}

/** Merges the states of consecutive windows. */
export function mergeEntered(earlier: EnteredState, later: EnteredState): EnteredState {
	const numbers = [...earlier.numbers];
	for (const number of later.numbers) {
		// A number that goes on is among the last ones.
		const index = numbers.findLastIndex((other) => isSameNumber(other, number));
		const before = numbers[index];
		if (before === undefined) numbers.push(number);
		else numbers[index] = { ...number, covered: before.covered + number.covered };
	}
	return { start: earlier.start, stop: later.stop, numbers };
}

/**
 * Returns the numbers about a window: those that all of their days had when they were counted, and the present ones of other days. So what was
 * reported stays until its days are counted anew.
 * @param present the numbers that count now
 */
export function numbersIn({ start, stop, numbers }: EnteredState, present: readonly EnteredNumber[]): readonly EnteredNumber[] {
	const window = { from: start, to: stop };
	const held = numbers.filter(({ from, to, covered }) => covered === to - from);
	return [...held, ...present.filter((number) => meet(number, window) && !held.some((each) => meet(number, each)))];
}

/** Returns the sum of the numbers of a window. It is null unless the window consists of whole numbers: a month is never divided into days. */
export function enteredValue(
	state: EnteredState,
	present: readonly EnteredNumber[],
): Pick<BoundedValue, 'value' | 'low' | 'high'> & { readonly known: number | null } {
	const numbers = numbersIn(state, present);
	const isWhole = numbers.every(({ from, to }) => from >= state.start && to <= state.stop);
	const covered = numbers.reduce((sum, { from, to }) => sum + to - from, 0);
	if (!isWhole || covered < state.stop - state.start) return { value: null, low: null, high: null, known: null };
	const sumOf = (field: 'value' | 'low' | 'high'): number | null => {
		const sum = numbers.reduce((total, number) => total + number[field], 0);
		return Number.isFinite(sum) ? sum : null;
	};
	return { value: sumOf('value'), low: sumOf('low'), high: sumOf('high'), known: 1 };
}

const isSameNumber = (a: EnteredNumber, b: EnteredNumber): boolean =>
	a.id === b.id && a.from === b.from && a.to === b.to && a.value === b.value && a.low === b.low && a.high === b.high;

/** Whether two ranges have some time in common. */
const meet = (a: Pick<EnteredNumber, 'from' | 'to'>, b: Pick<EnteredNumber, 'from' | 'to'>): boolean =>
	a.from < b.to && b.from < a.to;
