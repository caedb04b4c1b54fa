import { minuteMs } from '#domain/milliseconds.ts';
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
const freshMs = 5 * minuteMs;

/**
 * The states of the windows of the day; null where nothing is known. `changed` of a state is null if it is not known whether the pump changed
 * within the window.
 */
type States = readonly (WindowState | null)[];

/** Counts the starts and the running time of a day; null when no state of the day is known. */
export function summaryOf(states: States, bounds: readonly number[]): DaySummary | null {
	let starts = 0;
	let onMs = 0;
	/** Whether the pump was on in the last known window; null before the first one. */
	let before: boolean | null = null;
	for (const [index, state] of states.entries()) {
		if (state === null) continue;
		const wasOff = before === false;
		// If the state changed within the window, it changed to on if it was off before, or if it is on at the end.
		const isStart = state.changed === true ? wasOff || state.isOn : wasOff && state.isOn;
		if (isStart) starts += 1;
		if (state.isOn && state.changed === false) onMs += lengthAt(bounds, index);
		before = state.isOn;
	}
	if (before === null) return null;
	const isEveryChangeKnown = states.every((state) => state === null || state.changed !== null);
	return { starts, onMs: isEveryChangeKnown ? onMs : null, isAtLeast: states.some((state) => state?.changed !== false) };
}

/** Returns how long a pump has been in its state at `nowMs`; null when the windows do not show it. */
export function sinceOf(states: States, bounds: readonly number[], isOn: boolean, nowMs: number): Since | null {
	const newest = states.at(-1) ?? null;
	const lastStart = bounds.at(-2);
	const end = bounds.at(-1);
	if (newest === null || lastStart === undefined || end === undefined || nowMs - end > freshMs) return null;
	if (newest.isOn !== isOn || newest.changed === true) return { kind: 'lessThan', ms: nowMs - lastStart };
	if (newest.changed === null) return null;
	/** The last window that was not in the present state all the time. */
	const otherIndex = states.findLastIndex((state) => state?.isOn !== isOn || state.changed !== false);
	if (otherIndex < 0) return { kind: 'atLeast', ms: nowMs - (bounds[0] ?? nowMs) };
	const other = states[otherIndex] ?? null;
	// The windows before are a gap. The state began, at the latest, at the end of the window after the gap.
	if (other === null) return { kind: 'atLeast', ms: nowMs - Math.min(nowMs, bounds[otherIndex + 2] ?? nowMs) };
	// If the pump may have changed within that window and back, the state may have begun earlier.
	const kind = other.isOn === isOn && other.changed === null ? 'atLeast' : 'about';
	return { kind, ms: nowMs - (bounds[otherIndex + 1] ?? nowMs) };
}
