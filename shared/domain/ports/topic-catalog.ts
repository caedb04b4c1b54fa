import type { SeriesOfQuery } from '../variable/series-of-query.ts';
import type { Tags } from '../variable/tags.ts';
import type { Range } from '../variable/window.ts';

/** The type of a series: that of its newest sample. `mixed`: the tag sets of a topic and field have several types. */
export const seriesTypes = ['float', 'integer', 'boolean', 'text', 'mixed'] as const;

/** The type of a series. */
export type SeriesType = (typeof seriesTypes)[number];

/** One tag set of a topic and field, with its newest sample (shared/domain/topics/README.md). */
export interface CatalogSeries {
	readonly topic: string;
	readonly field: string;
	/** The tags without the one with the topic. A measurement that is not the topic is one of them: `_measurement`. */
	readonly tags: Tags;
	readonly type: Exclude<SeriesType, 'mixed'>;
	/** Epoch milliseconds, rounded down. */
	readonly newestAt: number;
	/** Booleans are 1 and 0. Null for text, and for a number that is not exact. */
	readonly newestValue: number | null;
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
	 * Reads the newest sample before `now` of every tag set of every field of some topics. A tag set without samples in the last 30 days may be
	 * left out where another one of its topic has some.
	 * @param topics different, at most 500
	 * @returns the tag sets of a topic and field with the newest sample first; of two at the same instant, the one whose text sorts first
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
		series: readonly SeriesOfQuery[],
		range: Range,
		count: number,
	): Promise<readonly (readonly number[])[]>;
}

/** Most tag sets that one page lists: 6 MB, which an answer may have, are more than 1 KB for each. */
export const maxListedSeries = 5000;

/** Most topics of which the newest samples are read at once. */
export const maxCatalogTopics = 500;
