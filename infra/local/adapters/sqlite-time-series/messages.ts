import type { SeriesKey, SeriesResult } from '#domain/ports/time-series.ts';
import type { PackedPoints } from './pack.ts';

/** Where the series are and how topics are found in them. */
export interface SqliteTimeSeriesOptions {
	/** A path, or `:memory:`. */
	readonly file: string;
	/** `_measurement`: a topic is a measurement. Else the name of the tag that holds the topic. */
	readonly topicColumn: string;
	/** Where the topic is a tag: the only measurement that is read. Left out, all are. */
	readonly measurement?: string | undefined;
}

/** What the adapter asks of the thread that owns the database. */
export type Request =
	| { readonly call: 'open'; readonly options: SqliteTimeSeriesOptions }
	| { readonly call: 'write'; readonly database: string; readonly packed: PackedPoints }
	| { readonly call: 'read'; readonly database: string; readonly keys: readonly SeriesKey[]; readonly now: number }
	| { readonly call: 'sweep'; readonly before: number; readonly after: number }
	| { readonly call: 'close' };

/** The state of a sweep after one step: samples deleted, and where to go on, or null at the end. */
export interface SweepStep {
	readonly deleted: number;
	/** The `after` of the next step. */
	readonly next: number | null;
}

export type Reply =
	| { readonly call: 'open' | 'write' | 'close' }
	| { readonly call: 'read'; readonly results: readonly SeriesResult[] }
	| ({ readonly call: 'sweep' } & SweepStep);
