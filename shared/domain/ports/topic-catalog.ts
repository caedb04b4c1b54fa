import type { Range } from '../variable/window.ts';

/** The type of a series: that of its newest sample. `mixed`: its tag sets have several types. */
export const seriesTypes = ['float', 'integer', 'boolean', 'text', 'mixed'] as const;

/** The type of a series. */
export type SeriesType = (typeof seriesTypes)[number];

/** The topic and the field of a series. */
export interface TopicField {
	readonly topic: string;
	readonly field: string;
}

/** Returns a text that identifies a series. */
export function seriesKeyOf({ topic, field }: TopicField): string {
	return JSON.stringify([topic, field]);
}

/** A series of a database with its newest sample (shared/domain/topics/README.md). */
export interface CatalogSeries extends TopicField {
	readonly type: SeriesType;
	/** Epoch milliseconds, rounded down. */
	readonly newestAt: number;
	/** Booleans are 1 and 0. Null for text, and for a number that is not exact. */
	readonly newestValue: number | null;
	/** Number of tag sets that have samples. Time and value are those of the one with the newest sample of all. */
	readonly tagSets: number;
	/**
	 * The tag set of that sample as `key=value` pairs, by key, joined by commas, without the tag that holds the topic. Null where there is only
	 * one tag set.
	 */
	readonly tagSet: string | null;
}

/** Lists the topics of a database. */
export interface TopicCatalog {
	/**
	 * Lists the topics of a database. The answer may be up to a minute old.
	 * @param database the tenant's database. One that does not exist has no topics, or `dependency_failed` is thrown
	 * @param now epoch milliseconds
	 * @returns different names, ascending by UTF-16 units; a topic may have lost its samples
	 * @throws DomainError `dependency_failed` or `dependency_slow`
	 */
	topics(database: string, now: number): Promise<readonly string[]>;
	/**
	 * Reads the newest sample before `now` of every field of some topics. A field without samples in the last 30 days may be left out
	 * where another field of its topic has some.
	 * @param topics different, at most 500
	 * @throws DomainError `dependency_failed`, `dependency_slow`, or `too_large` when the names are too long for one query
	 */
	newest(database: string, topics: readonly string[], now: number): Promise<readonly CatalogSeries[]>;
	/**
	 * Reads the times of the newest samples in a range, epoch milliseconds, ascending: of each series those of the tag set with the newest
	 * sample.
	 * @param count most times of one series
	 * @returns a list for each series, in their order
	 * @throws DomainError as `newest`
	 */
	newestTimes(
		database: string,
		series: readonly TopicField[],
		range: Range,
		count: number,
	): Promise<readonly (readonly number[])[]>;
}

/** Most topics of which the newest samples are read at once. */
export const maxCatalogTopics = 500;
