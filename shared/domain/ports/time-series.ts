import type { Aggregate } from '../variable/aggregates.ts';
import type { Duration } from '../variable/duration.ts';
import type { SeriesOfQuery } from '../variable/series-of-query.ts';

/**
 * A series to read (shared/domain/variable/README.md#what-a-query-reads).
 * `newest`: the newest sample in [now - lookback, now), with its own time.
 * `trailing`: the newest non-empty window of [now - lookback, now); windows are whole periods back from now, the oldest is clipped.
 * `history`: every non-empty window from the boundary at or before now - lookback.
 */
export type SeriesKey = SeriesOfQuery & {
	/** Whether the result tells the sources apart. */
	readonly bySource?: true;
} & (
		| { readonly read: 'newest'; readonly lookback: Duration }
		| {
				readonly read: 'trailing' | 'history';
				readonly lookback: Duration;
				readonly period: Duration;
				readonly aggregate: Aggregate;
		  }
	);

/**
 * Why a point has no number. `not_numeric`: the newest sample is text. `several_series`: samples of two tag sets in one window, or
 * at the time of the newest sample. `precision`: an integer beyond 2^53, or a mean that is infinite or not a number.
 */
export type PointFault = 'not_numeric' | 'several_series' | 'precision';

/** Why a whole series cannot be read: its windows hold text, or its field changed type within the range. */
export type SeriesFault = 'not_numeric' | 'type_changed';

/** The points of a series, oldest first: `times` and `values` have equal length. Times are epoch milliseconds. */
export interface Series {
	/** The end of a window, or the time of the newest sample; strictly ascending. */
	readonly times: readonly number[];
	/** Finite, or null with an entry in `faults`. Booleans are 1 and 0. */
	readonly values: readonly (number | null)[];
	/** Faults of points by their index. */
	readonly faults: ReadonlyMap<number, PointFault>;
	/** Time of the newest sample in the range; null when there is none. */
	readonly newestAt: number | null;
	/** There is no sample in the range, and one at or after `now`. Only an adapter that finds out without another request says so. */
	readonly isAhead?: true;
	/** Of a key with `bySource`: the points of each source that has some, by its name (shared/domain/totals/README.md#sources). */
	readonly sources?: ReadonlyMap<string, Series>;
}

/** The result of reading a series. */
export type SeriesResult = Series | { readonly fault: SeriesFault };

/** A series without samples. */
export const emptySeries: Series = { times: [], values: [], faults: new Map(), newestAt: null };

/** The time series of all tenants. */
export interface TimeSeries {
	/**
	 * Reads series at one moment.
	 * @param database the tenant's database. One that does not exist has no samples, or `dependency_failed` is thrown
	 * @param now epoch milliseconds; samples at or after `now` are not read
	 * @returns a result for each key, in their order; a series that cannot be read does not affect the others
	 * @throws DomainError `dependency_failed` or `dependency_slow` when nothing can be read, `too_large` when the keys are too many for one query
	 */
	read(database: string, keys: readonly SeriesKey[], now: number): Promise<readonly SeriesResult[]>;
}
