/** A field's value with its line protocol type: integers are 64 bits wide, so they are bigints. */
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

export type Tag = readonly [key: string, value: string];

/** The one text that a tag set has, whatever the order it was written in: JSON of its pairs, sorted by key. */
export function canonicalTags(tags: Iterable<Tag>): string {
	return JSON.stringify([...tags].sort(byKey));
}

/** The first and last instants that InfluxDB stores: int64 nanoseconds less its own sentinels (influxdb/models/time.go). */
export const minTimeNs = -(2n ** 63n) + 2n;

export const maxTimeNs = 2n ** 63n - 2n;

const byKey = ([a]: Tag, [b]: Tag): number => (a < b ? -1 : a > b ? 1 : 0);
