import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Span, type SpanKey, spanAggregates } from '#domain/ports/span-reader.ts';
import { parseLineProtocol } from '#infra/local/adapters/line-protocol/line-protocol.ts';
import { openSqliteTimeSeries } from '#infra/local/adapters/sqlite-time-series/sqlite-time-series.ts';
import { expectedSpan } from '#test/contract/span-reader/expected-span.ts';
import type { WrittenSample } from '#test/contract/time-series/expected.ts';

const start = Date.UTC(2024, 2, 15);
const second = 1000;
/** More samples than two parts scan. */
const count = 120_000;
const samplesEvery = (stepNs: bigint, tagSetOf = (_index: number) => 'a'): readonly WrittenSample[] =>
	Array.from({ length: count }, (_, index) => ({
		tagSet: tagSetOf(index),
		timeNs: BigInt(start) * 1_000_000n + BigInt(index) * stepNs,
		value: (index * 7919) % 1009,
	}));

describe('a span of more samples than one part scans', () => {
	let series: Awaited<ReturnType<typeof openSqliteTimeSeries>>;
	beforeAll(async () => {
		series = await openSqliteTimeSeries({ file: ':memory:', topicColumn: '_measurement' });
	});
	afterAll(() => series.close());

	const write = async (topic: string, samples: readonly WrittenSample[]): Promise<void> => {
		const lines = samples.map(({ tagSet, timeNs, value }) => `${topic},site=${tagSet} value=${value} ${timeNs}`);
		await series.write('d', parseLineProtocol(lines.join('\n'), { precision: 'ns', nowNs: 0n }).points);
	};
	const key = (topic: string, bounds: readonly number[], slotMs: number): SpanKey => ({
		topic,
		field: 'value',
		bounds,
		aggregates: spanAggregates,
		slotMs,
	});
	/** Expects the same as by brute force. The mean may differ by rounding. */
	const expectSpan = async (samples: readonly WrittenSample[], asked: SpanKey): Promise<void> => {
		const [actual] = await series.readSpans('d', [asked]);
		const expected = expectedSpan(samples, asked);
		if (actual === undefined || 'fault' in actual || 'fault' in expected) throw new Error('A span was expected.');
		const withoutMean = ({ columns, newestAt }: Span) => ({
			newestAt,
			columns: [...columns].filter(([name]) => name !== 'mean'),
		});
		expect(withoutMean(actual)).toEqual(withoutMean(expected));
		const [means, expectedMeans] = [actual, expected].map(({ columns }) => columns.get('mean'));
		expect(means?.faults).toEqual(expectedMeans?.faults);
		for (const [index, mean] of (expectedMeans?.values ?? []).entries()) {
			if (mean === null) expect(means?.values[index]).toBeNull();
			else expect(means?.values[index]).toBeCloseTo(mean, 6);
		}
	};

	test('is read as in one: windows and slots that a part cuts, and windows beyond the samples', async () => {
		const samples = samplesEvery(1_000_000_000n);
		await write('long', samples);
		const end = start + count * second;
		const bounds = [start, start + 10 * second, start + 110_000 * second, end - second];
		await expectSpan(samples, key('long', bounds, 13 * second));
		const longSlots = key('long', [start + 1, start + 110_000 * second], 60_000 * second);
		await expectSpan(samples, { ...longSlots, aggregates: ['slots', 'count'] });
	});

	test('has no value in a window of two tag sets, one of which ends before a part does', async () => {
		const samples = samplesEvery(1_000_000_000n, (index) => (index < 10 ? 'a' : 'b'));
		await write('two', samples);
		const end = start + count * second;
		const [result] = await series.readSpans('d', [key('two', [start, end, end + 3600 * second], 7 * second)]);
		if (result === undefined || 'fault' in result) throw new Error('A span was expected.');
		for (const [aggregate, { values, faults }] of result.columns) {
			expect(values, aggregate).toEqual([null, aggregate === 'count' || aggregate === 'slots' ? 0 : null]);
			expect(faults, aggregate).toEqual(new Map([[0, 'several_series']]));
		}
	});

	test('may have them all in one millisecond', async () => {
		await write('dense', samplesEvery(1n));
		const [result] = await series.readSpans('d', [key('dense', [start, start + 1, start + second], 1)]);
		const valuesOf = (name: 'count' | 'slots') =>
			result !== undefined && 'columns' in result ? result.columns.get(name) : undefined;
		expect(valuesOf('count')?.values).toEqual([count, 0]);
		expect(valuesOf('slots')?.values).toEqual([1, 0]);
	});

	test('reports a type that changed in an earlier part than the last', async () => {
		await write('changed', samplesEvery(1_000_000_000n));
		const line = `changed,site=a value=true ${BigInt(start - second) * 1_000_000n}`;
		await series.write('d', parseLineProtocol(line, { precision: 'ns', nowNs: 0n }).points);
		const end = start + count * second;
		expect(await series.readSpans('d', [key('changed', [start - second, end], second)])).toEqual([{ fault: 'type_changed' }]);
		expect(await series.readSpans('d', [key('changed', [start, end], second)])).toMatchObject([{ newestAt: end - second }]);
	});

	test('may have more windows than one part, the last of them empty', async () => {
		const bounds = Array.from({ length: 12_001 }, (_, index) => start + index * second);
		const samples = [0, 1, 4999, 5000, 7000].map((index) => ({
			tagSet: 'a',
			timeNs: BigInt(start + index * second) * 1_000_000n,
			value: index,
		}));
		await write('windows', samples);
		await expectSpan(samples, key('windows', bounds, 2 * second));
	});

	test('lets other reads run before it is complete', async () => {
		await write('between', samplesEvery(1_000_000_000n).slice(0, 60_000));
		const order: string[] = [];
		const span = series.readSpans('d', [key('between', [start, start + count * second], second)]).then(() => order.push('span'));
		const newest = series
			.read('d', [{ read: 'newest', topic: 'between', field: 'value', lookback: { ms: 1 } }], start + 1)
			.then(() => order.push('newest'));
		await Promise.all([span, newest]);
		expect(order).toEqual(['newest', 'span']);
	});
});
