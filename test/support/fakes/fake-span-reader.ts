import type { SpanKey, SpanReader, SpanResult } from '#domain/ports/span-reader.ts';
import { expectedSpan } from '#test/contract/span-reader/expected-span.ts';
import type { WrittenSample } from '#test/contract/time-series/expected.ts';

/** A sample: epoch milliseconds, its value, and its tag set (default: the only one). */
export type SpanSample = readonly [time: number, value: WrittenSample['value'], tagSet?: string];

/** Makes a `SpanReader` over the samples of each topic, or with a fixed result, and records its calls. A topic without either is empty. */
export function makeSpanReader(byTopic: Readonly<Record<string, readonly SpanSample[] | SpanResult>> = {}) {
	const calls: { database: string; keys: readonly SpanKey[] }[] = [];
	const spans: SpanReader = {
		readSpans: async (database, keys) => {
			calls.push({ database, keys });
			return keys.map((key) => {
				const source = byTopic[key.topic] ?? [];
				if (!Array.isArray(source)) return source as SpanResult;
				const samples = (source as readonly SpanSample[]).map(([time, value, tagSet = '']) => ({
					tagSet,
					timeNs: BigInt(time) * 1_000_000n,
					value,
				}));
				return expectedSpan(
					samples.toSorted((a, b) => Number(a.timeNs - b.timeNs)),
					key,
				);
			});
		},
	};
	return { spans, calls };
}
