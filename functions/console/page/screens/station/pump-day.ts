import type { Schemas } from '#page/core/api.ts';
import { lineOf } from '#page/core/past.ts';

/** The last day of a variable: its value at the end of each window, null where it is not known. */
export interface PastDay {
	readonly values: readonly (number | null)[];
	/** The n + 1 bounds of the windows, epoch milliseconds. */
	readonly bounds: readonly number[];
}

/** What a day says of a pump. */
export interface DaySummary {
	/** How often it was off at the end of a window and on at the end of the next known one. */
	readonly starts: number;
	readonly onMs: number;
	/** Whether parts of the day are not known. There may be more starts then. */
	readonly hasGaps: boolean;
}

/** How long a state has lasted, as far as the windows can tell. */
export interface Since {
	readonly kind: 'about' | 'atLeast' | 'lessThan';
	readonly ms: number;
}

/** How old the windows may be when the state now is said to go on from them. */
const freshMs = 5 * 60_000;

/** Returns the day of a variable's history. A calculated variable has only its own aggregate; of any other the last sample counts. */
export function pastDayOf({ values, period }: Schemas['VariableHistory'], bounds: readonly number[]): PastDay {
	const last = values.last ?? [];
	const column = last.some((value) => value !== null) ? last : (values.own ?? []);
	const line = lineOf({ values: { own: column }, period }, bounds);
	// The first window is cut where the day begins. It may be too short for a sample, and that is no gap.
	const isCut = line[0] === null && lengthAt(bounds, 0) < lengthAt(bounds, 1);
	return isCut ? { values: line.slice(1), bounds: bounds.slice(1) } : { values: line, bounds };
}

/** Returns the states at the end of each window: on is any number but 0, or a bit that is set. Bits are those of a byte. */
export function dayStates({ values }: PastDay, bit: number | null): readonly (boolean | null)[] {
	return values.map((value) => {
		if (value === null) return null;
		if (bit === null) return value !== 0;
		return Number.isInteger(value) && value >= 0 && value <= 255 ? ((value >> bit) & 1) === 1 : null;
	});
}

/** Counts starts and running time; null where no state of the day is known. */
export function summaryOf(states: readonly (boolean | null)[], bounds: readonly number[]): DaySummary | null {
	let starts = 0;
	let onMs = 0;
	let before: boolean | null = null;
	for (const [index, on] of states.entries()) {
		if (on === null) continue;
		if (on && before === false) starts += 1;
		if (on) onMs += lengthAt(bounds, index);
		before = on;
	}
	return before === null ? null : { starts, onMs, hasGaps: states.includes(null) };
}

/** Returns for how long a pump has been in its state at `nowMs`; null where the windows do not tell. */
export function sinceOf(
	states: readonly (boolean | null)[],
	bounds: readonly number[],
	isOn: boolean,
	nowMs: number,
): Since | null {
	const newest = states.at(-1);
	const lastStart = bounds.at(-2);
	const end = bounds.at(-1);
	if (newest === undefined || newest === null || lastStart === undefined || end === undefined || nowMs - end > freshMs)
		return null;
	if (newest !== isOn) return { kind: 'lessThan', ms: nowMs - lastStart };
	const before = states.findLastIndex((state) => state !== isOn);
	if (before < 0) return { kind: 'atLeast', ms: nowMs - (bounds[0] ?? nowMs) };
	// The state is known from a sample within the window, which may be as late as its end.
	if (states[before] === null) return { kind: 'atLeast', ms: nowMs - Math.min(nowMs, bounds[before + 2] ?? nowMs) };
	return { kind: 'about', ms: nowMs - (bounds[before + 1] ?? nowMs) };
}

function lengthAt(bounds: readonly number[], index: number): number {
	return (bounds[index + 1] ?? 0) - (bounds[index] ?? 0);
}
