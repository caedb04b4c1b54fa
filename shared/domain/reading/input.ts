import type { SeriesResult } from '../ports/time-series.ts';
import type { Input } from './plan.ts';
import { bad, good, type QualityAssessment } from './quality.ts';

/** An input with what was read for it. */
export interface InputResult extends Input {
	readonly result: SeriesResult;
}

/** The newest point of what was read: the value itself for a newest read, the newest window's otherwise. */
export interface NewestPoint extends QualityAssessment {
	readonly name: string;
	readonly value: number | null;
	/** The point's time: the sample's, or its window's end. */
	readonly time: number | null;
	/** When the newest sample was taken. */
	readonly sampledAt: number | null;
}

/** Judges the newest point of an input (design section 3). Age is the newest sample's own, whatever its window's time. */
export function newestOf({ name, result, staleAfterMs }: InputResult, now: number): NewestPoint {
	const nothing = { name, value: null, time: null, sampledAt: null };
	if ('fault' in result) return { ...nothing, ...bad(result.fault) };
	const last = result.times.length - 1;
	const time = result.times[last];
	if (time === undefined) return { ...nothing, quality: 'no_data', code: 'no_data' };
	const sampledAt = result.newestAt;
	const point = { name, value: result.values[last] ?? null, time, sampledAt };
	const fault = result.faults.get(last);
	if (fault !== undefined) return { ...point, value: null, ...bad(fault) };
	const stale = sampledAt !== null && now - sampledAt > staleAfterMs;
	return { ...point, ...(stale ? { quality: 'stale', code: 'stale' } : good) };
}
