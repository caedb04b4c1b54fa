import type { WindowState } from '#page/core/past/window-states.ts';
import { lengthAt } from '#page/core/past/windows.ts';

/** The starts and the running time of a pump in a day. */
export interface DaySummary {
	/** Number of changes from off to on that the windows show. */
	readonly starts: number;
	/** The total length of the windows in which the pump ran all the time; null when that is not known for some windows. */
	readonly onMs: number | null;
	/** Whether both numbers may be higher in truth: there are gaps, or windows in which the pump changed or may have changed. */
	readonly isAtLeast: boolean;
}

/** How long a state has lasted, as far as the windows show. */
export interface Since {
	readonly kind: 'about' | 'atLeast' | 'lessThan';
	readonly ms: number;
}

/** The present state counts as the continuation of the last window if that window ended at most this long ago, in milliseconds. */
const freshMs = 5 * 60_000;

type States = readonly (WindowState | null)[];

/** Counts the starts and the running time of a day; null when no state of the day is known. */
export function summaryOf(states: States, bounds: readonly number[]): DaySummary | null {
	let starts = 0;
	let onMs = 0;
	let before: boolean | null = null;
	for (const [index, state] of states.entries()) {
		if (state === null) continue;
		// If the state changed within the window, it changed to on if it was off before, or if it is on at the end.
		const isStart = state.changed === true ? before === false || state.isOn : state.isOn && before === false;
		if (isStart) starts += 1;
		if (state.isOn && state.changed === false) onMs += lengthAt(bounds, index);
		before = state.isOn;
	}
	if (before === null) return null;
	const isKnown = states.every((state) => state === null || state.changed !== null);
	return { starts, onMs: isKnown ? onMs : null, isAtLeast: states.some((state) => state?.changed !== false) };
}

/** Returns how long a pump has been in its state at `nowMs`; null when the windows do not show it. */
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
	// The windows before are a gap. The state began, at the latest, at the end of the window after the gap.
	if (found === null) return { kind: 'atLeast', ms: nowMs - Math.min(nowMs, bounds[before + 2] ?? nowMs) };
	// If the pump may have changed within that window and back, the state may have begun earlier.
	const kind = found.isOn === isOn && found.changed === null ? 'atLeast' : 'about';
	return { kind, ms: nowMs - (bounds[before + 1] ?? nowMs) };
}
