import type { Point } from '../line-protocol/point.ts';
import { encode } from './kinds.ts';

/** A series as points name it. */
export interface SeriesName {
	readonly measurement: string;
	/** In the form of `canonicalTags`. */
	readonly tags: string;
	readonly field: string;
}

/** Points as columns, which reach another thread without being copied one by one. */
export interface PackedPoints {
	readonly names: readonly SeriesName[];
	/** For each point, the place of its series in `names`. */
	readonly series: Uint32Array<ArrayBuffer>;
	readonly timesNs: BigInt64Array<ArrayBuffer>;
	/** NaN for strings. */
	readonly values: Float64Array<ArrayBuffer>;
	/** As `encode` gives them. */
	readonly kinds: Uint8Array<ArrayBuffer>;
}

/** Brings points into columns, in their order. */
export function pack(points: readonly Point[]): PackedPoints {
	const names: SeriesName[] = [];
	const places = new Map<string, Map<string, Map<string, number>>>();
	const packed = {
		names,
		series: new Uint32Array(points.length),
		timesNs: new BigInt64Array(points.length),
		values: new Float64Array(points.length),
		kinds: new Uint8Array(points.length),
	} satisfies PackedPoints;
	for (const [index, { measurement, tags, field, value, timeNs }] of points.entries()) {
		const byTags = entry(places, measurement, () => new Map<string, Map<string, number>>());
		const byField = entry(byTags, tags, () => new Map<string, number>());
		packed.series[index] = entry(byField, field, () => names.push({ measurement, tags, field }) - 1);
		packed.timesNs[index] = timeNs;
		const [number, kind] = encode(value);
		packed.values[index] = number;
		packed.kinds[index] = kind;
	}
	return packed;
}

/** The memory to hand over with `packed`. */
export function transferables({ series, timesNs, values, kinds }: PackedPoints): ArrayBuffer[] {
	return [series.buffer, timesNs.buffer, values.buffer, kinds.buffer];
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
	const found = map.get(key);
	if (found !== undefined) return found;
	const made = make();
	map.set(key, made);
	return made;
}
