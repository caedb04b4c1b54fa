import { runsOf } from '#page/core/past/windows.ts';

/** A part of a strip, in percent of its width. What is off has no part. */
export interface StripSegment {
	readonly state: 'on' | 'unknown';
	readonly from: number;
	readonly to: number;
}

/** Joins states of even length, oldest first, to parts. Null is unknown; a strip without states is unknown as a whole. */
export function stripSegmentsOf(states: readonly (boolean | null)[]): readonly StripSegment[] {
	if (states.length === 0) return [{ state: 'unknown', from: 0, to: 100 }];
	const placeOf = (index: number): number => (index / states.length) * 100;
	return runsOf(states).flatMap(({ of: on, from, to }) =>
		on === false ? [] : [{ state: on === null ? 'unknown' : 'on', from: placeOf(from), to: placeOf(to) }],
	);
}
