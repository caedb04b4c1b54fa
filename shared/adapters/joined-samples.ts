import type { RawSamples, SamplesResult } from '#domain/ports/sample-reader.ts';
import { joinParts } from '#domain/totals/join-sources.ts';
import { comparableTypes, typeFaultOf, unionOfTypes } from './series-points.ts';

/** The type of some samples, one of `typeBits`, and the time of the first of them, in epoch milliseconds. */
export type TypeSince = readonly [type: number, at: number];

/**
 * Returns the samples of a topic and field, or their fault.
 * @param parts the samples of each source, in several parts where they were read so
 * @param types of all samples, in any order
 */
export function joinedSamples(parts: RawSamples, types: readonly TypeSince[]): SamplesResult {
	const firstOfTypes = new Map<number, number>();
	for (const [type, at] of types) {
		const comparable = comparableTypes(type);
		firstOfTypes.set(comparable, Math.min(at, firstOfTypes.get(comparable) ?? at));
	}
	const fault = typeFaultOf(unionOfTypes([...firstOfTypes.keys()]));
	if (fault === undefined) return joinParts(parts);
	const [, at] = [...firstOfTypes.values()].sort((a, b) => a - b);
	return { fault, ...(at === undefined ? {} : { at }) };
}
