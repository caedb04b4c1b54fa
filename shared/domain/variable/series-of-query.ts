import type { Query } from './query.ts';
import type { Tags } from './tags.ts';

/** The series that a query reads: those of a topic and field, or of them only those with some tags. */
export interface SeriesOfQuery {
	readonly topic: string;
	readonly field: string;
	/** Left out: any. */
	readonly tags?: Tags;
}

/** Returns which series a query reads. */
export function seriesOfQuery({ calc_topic: topic, calc_field: field, calc_tags: tags }: Query): SeriesOfQuery {
	// A key of series without tags has no field for them, so that equal keys have equal JSON.
	return { topic, field, ...(tags === null || tags === undefined ? {} : { tags }) };
}

/** Returns a text that is equal for equal series of queries. */
export function seriesKeyOf({ topic, field, tags }: SeriesOfQuery): string {
	return JSON.stringify(tags === undefined ? [topic, field] : [topic, field, tags]);
}
