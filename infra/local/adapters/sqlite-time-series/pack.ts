import type { Point } from '../line-protocol/point.ts';
import { encodeValue } from './kinds.ts';

/** Identifies a series within its database. */
export type SeriesName = Pick<Point, 'measurement' | 'tags' | 'field'>;

/** Points as columns, which are copied to another thread faster than one object per point. */
export type PackedPoints = ReturnType<typeof pack>;

/** Converts points to columns, in their order. */
export function pack(points: readonly Point[]) {
	const names: SeriesName[] = [];
	const packed = {
		names,
		/** For each point, the index of its series in `names`. */
		series: new Uint32Array(points.length),
		timesNs: new BigInt64Array(points.length),
		/** NaN for a string. */
		values: new Float64Array(points.length),
		/** In the form of `encodeValue`. */
		kinds: new Uint8Array(points.length),
	};
	/** The index of each series in `names`, by its measurement, tags and field. */
	const indexes = new Map<string, Map<string, Map<string, number>>>();
	for (const [index, { measurement, tags, field, value, timeNs }] of points.entries()) {
		const byTags = valueOrCreate(indexes, measurement, () => new Map<string, Map<string, number>>());
		const byField = valueOrCreate(byTags, tags, () => new Map<string, number>());
		// `push` returns the new length, so the index of what it added is one less.
		packed.series[index] = valueOrCreate(byField, field, () => names.push({ measurement, tags, field }) - 1);
		packed.timesNs[index] = timeNs;
		[packed.values[index], packed.kinds[index]] = encodeValue(value);
	}
	return packed;
}

/** Returns the value of a key. Creates and stores it when the map has none. */
export function valueOrCreate<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
	const found = map.get(key);
	if (found !== undefined) return found;
	const created = create();
	map.set(key, created);
	return created;
}
