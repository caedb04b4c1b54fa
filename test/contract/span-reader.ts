import { afterAll, beforeAll, describe } from 'vitest';
import type { SpanAggregate, SpanReader, SpanResult } from '#domain/ports/span-reader.ts';
import { type AbsentDatabase, type Ask, sampleRules, type Told } from './sample-rules.ts';
import { spanBatchCases } from './span-reader/batch-cases.ts';
import { randomSpanCases } from './span-reader/random-spans.ts';
import { spanSlotCases } from './span-reader/slot-cases.ts';
import { type OpenSpanReader, plainAggregates, spanFeed } from './span-reader/span-feed.ts';
import { spanValueCases } from './span-reader/value-cases.ts';
import { spanWindowCases } from './span-reader/window-cases.ts';
import { day, type TopicTag } from './time-series/feed.ts';

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
		sampleRules(
			adapter,
			waysOf(() => opened.spanReader),
			{ absentDatabase },
		);
		spanValueCases(adapter);
		spanWindowCases(adapter);
		spanSlotCases(adapter);
		spanBatchCases(adapter);
		randomSpanCases(adapter, runs, readings);
	});
};

/** Each aggregate that tells a value alone, and all of them with the counts. */
const waysOf = (spanReader: () => SpanReader): Readonly<Record<string, Ask>> => {
	const by =
		(told: 'mean' | 'min' | 'max' | 'first' | 'last', aggregates: readonly SpanAggregate[]): Ask =>
		async (database, questions, to) => {
			const keys = questions.map(({ from, ...series }) => ({
				...series,
				bounds: boundsOf(from, to),
				aggregates,
				slotMs: day.ms,
			}));
			return (await spanReader().readSpans(database, keys)).map((result) => toldOf(result, told));
		};
	const single = (['mean', 'min', 'max', 'first', 'last'] as const).map(
		(aggregate) => [aggregate, by(aggregate, [aggregate])] as const,
	);
	return { ...Object.fromEntries(single), 'all aggregates': by('last', [...plainAggregates, 'slots']) };
};

/** The bounds of a range: a long one has its last day as a window. The newest window with a value tells. */
const boundsOf = (from: number, to: number): readonly number[] => (to - from > day.ms ? [from, to - day.ms, to] : [from, to]);

const toldOf = (result: SpanResult, aggregate: SpanAggregate): Told => {
	if ('fault' in result) return result.fault;
	const column = result.columns.get(aggregate);
	const told = column?.values.map((value, index) => column.faults.get(index) ?? value) ?? [];
	return told.findLast((each) => each !== null) ?? null;
};
