import type { SeriesFault } from './time-series.ts';

/** A series whose samples are read. Times are epoch milliseconds. */
export interface SampleKey {
	readonly topic: string;
	readonly field: string;
	/** The first and the last time that is read: both are inclusive. */
	readonly from: number;
	readonly to: number;
	/**
	 * Where given, the newest sample in [`baseFrom`, `from`) is read, too: a counter and starts are counted from there. One of another type
	 * than the samples after it may be missing.
	 */
	readonly baseFrom?: number;
}

/**
 * The samples of one series, of all its tag sets, in any order (shared/domain/totals/README.md#signals). Booleans are 1 and 0. A sample
 * whose number is not exact has no number.
 */
export interface RawSamples {
	/** Epoch milliseconds, rounded down. Several samples may have one time. */
	readonly times: Float64Array;
	/** One for each time: finite, or NaN where the sample has no number. */
	readonly values: Float64Array;
}

/** The result of reading samples. A series of text, or of several types in the range, is a fault as a whole. */
export type SamplesResult = RawSamples | { readonly fault: SeriesFault };

/** Reads the samples of time series as they were written, series by series. */
export interface SampleReader {
	/**
	 * Counts the samples from `from` to `to` in the store, without returning them. Of a series whose type changed, some may not be counted.
	 * @param database the tenant's database. One that does not exist has no samples, or `dependency_failed` is thrown
	 * @returns a number for each key, in their order
	 * @throws DomainError as `readSamples`
	 */
	countSamples(database: string, keys: readonly SampleKey[]): Promise<readonly number[]>;
	/**
	 * Reads samples. Callers count them first.
	 * @returns a result for each key, in their order; a series that cannot be read does not affect the others
	 * @throws DomainError `dependency_failed` or `dependency_slow` when nothing can be read, `too_large` when the keys are too many for one query
	 */
	readSamples(database: string, keys: readonly SampleKey[]): Promise<readonly SamplesResult[]>;
}
