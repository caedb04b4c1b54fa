import type { SeriesResult } from '../ports/time-series.ts';
import type { Input } from './plan.ts';
import { bad, good, type QualityAssessment, stale } from './quality.ts';

/** An input with the series that was read for it. */
export interface InputResult extends Input {
	readonly result: SeriesResult;
}

/** The newest point of an input: the newest sample, or the newest window. Times are epoch milliseconds. */
export interface NewestPoint extends QualityAssessment {
	readonly name: string;
	readonly value: number | null;
	/** Time of the sample, or end of the window. */
	readonly time: number | null;
	/** Time of the newest sample. */
	readonly sampledAt: number | null;
}

/** Returns the newest point of an input with its quality (shared/domain/reading/README.md#qualities). Its age is the newest sample's. */
export function newestPointOf({ name, result, staleAfterMs }: InputResult, now: number): NewestPoint {
	const absent = { name, value: null, time: null, sampledAt: null };
	if ('fault' in result) return { ...absent, ...bad(result.fault) };
	const last = result.times.length - 1;
	const time = result.times[last];
	if (time === undefined) return { ...absent, quality: 'no_data', code: result.isAhead ? 'samples_ahead' : 'no_data' };
	const sampledAt = result.newestAt;
	const point = { name, value: result.values[last] ?? null, time, sampledAt };
	const fault = result.faults.get(last);
	if (fault !== undefined) return { ...point, value: null, ...bad(fault) };
	return { ...point, ...(sampledAt !== null && now - sampledAt > staleAfterMs ? stale : good) };
}
