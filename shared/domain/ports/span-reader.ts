import { aggregates, type WindowAggregate, windowAggregates } from '../variable/aggregates.ts';
import type { SeriesOfQuery } from '../variable/series-of-query.ts';
import type { PointFault, SeriesFault } from './time-series.ts';

/**
 * What a window of a span can tell (shared/domain/calendar/README.md#slots-and-coverage). `slots`: in how many slots of the
 * window, each `slotMs` long, there is a sample.
 */
export const spanAggregates: readonly SpanAggregate[] = [...windowAggregates, 'slots'];

/** One column of a span. */
export type SpanAggregate = WindowAggregate | 'slots';

/** Returns what the values of a column are, as in the table of aggregates. */
export function resultTypeOf(aggregate: SpanAggregate): 'sample' | 'float' | 'count' {
	return aggregate === 'slots' ? 'count' : aggregates[aggregate].result;
}

/** A series to read over windows that the caller chose. */
export interface SpanKey extends SeriesOfQuery {
	/** n + 1 strictly ascending epoch milliseconds: window i is [bounds[i], bounds[i + 1]). Keys of one request share the array. */
	readonly bounds: readonly number[];
	/** Distinct, at least one. */
	readonly aggregates: readonly SpanAggregate[];
	/** The length of a slot in milliseconds; needed for `slots`. */
	readonly slotMs?: number;
}

/** One aggregate of every window. */
export interface SpanColumn {
	/** One for each window: finite; null where the window is empty or has an entry in `faults`. `count` and `slots` are 0 where empty. */
	readonly values: readonly (number | null)[];
	/** Why a window that has samples has no value, by its index. */
	readonly faults: ReadonlyMap<number, PointFault>;
}

/** The windows of one series. Booleans are 1 and 0; their mean is the share of true. */
export interface Span {
	/** A column for each aggregate of the key. */
	readonly columns: ReadonlyMap<SpanAggregate, SpanColumn>;
	/** Time of the newest sample between the first and the last bound; null when there is none. */
	readonly newestAt: number | null;
}

/** The result of reading a span. A series of text, or of several types between the bounds, is a fault as a whole. */
export type SpanResult = Span | { readonly fault: SeriesFault };

/** Reads windows of time series between any two times. */
export interface SpanReader {
	/**
	 * Reads spans.
	 * @param database the tenant's database. One that does not exist has no samples, or `dependency_failed` is thrown
	 * @returns a result for each key, in their order; a series that cannot be read does not affect the others
	 * @throws DomainError `dependency_failed` or `dependency_slow` when nothing can be read, `too_large` when the keys are too many for one query
	 */
	readSpans(database: string, keys: readonly SpanKey[]): Promise<readonly SpanResult[]>;
}
