import type { SeriesOfQuery } from '../variable/series-of-query.ts';
import type { SeriesFault } from './time-series.ts';

/** A series whose samples are read. Times are epoch milliseconds. */
export interface SampleKey extends SeriesOfQuery {
	/** The first and the last time that is read: both are inclusive. */
	readonly from: number;
	readonly to: number;
	/**
	 * Where given, the newest sample of each source in [`baseFrom`, `from`) is read, too: a counter and starts are counted from there. One of another
	 * type than the samples from `from` to `to` is left out. Floats and integers are of one type here.
	 */
	readonly baseFrom?: number;
}

/**
 * The samples of one source: of one tag set of a topic and field (shared/domain/totals/README.md#sources). Booleans are 1 and 0. A sample
 * whose number is not exact has no number.
 */
export interface SourceSamples {
	/** The tags without the topic, in any order. A measurement that is not the topic is one of them: `_measurement`. */
	readonly tags: readonly (readonly [name: string, value: string])[];
	/** Ascending epoch milliseconds, rounded down. Several samples of one millisecond are in the order of their nanoseconds. */
	readonly times: Float64Array;
	/** One for each time: finite, or NaN where the sample has no number. */
	readonly values: Float64Array;
}

/** The samples of one topic and field: of each source that has some, in any order. */
export type RawSamples = readonly SourceSamples[];

/**
 * The result of reading samples. Text, and numbers mixed with truth values or text, are a fault as a whole. `at`: the time of the first
 * sample of another type, epoch milliseconds.
 */
export type SamplesResult = RawSamples | { readonly fault: SeriesFault; readonly at?: number };

/** Reads the samples of time series as they were written, series by series. */
export interface SampleReader {
	/**
	 * Counts the samples from `from` to `to` in the store, without returning them. Of a series whose type changed, some may not be counted.
	 * @param database the tenant's database. One that does not exist has no samples, or `dependency_failed` is thrown
	 * @returns a number for each key, in their order
	 * @throws DomainError as `readSamples`
	 */
	countSamples(database: string, keys: readonly SampleKey[]): Promise<readonly number[]>;
	/** Returns how many samples one read of a database may have, as far as the last count has shown; left out: as many as callers want. */
	maxSamples?(database: string): number;
	/**
	 * Reads samples. Callers count them first.
	 * @returns a result for each key, in their order; a series that cannot be read does not affect the others
	 * @throws DomainError `dependency_failed` or `dependency_slow` when nothing can be read, `too_large` when the keys are too many for one query
	 */
	readSamples(database: string, keys: readonly SampleKey[]): Promise<readonly SamplesResult[]>;
}
