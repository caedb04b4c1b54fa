import { describe, expect, test } from 'vitest';
import { fluxScriptOf } from '#adapters/influx/flux-script.ts';
import type { KnownType } from '#adapters/influx/known-types.ts';
import { shardPiecesOf } from '#adapters/influx/shard-pieces.ts';
import { planSlots, slotResultsOf } from '#adapters/influx/slot-query.ts';
import { planSpans, spanResultsOf } from '#adapters/influx/span-query.ts';
import { type SpanKey, spanAggregates } from '#domain/ports/span-reader.ts';
import { span } from '#test/contract/span-reader/span-feed.ts';
import { hour, minute, noon } from '#test/contract/time-series/feed.ts';

const bounds = [noon, noon + hour.ms, noon + 2 * hour.ms, noon + 2.5 * hour.ms];
/** Two runs: hours, and 90 minutes. */
const unequal = [noon, noon + hour.ms, noon + 2 * hour.ms, noon + 3.5 * hour.ms];

const linesOf = (keys: readonly SpanKey[], type?: KnownType): readonly string[] => {
	const streams = planSpans(keys, () => type).map((stream, index) => ({
		fields: stream.fields,
		results: spanResultsOf(stream, index, '_measurement'),
	}));
	const slotStreams = planSlots(keys, () => type).map((stream, index) => ({
		fields: stream.fields,
		results: slotResultsOf(stream, index, '_measurement'),
	}));
	return fluxScriptOf('b', [...streams, ...slotStreams], { topicColumn: '_measurement' }).text.split('\n');
};
const lineOf = (name: string, key: SpanKey, type?: KnownType) =>
	linesOf([key], type).find((line) => line.endsWith(`yield(name: "${name}")`));

describe('planSpans', () => {
	const topics = Array.from({ length: 41 }, (_, index) => `t${index}`);

	test('reads at most 40 series of equal aggregates in one stream, in whatever order they are', () => {
		expect(
			planSpans(
				topics.slice(1).map((topic, index) => span(topic, bounds, index % 2 === 0 ? ['min', 'max'] : ['max', 'min'])),
				() => undefined,
			),
		).toHaveLength(1);
		expect(
			planSpans(
				topics.map((topic) => span(topic, bounds)),
				() => undefined,
			),
		).toHaveLength(2);
	});

	test('separates other aggregates, other bounds and other shapes', () => {
		const keys = [
			span('t', bounds, ['mean']),
			span('t', bounds, ['max']),
			span('t', bounds, ['slots'], minute.ms),
			span('t', unequal, ['mean']),
		];
		expect(planSpans([...keys, ...keys], () => 'float')).toHaveLength(keys.length);
		expect(
			planSpans(
				[keys[0], keys[0]].flatMap((key) => key ?? []),
				(position) => (position === 0 ? 'float' : 'integer'),
			),
		).toHaveLength(2);
	});
});

describe('planSlots', () => {
	const own = Array.from({ length: 50 }, (_, index) => span(`t${index}`, bounds, spanAggregates, (index + 1) * minute.ms));

	test('makes a stream for each length of slots, while 50 series share 2 streams for all other aggregates', () => {
		expect(planSpans(own, () => undefined)).toHaveLength(2);
		expect(planSlots(own, () => undefined)).toHaveLength(50);
		const names = linesOf(own).flatMap((line) => /yield\(name: "([a-z]+)/.exec(line)?.[1] ?? []);
		for (const name of ['newest', 'mean', 'max']) expect(names.filter((each) => each === name)).toHaveLength(2);
		expect(names.filter((name) => name === 'slots')).toHaveLength(50);
	});

	test('counts series of all numeric types in one stream, whatever else is read of them', () => {
		const types = [undefined, 'float', 'integer', 'boolean'] as const;
		const keys = types.map((_, index) => span(`t${index}`, bounds, index === 0 ? ['slots'] : ['mean', 'slots'], minute.ms));
		expect(planSlots(keys, (position) => types[position])).toMatchObject([{ positions: [0, 1, 2, 3] }]);
	});

	test('separates other bounds', () => {
		const keys = [bounds, unequal].map((each) => span('t', each, ['slots'], minute.ms));
		expect(planSlots(keys, () => undefined)).toHaveLength(2);
	});

	test('leaves out text and keys without slots, and counts several types day by day', () => {
		const types = ['text', 'mixed', 'float'] as const;
		const keys = types.map((type) => span(type, bounds, type === 'float' ? ['count'] : ['slots'], minute.ms));
		expect(planSlots(keys, (position) => types[position])).toMatchObject([{ positions: [1], isDaily: true }]);
		expect(planSpans(keys, (position) => types[position])).toHaveLength(3);
	});
});

describe('the script of a span', () => {
	const all = span('t', bounds, spanAggregates, minute.ms);

	test('contains no test of types and no location, whatever the type', () => {
		for (const type of [undefined, 'float', 'integer', 'boolean', 'mixed', 'text'] as const)
			expect(linesOf([all], type).join('\n')).not.toMatch(/isType|location|\btypes\b/);
	});

	test('reads a result for each aggregate, and the newest and the oldest sample', () => {
		const names = linesOf([all]).flatMap((line) => /yield\(name: "(\w+)0"\)/.exec(line)?.[1] ?? []);
		expect(names.sort()).toEqual([...spanAggregates, 'newest', 'oldest'].sort());
	});

	test('reads each run from a source of its own', () => {
		const source = (start: string, stop: string) =>
			`from(bucket: "b") |> range(start: ${start}, stop: ${stop}) |> filter(fn: f0) |> `;
		expect(lineOf('max0', span('t', unequal, ['max']))).toBe(
			[
				`union(tables: [${source('2024-03-15T12:00:00.000Z', '2024-03-15T14:00:00.000Z')}`,
				'aggregateWindow(every: 3600000ms, fn: max, createEmpty: false) |> keep(columns: ["_time", "_value", "_field", "_measurement"]), ',
				source('2024-03-15T14:00:00.000Z', '2024-03-15T15:30:00.000Z'),
				'aggregateWindow(every: 5400000ms, offset: 1800000ms, fn: max, createEmpty: false) |> keep(columns: ["_time", "_value", "_field", "_measurement"]), ',
				'end]) |> yield(name: "max0")',
			].join(''),
		);
	});

	test.each([
		[undefined, { mean: false, min: true }],
		['float', { mean: false, min: true }],
		['integer', { mean: true, min: true }],
		['boolean', { mean: true, min: false }],
	] as const)('of the type %s converts samples for the mean, or not', (type, { mean, min }) => {
		expect(lineOf('mean0', all, type)?.includes('toFloat()')).toBe(mean);
		expect(lineOf('min0', all, type) !== undefined).toBe(min);
		expect(lineOf('max0', all, type) !== undefined).toBe(min);
		for (const name of ['min0', 'max0', 'first0', 'last0', 'count0', 'slots0'])
			expect(lineOf(name, all, type) ?? '').not.toContain('toFloat');
	});

	test('reads the mean of booleans for their minimum', () => {
		expect(lineOf('mean0', span('t', bounds, ['min']), 'boolean')).toContain('toFloat()');
	});

	test('of text asks for the types of each run only', () => {
		const key = span('t', unequal, spanAggregates, minute.ms);
		expect(linesOf([key], 'text').join('\n')).not.toContain('aggregateWindow');
		expect(lineOf('newest0', key, 'text')?.match(/\|> last\(\)/g)).toHaveLength(2);
	});

	test('of several types reads each day of its windows, with its tags', () => {
		const midnight = Math.floor(noon / (24 * hour.ms)) * 24 * hour.ms;
		const day = 24 * hour.ms;
		// The second window reaches over the end of a day.
		const key = span('t', [midnight + hour.ms, midnight + 20 * hour.ms, midnight + day + hour.ms, midnight + 2 * day], ['mean']);
		const line = lineOf('mean0', key, 'mixed') ?? '';
		const stops = [midnight + day, midnight + 2 * day].map((time) => `stop: ${new Date(time).toISOString()}`);
		for (const stop of stops) expect(line).toContain(stop);
		expect(line).toContain('toFloat()');
		expect(line).not.toContain('keep(');
		// Means are joined by their counts, and the types are those of each day.
		expect(lineOf('count0', key, 'mixed')).toContain('fn: count');
		expect(lineOf('oldest0', key, 'mixed')?.match(/\|> first\(\)/g)).toHaveLength(2);
	});

	test('of several types reads ranges beyond 400 days by weeks from Monday', () => {
		const monday = Date.parse('2024-03-11T00:00:00Z');
		const pieces = (days: number) => shardPiecesOf({ start: monday - hour.ms, stop: monday - hour.ms + days * 24 * hour.ms });
		expect(pieces(400)).toHaveLength(401);
		expect(pieces(401)).toHaveLength(59);
		expect(pieces(401).slice(0, 2)).toEqual([
			{ start: monday - hour.ms, stop: monday },
			{ start: monday, stop: monday + 7 * 24 * hour.ms },
		]);
	});

	test('reads whole slots that begin in the run and end by the last bound', () => {
		const key = span('t', [noon + 1, noon + hour.ms, noon + 2 * hour.ms - 1], ['slots'], 7 * minute.ms);
		const ceil = (time: number) => Math.ceil(time / (7 * minute.ms)) * 7 * minute.ms;
		const stop = ceil(noon + 2 * hour.ms) - 7 * minute.ms;
		expect(lineOf('slots0', key)).toContain(
			`range(start: ${new Date(ceil(noon)).toISOString()}, stop: ${new Date(stop).toISOString()})`,
		);
		expect(lineOf('slots0', key)?.match(/timeSrc: "_start"/g)).toHaveLength(2);
	});

	test('has no result for slots that are longer than the range', () => {
		expect(lineOf('slots0', span('t', [noon, noon + 1000], ['slots'], 31 * 24 * hour.ms))).toBeUndefined();
	});
});
