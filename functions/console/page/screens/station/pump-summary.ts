import type { WindowState } from '#page/core/past/window-states.ts';
import { lengthAt } from '#page/core/past/windows.ts';

/** The starts and the running time of a pump in a day. */
export interface DaySummary {
	/** How often it went from off to on, as far as the windows can tell. */
	readonly starts: number;
	/** The total length of the windows in which it ran all the time; null where that is not known of some windows. */
	readonly onMs: number | null;
	/** Whether both may be more: there are gaps, or windows in which it changed or may have changed. */
	readonly isAtLeast: boolean;
}

/** How long a state has lasted, as far as the windows can tell. */
export interface Since {
	readonly kind: 'about' | 'atLeast' | 'lessThan';
	readonly ms: number;
}

/** At most so long after the last window, the present state counts as the continuation of that window. */
const freshMs = 5 * 60_000;

type States = readonly (WindowState | null)[];

/** Counts starts and running time; null where no state of the day is known. */
export function summaryOf(states: States, bounds: readonly number[]): DaySummary | null {
	let starts = 0;
	let onMs = 0;
	let before: boolean | null = null;
	for (const [index, state] of states.entries()) {
		if (state === null) continue;
		// It changed within the window: it started if it was off before, or if it is on at the end.
		const isStart = state.changed === true ? before === false || state.isOn : state.isOn && before === false;
		if (isStart) starts += 1;
		if (state.isOn && state.changed === false) onMs += lengthAt(bounds, index);
		before = state.isOn;
	}
	if (before === null) return null;
	const isKnown = states.every((state) => state === null || state.changed !== null);
	return { starts, onMs: isKnown ? onMs : null, isAtLeast: states.some((state) => state?.changed !== false) };
}

/** Returns for how long a pump has been in its state at `nowMs`; null where the windows do not tell. */
export function sinceOf(states: States, bounds: readonly number[], isOn: boolean, nowMs: number): Since | null {
	const newest = states.at(-1) ?? null;
	const lastStart = bounds.at(-2);
	const end = bounds.at(-1);
	if (newest === null || lastStart === undefined || end === undefined || nowMs - end > freshMs) return null;
	if (newest.isOn !== isOn || newest.changed === true) return { kind: 'lessThan', ms: nowMs - lastStart };
	if (newest.changed === null) return null;
	const before = states.findLastIndex((state) => state?.isOn !== isOn || state.changed !== false);
	if (before < 0) return { kind: 'atLeast', ms: nowMs - (bounds[0] ?? nowMs) };
	const found = states[before] ?? null;
	// After a gap, the state is known from a sample somewhere in the next window, at its end at the latest.
	if (found === null) return { kind: 'atLeast', ms: nowMs - Math.min(nowMs, bounds[before + 2] ?? nowMs) };
	// Where it is not known whether the pump changed in that window, the state may have begun earlier.
	const kind = found.isOn === isOn && found.changed === null ? 'atLeast' : 'about';
	return { kind, ms: nowMs - (bounds[before + 1] ?? nowMs) };
}
