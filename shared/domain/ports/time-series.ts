import type { Duration } from '../variable/duration.ts';
import type { Aggregate } from '../variable/query.ts';

/**
 * How a series is read (design section 5).
 * `newest`: the newest sample in [now - lookback, now), with its own time; period and aggregate play no part.
 * `trailing`: whole periods, the last ending at now; the newest one that is not empty.
 * `history`: every window that is not empty, from the boundary at or before now - lookback.
 */
export type SeriesKey =
	| { readonly read: 'newest'; readonly topic: string; readonly field: string; readonly lookback: Duration }
	| {
			readonly read: 'trailing' | 'history';
			readonly topic: string;
			readonly field: string;
			readonly lookback: Duration;
			readonly period: Duration;
			readonly aggregate: Aggregate;
	  };

/**
 * Why one point has no number. `not_numeric`: the newest sample is a string. `several_series`: two tag sets had samples in one
 * window, or at the very moment of the newest sample. `precision`: an integer beyond 2^53.
 */
export type PointFault = 'not_numeric' | 'several_series' | 'precision';

/** Why a whole series cannot be read: its windows are of strings, or its field changed type within the range. */
export type SeriesFault = 'not_numeric' | 'type_changed';

/** A series as it was read: columns of equal length, oldest first. */
export interface Series {
	/** A window's end, or the sample's own time for `newest`; epoch milliseconds, strictly ascending. */
	readonly times: readonly number[];
	/** Finite; null where `faults` says why. Booleans are 1 and 0. */
	readonly values: readonly (number | null)[];
	/** By index into the columns. */
	readonly faults: ReadonlyMap<number, PointFault>;
	/** When the newest sample of the range was taken, whatever its window's time; null where there is none. */
	readonly newestAt: number | null;
}

export type SeriesResult = Series | { readonly fault: SeriesFault };

/** A read that found nothing. */
export const emptySeries: Series = { times: [], values: [], faults: new Map(), newestAt: null };

/** The tenants' series. */
export interface TimeSeries {
	/**
	 * Reads all of `keys` at one moment.
	 * @param database the tenant's time-series database, from the token; one that does not exist has no samples, or is a fault
	 * @param now epoch milliseconds; samples at or after it are not seen
	 * @returns a result for each key, in their order: a series that cannot be read never takes the others with it
	 * Throws DomainError `dependency_failed` or `dependency_slow` where nothing can be read.
	 */
	read(database: string, keys: readonly SeriesKey[], now: number): Promise<readonly SeriesResult[]>;
}
