import type { WindowState } from '#page/core/past/window-states.ts';
import { lengthAt } from '#page/core/past/windows.ts';

/** What a day says of a pump. */
export interface DaySummary {
	/** How often it went from off to on, as far as the windows can tell. */
	readonly starts: number;
	/** How long it ran, for sure; null where it is not known of windows whether it ran all the time. */
	readonly onMs: number | null;
	/** Whether there may be more of both: in gaps, and in windows in which it changed, or may have. */
	readonly isAtLeast: boolean;
}

/** How long a state has lasted, as far as the windows can tell. */
export interface Since {
	readonly kind: 'about' | 'atLeast' | 'lessThan';
	readonly ms: number;
}

/** How old the windows may be when the state now is said to go on from them. */
const freshMs = 5 * 60_000;

type States = readonly (WindowState | null)[];

/** Counts starts and running time; null where no state of the day is known. */
export function summaryOf(states: States, bounds: readonly number[]): DaySummary | null {
	let starts = 0;
	let onMs = 0;
	let before: boolean | null = null;
	for (const [index, state] of states.entries()) {
		if (state === null) continue;
		// On and off within a window: it came from off, or went back on.
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
	// The state is known from a sample within the window, which may be as late as its end.
	if (found === null) return { kind: 'atLeast', ms: nowMs - Math.min(nowMs, bounds[before + 2] ?? nowMs) };
	// It may have lasted through a window of which nothing else is known.
	const kind = found.isOn === isOn && found.changed === null ? 'atLeast' : 'about';
	return { kind, ms: nowMs - (bounds[before + 1] ?? nowMs) };
}
