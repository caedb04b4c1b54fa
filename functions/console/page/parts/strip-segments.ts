/** A part of a strip, in percent of its width. What is off has no part. */
export interface StripSegment {
	readonly state: 'on' | 'unknown';
	readonly from: number;
	readonly to: number;
}

/** Joins states of even length, oldest first, to parts. Null is unknown; a strip without states is unknown as a whole. */
export function stripSegmentsOf(states: readonly (boolean | null)[]): readonly StripSegment[] {
	if (states.length === 0) return [{ state: 'unknown', from: 0, to: 100 }];
	const segments: StripSegment[] = [];
	for (const [index, on] of states.entries()) {
		if (on === false) continue;
		const state = on === null ? 'unknown' : 'on';
		const from = (index / states.length) * 100;
		const to = ((index + 1) / states.length) * 100;
		const previous = segments.at(-1);
		if (previous?.state === state && previous.to === from) segments.splice(-1, 1, { state, from: previous.from, to });
		else segments.push({ state, from, to });
	}
	return segments;
}
