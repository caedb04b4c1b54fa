import { expect, test } from 'vitest';
import type { SpanAggregate } from '#domain/ports/span-reader.ts';
import { at, ns } from '../time-series/feed.ts';
import { boundsAt, readableSpan, type SpanFeed, span } from './span-feed.ts';

const threeHours = boundsAt('2024-03-15T09:00:00Z', '2024-03-15T10:00:00Z', '2024-03-15T11:00:00Z', '2024-03-15T12:00:00Z');

/** Tests of reading several keys: aggregates, bounds, and the order of results. */
export const spanBatchCases = ({ newTopic, write, readSpans }: SpanFeed): void => {
	test('reads series with the same bounds and different aggregates, in the order of the keys', async () => {
		const [level, flow] = [newTopic(), newTopic()];
		await write(level, [
			[ns('2024-03-15T09:30:00Z'), '1'],
			[ns('2024-03-15T09:40:00Z'), '4'],
		]);
		await write(flow, [[ns('2024-03-15T11:30:00Z'), '7i']]);
		const asked: readonly (readonly [string, readonly SpanAggregate[]])[] = [
			[flow, ['last', 'count']],
			[level, ['max']],
			['absent', ['count']],
			[level, ['min', 'mean', 'slots']],
			[flow, ['last', 'count']],
			[level, ['max']],
		];
		const results = await readSpans(asked.map(([topic, aggregates]) => span(topic, threeHours, aggregates, 900_000)));
		const flowResult = { last: [null, null, 7], count: [0, 0, 1], newestAt: '2024-03-15T11:30:00.000Z' };
		const levelMax = { max: [4, null, null], newestAt: '2024-03-15T09:40:00.000Z' };
		expect(results.map(readableSpan)).toEqual([
			flowResult,
			levelMax,
			{ count: [0, 0, 0], newestAt: null },
			{ min: [1, null, null], mean: [2.5, null, null], slots: [1, 0, 0], newestAt: '2024-03-15T09:40:00.000Z' },
			flowResult,
			levelMax,
		]);
	});

	test('reads keys with different bounds', async () => {
		const topic = newTopic();
		await write(topic, [[ns('2024-03-15T09:30:00Z'), '1']]);
		const half = boundsAt('2024-03-15T09:00:00Z', '2024-03-15T09:30:00Z', '2024-03-15T10:00:00Z');
		const results = await readSpans([span(topic, threeHours), span(topic, half), span(topic, threeHours)]);
		expect(results).toMatchObject([1, 2, 1].map(() => ({ newestAt: at('2024-03-15T09:30:00Z') })));
		expect(results.map(readableSpan)).toMatchObject([{ mean: [1, null, null] }, { mean: [null, 1] }, { mean: [1, null, null] }]);
	});
};
