import * as v from 'valibot';

/** A field's value with its line protocol type. Integers have 64 bits, so they are bigints. */
export type FieldValue =
	| { readonly kind: 'float'; readonly value: number }
	| { readonly kind: 'int' | 'uint'; readonly value: bigint }
	| { readonly kind: 'bool'; readonly value: boolean }
	| { readonly kind: 'string'; readonly value: string };

/** One field of one line. */
export interface Point {
	readonly measurement: string;
	/** The tag set in the form of `canonicalTags`. */
	readonly tags: string;
	readonly field: string;
	readonly value: FieldValue;
	/** Nanoseconds since the Unix epoch. */
	readonly timeNs: bigint;
}

/** Lines that a store refused for one reason. */
export interface RefusedLines {
	/** The reason in InfluxDB's words. */
	readonly reason: string;
	/** The number of lines. */
	readonly dropped: number;
	/** The numbers of the lines; empty where the store does not name them. */
	readonly lines: readonly number[];
}

/** The key and the value of a tag. */
export type Tag = readonly [key: string, value: string];

/** The first and last instants that InfluxDB stores: int64 nanoseconds without the values that it reserves (influxdb/models/time.go). */
export const minTimeNs = -(2n ** 63n) + 2n;
export const maxTimeNs = 2n ** 63n - 2n;

const tagsSchema = v.pipe(v.string(), v.parseJson(), v.array(v.tuple([v.string(), v.string()])));

/** Returns the text that identifies a tag set, whatever order it was written in: JSON of its pairs, sorted by key. */
export function canonicalTags(tags: Iterable<Tag>): string {
	return JSON.stringify([...tags].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Parses the text that `canonicalTags` returned. */
export function parseTags(tags: string): readonly Tag[] {
	return v.parse(tagsSchema, tags);
}
