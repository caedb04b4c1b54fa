import { afterAll, beforeAll, describe } from 'vitest';
import { spanBatchCases } from './span-reader/batch-cases.ts';
import { randomSpanCases } from './span-reader/random-spans.ts';
import { spanSlotCases } from './span-reader/slot-cases.ts';
import { type OpenSpanReader, spanFeed } from './span-reader/span-feed.ts';
import { spanValueCases } from './span-reader/value-cases.ts';
import { type AbsentDatabase, spanWindowCases } from './span-reader/window-cases.ts';
import type { TopicTag } from './time-series/feed.ts';

/** Options of the contract suite of spans. */
export interface SpanReaderContractOptions {
	/** Number of runs of the property test, each of ten keys; by default 250. */
	readonly runs?: number;
	/** How often each random query is read, by default once. An adapter that learns the types of series asks otherwise the second time. */
	readonly readings?: number;
	/** The tag that holds the topic, and the measurement; by default the measurement is the topic. */
	readonly topicTag?: TopicTag;
	/** By default `empty`. */
	readonly absentDatabase?: AbsentDatabase;
}

/**
 * Defines the tests that every adapter of `SpanReader` must pass. Samples are written as line protocol. The type of a field changes
 * only between weeks, because an InfluxDB shard holds one type of a field.
 */
export const spanReaderContract = (
	name: string,
	open: () => Promise<OpenSpanReader>,
	{ runs = 250, readings, topicTag, absentDatabase = 'empty' }: SpanReaderContractOptions = {},
): void => {
	describe(`SpanReader: ${name}`, () => {
		let opened: OpenSpanReader;
		beforeAll(async () => {
			opened = await open();
		});
		afterAll(() => opened.close());

		const adapter = spanFeed(() => opened, topicTag);
		spanValueCases(adapter);
		spanWindowCases(adapter, absentDatabase);
		spanSlotCases(adapter);
		spanBatchCases(adapter);
		randomSpanCases(adapter, runs, readings);
	});
};
