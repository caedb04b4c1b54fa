import type { Span, SpanAggregate, SpanKey, SpanReader, SpanResult } from '#domain/ports/span-reader.ts';
import { at, databaseA, type OpenSamples, sampleWriter, type TopicTag } from '../time-series/feed.ts';

/** An adapter of `SpanReader` under test. */
export interface OpenSpanReader extends OpenSamples {
	readonly spanReader: SpanReader;
}

/** All aggregates that need no slots. */
export const plainAggregates = ['mean', 'min', 'max', 'first', 'last', 'count'] as const satisfies readonly SpanAggregate[];

/** Creates a key of the field `value`. */
export const span = (
	topic: string,
	bounds: readonly number[],
	aggregates: readonly SpanAggregate[] = plainAggregates,
	slotMs?: number,
): SpanKey => ({ topic, field: 'value', bounds, aggregates, ...(slotMs === undefined ? {} : { slotMs }) });

/** Converts times to bounds. */
export const boundsAt = (...times: readonly string[]): readonly number[] => times.map(at);

/** Converts a result to a readable form: a list of values and faults for each column. */
export const readableSpan = (result: SpanResult | undefined) => {
	if (result === undefined || 'fault' in result) return result;
	const { columns, newestAt }: Span = result;
	const lists = [...columns].map(([aggregate, { values, faults }]) => [
		aggregate,
		values.map((value, index) => faults.get(index) ?? value),
	]);
	return { ...Object.fromEntries(lists), newestAt: newestAt === null ? null : new Date(newestAt).toISOString() };
};

/** Wraps an adapter for the tests. `opened` is called when a test runs, because the adapter opens after the tests are defined. */
export const spanFeed = (opened: () => OpenSpanReader, topicTag?: TopicTag) => ({
	...sampleWriter(opened, topicTag),
	readSpans: (keys: readonly SpanKey[], database = databaseA) => opened().spanReader.readSpans(database, keys),
	/** Reads one series in the readable form. */
	readSpan: async (key: SpanKey, database = databaseA) => readableSpan((await opened().spanReader.readSpans(database, [key]))[0]),
});
/** Writes samples and reads spans in the tests. */
export type SpanFeed = ReturnType<typeof spanFeed>;
