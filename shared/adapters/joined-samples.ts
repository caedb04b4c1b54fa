import type { RawSamples, SamplesResult, SourceSamples } from '#domain/ports/sample-reader.ts';
import { joinParts } from '#domain/totals/join-sources.ts';
import { comparableTypes, typeFaultOf, unionOfTypes } from './series-points.ts';

/** The type of some samples, one of `typeBits`, and the time of the first of them, in epoch milliseconds. */
export type TypeSince = readonly [type: number, at: number];

/** The newest sample of a source before the range (`SampleKey.baseFrom`), with its type. */
export interface TypedBase extends SourceSamples {
	readonly type: number;
}

/**
 * Returns the samples of a topic and field, or their fault. A base decides the type only where the range has no samples. One of another type is
 * left out.
 * @param parts the samples of each source in the range, in several parts where they were read so
 * @param types of all samples in the range, in any order
 */
export function joinedSamples(parts: RawSamples, types: readonly TypeSince[], bases: readonly TypedBase[]): SamplesResult {
	const firstOfTypes = new Map<number, number>();
	const decisive = types.length > 0 ? types : bases.map(({ type, times: [at = 0] }): TypeSince => [type, at]);
	for (const [type, at] of decisive) {
		const comparable = comparableTypes(type);
		firstOfTypes.set(comparable, Math.min(at, firstOfTypes.get(comparable) ?? at));
	}
	const fault = typeFaultOf(unionOfTypes([...firstOfTypes.keys()]));
	const fitting = bases.flatMap(({ type, ...base }) => (firstOfTypes.has(comparableTypes(type)) ? [base] : []));
	if (fault === undefined) return joinParts([...fitting, ...parts]);
	const [, at] = [...firstOfTypes.values()].sort((a, b) => a - b);
	return { fault, ...(at === undefined ? {} : { at }) };
}
