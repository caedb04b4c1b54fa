import { describe, expect, test } from 'vitest';
import { addSample, noSamples, type Samples } from '#adapters/influx/samples.ts';
import type { SpanShape } from '#adapters/influx/shapes.ts';
import { noSpanRows, spanResultOf } from '#adapters/influx/spans.ts';
import { typeBits } from '#adapters/series-points.ts';
import type { SpanAggregate } from '#domain/ports/span-reader.ts';
import { readableSpan, span } from '#test/contract/span-reader/span-feed.ts';
import { hour, minute, noon } from '#test/contract/time-series/feed.ts';

const bounds = [noon, noon + hour.ms, noon + 2 * hour.ms, noon + 2.5 * hour.ms];

type Row = readonly [time: number, value: string];
const samplesOf = (type: keyof typeof typeBits, rows: readonly Row[]): Samples => {
	const samples = noSamples();
	for (const [time, value] of rows) addSample(samples, new Date(time).toISOString(), value, typeBits[type]);
	return samples;
};

/** Evaluates rows of one aggregate of a series of one type. */
const evaluate = (
	aggregate: SpanAggregate,
	rows: readonly Row[],
	{
		type = 'float',
		rowType = type,
		shape = 'pushed',
		read = aggregate,
	}: {
		readonly type?: keyof typeof typeBits;
		readonly rowType?: keyof typeof typeBits;
		readonly shape?: SpanShape;
		/** The aggregate that the rows are of. */
		readonly read?: SpanAggregate;
	} = {},
) => {
	const ends = samplesOf(type, [[noon + minute.ms, '1']]);
	const data = samplesOf(rowType, rows);
	const result = spanResultOf(span('t', bounds, [aggregate], minute.ms), shape, {
		aggregate: (name) => (name === read ? data : undefined),
		newest: ends,
		oldest: ends,
	});
	return Object.entries(readableSpan(result) ?? {})[0]?.[1];
};

describe('spanOf', () => {
	test('lists every window, null or 0 where it is empty', () => {
		const key = span('t', bounds, ['max', 'count', 'slots'], minute.ms);
		expect(readableSpan(spanResultOf(key, 'pushed', noSpanRows))).toEqual({
			max: [null, null, null],
			count: [0, 0, 0],
			slots: [0, 0, 0],
			newestAt: null,
		});
	});

	test('gives a row to the window that ends at its time, the cut last one too', () => {
		expect(
			evaluate('max', [
				[noon + hour.ms, '1'],
				[noon + 2.5 * hour.ms, '0'],
			]),
		).toEqual([1, null, 0]);
	});

	test('gives a row of slots to the window that its time is in', () => {
		expect(
			evaluate(
				'slots',
				[
					[noon, '5'],
					[noon + 2 * hour.ms + 1, '7'],
				],
				{ rowType: 'int' },
			),
		).toEqual([5, 0, 7]);
	});

	test.each([
		['max', noon],
		['max', noon + hour.ms + 1],
		['max', noon + 3 * hour.ms],
		['slots', noon - 1],
		['slots', noon + 2.5 * hour.ms],
	] as const)('refuses a row of %s at %d, which belongs to no window', (aggregate, time) => {
		expect(() => evaluate(aggregate, [[time, '1']])).toThrow(expect.objectContaining({ kind: 'failed' }));
	});

	test('refuses a time between milliseconds', () => {
		const data = noSamples();
		addSample(data, '2024-03-15T13:00:00.0000001Z', '1', typeBits.float);
		expect(() =>
			spanResultOf(span('t', bounds, ['max']), 'pushed', { aggregate: () => data, newest: data, oldest: data }),
		).toThrow(expect.objectContaining({ kind: 'failed' }));
	});

	test('has no value where two tag sets have rows for one window', () => {
		const rows: readonly Row[] = [
			[noon + hour.ms, '1'],
			[noon + 2 * hour.ms, '2'],
			[noon + hour.ms, '1'],
		];
		for (const aggregate of ['mean', 'count'] as const)
			expect(evaluate(aggregate, rows)).toEqual(['several_series', 2, aggregate === 'count' ? 0 : null]);
	});

	test.each([
		['mean', 'float', 'double', '+Inf', 'precision'],
		['max', 'int', 'int', '9007199254740993', 'precision'],
		['max', 'int', 'int', '9007199254740992', 2 ** 53],
		['mean', 'int', 'float', '9007199254740992', 'precision'],
		['mean', 'int', 'float', '9007199254740991', 2 ** 53 - 1],
		['mean', 'float', 'float', '9007199254740992', 2 ** 53],
	] as const)('reads a %s of the type %s, sent as %s %s, as %s', (aggregate, type, sent, value, expected) => {
		const rowType = sent === 'double' ? 'float' : sent;
		const shape = type === 'int' ? 'converted' : 'pushed';
		expect(evaluate(aggregate, [[noon + hour.ms, value]], { type, rowType, shape })).toEqual([expected, null, null]);
	});

	test('takes the minimum and the maximum of booleans from their mean', () => {
		const rows: readonly Row[] = [
			[noon + hour.ms, '0'],
			[noon + 2 * hour.ms, '0.25'],
			[noon + 2.5 * hour.ms, '1'],
		];
		const options = { type: 'bool', rowType: 'float', shape: 'booleans', read: 'mean' } as const;
		expect(evaluate('min', rows, options)).toEqual([0, 0, 1]);
		expect(evaluate('max', rows, options)).toEqual([0, 1, 1]);
		expect(evaluate('mean', rows, options)).toEqual([0, 0.25, 1]);
	});

	test.each([
		['string', 'string', 'not_numeric'],
		['float', 'string', 'type_changed'],
		['bool', 'uint', 'type_changed'],
	] as const)('of samples from %s to %s is the fault %s', (old, recent, fault) => {
		const [oldest, newest] = [samplesOf(old, [[noon, '1']]), samplesOf(recent, [[noon, '1']])];
		expect(spanResultOf(span('t', bounds), 'types', { aggregate: () => undefined, oldest, newest })).toEqual({ fault });
	});

	test('has the time of the newest sample of all tag sets', () => {
		const newest = samplesOf('float', [
			[noon + 2, '1'],
			[noon + 7, '1'],
			[noon + 5, '1'],
		]);
		expect(spanResultOf(span('t', bounds), 'pushed', { aggregate: () => undefined, oldest: newest, newest })).toMatchObject({
			newestAt: noon + 7,
		});
	});
});
