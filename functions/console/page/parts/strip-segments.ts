import type { WindowState } from '#page/core/past/window-states.ts';
import { equalRuns } from '#page/core/past/windows.ts';

/**
 * A part of a strip in percent of its width. Times at which the state was off have no part. `mixed`: the state was both on and off in
 * each of its windows.
 */
export interface StripSegment {
	readonly state: 'on' | 'mixed' | 'unknown';
	readonly from: number;
	readonly to: number;
}

/**
 * Joins equal neighbouring states to parts. The states have the same length, oldest first. Null is unknown; a strip without states is
 * unknown as a whole.
 */
export function stripSegmentsOf(states: readonly (WindowState | null)[]): readonly StripSegment[] {
	if (states.length === 0) return [{ state: 'unknown', from: 0, to: 100 }];
	const placeOf = (index: number): number => (index / states.length) * 100;
	return equalRuns(states.map(lookOf)).flatMap(({ of: state, from, to }) =>
		state === null ? [] : [{ state, from: placeOf(from), to: placeOf(to) }],
	);
}

/** Returns how a state is drawn; null for off, which is not drawn. */
function lookOf(state: WindowState | null): StripSegment['state'] | null {
	if (state === null) return 'unknown';
	if (state.changed === true) return 'mixed';
	return state.isOn ? 'on' : null;
}
