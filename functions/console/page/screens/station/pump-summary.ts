import { lengthAt, valueOrBit, type Windows } from '#page/core/past/windows.ts';

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

/** Returns the states at the end of each window: on is any number but 0, or a bit that is set. */
export function dayStates({ values }: Pick<Windows, 'values'>, bit: number | null): readonly (boolean | null)[] {
	return values.map((value) => {
		const state = valueOrBit(value, bit);
		return state === null ? null : state !== 0;
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
