import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { staticSecret } from '#adapters/secret.ts';
import type { SampleKey, SamplesResult } from '#domain/ports/sample-reader.ts';
import { type SpanKey, spanAggregates } from '#domain/ports/span-reader.ts';
import type { SeriesKey } from '#domain/ports/time-series.ts';
import { foldCounter } from '#domain/totals/fold-counter.ts';
import { foldSignal } from '#domain/totals/fold-signal.ts';
import { joinSources } from '#domain/totals/join-sources.ts';
import { at, day, days, hour, minute, months, noon, ns } from '#test/contract/time-series/feed.ts';
import { firstSeed } from '#test/support/cases.ts';
import { influxd } from '#test/support/servers/influx.ts';
import { createBucket, deleteBucket, writeLines } from '#test/support/servers/influxd.ts';
import { influxqlOptions, influxqlTarget } from '#test/support/servers/influxql.ts';
import { type InfluxTimeSeries, openInfluxAt, openInfluxqlAt } from '#test/support/servers/open-influx.ts';

const server = 'newestInfluxd';
const topics = 60;
const nameOf = (index: number): string => `t${index}`;

/** Values of one type, as line protocol writes them. */
const kinds: readonly fc.Arbitrary<string>[] = [
	fc.double({ min: 0, max: 1e6, noNaN: true }).map((value) => String(value + 0)),
	fc.nat().map((value) => `${value}i`),
	// As floats, all large ones are 2^53. No values of different signs, whose means depend on the order of adding them up.
	fc.constantFrom(2n ** 53n + 1n, 2n ** 53n, 7n).map((value) => `${value}i`),
	fc.boolean().map(String),
	fc.constant('"open"'),
];
/** Lines of a topic: its type depends on its number, and every seventh topic has two sources. */
const linesOf = (index: number): fc.Arbitrary<string> =>
	fc
		.array(
			fc.tuple(
				fc.integer({ min: 0, max: 40 * day.ms }),
				kinds[index % kinds.length] ?? fc.constant('1'),
				fc.constantFrom(...(index % 7 === 0 ? ['a', 'b'] : ['a'])),
			),
			{ minLength: index % 3 === 0 ? 1 : 200, maxLength: 400 },
		)
		.map((samples) =>
			samples.map(([age, value, site]) => `${nameOf(index)},site=${site} value=${value} ${ns(noon - age)}`).join('\n'),
		);

/** Rounds means, which each language adds up in its own order. Buffers become lists, and sources are sorted. */
const comparable = (value: unknown): unknown => {
	if (typeof value === 'number') return Number(value.toPrecision(9));
	if (value instanceof Map) return [...value].map(comparable).sort(byText);
	if (value instanceof Float64Array) return [...value].map(comparable);
	if (Array.isArray(value)) return value.map(comparable);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, comparable(each)]));
};
const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
const sortedSources = (value: unknown): unknown =>
	Array.isArray(value) ? value.map(comparable).sort(byText) : comparable(value);

/** Returns the totals of each day of a range: of the signal, and of a counter. */
const totalsOf = (result: SamplesResult | undefined, { from, to }: SampleKey) => {
	if (result === undefined || 'fault' in result) return { fault: result?.fault };
	const { signal, overlaps } = joinSources(result, from, hour.ms);
	const bounds = Array.from({ length: (to - from) / day.ms + 1 }, (_, index) => from + index * day.ms);
	return {
		overlaps: overlaps.map(({ start, stop }) => [start, stop]),
		signal: foldSignal(signal, bounds),
		counter: foldCounter(signal, { size: 2 ** 32, dip: 5 }, bounds),
	};
};

describe.skipIf(inject(server) === null)('a plant that moves from Flux to InfluxQL on one server', () => {
	const bucket = `moved-${randomUUID()}`;
	let flux: InfluxTimeSeries;
	let influxql: InfluxTimeSeries;

	beforeAll(async () => {
		const access = influxd(server);
		await createBucket(access, bucket);
		for (let index = 0; index < topics; index += 1)
			await writeLines(access, bucket, fc.sample(linesOf(index), { numRuns: 1, seed: firstSeed + index }).join(''));
		flux = openInfluxAt({ ...access, token: staticSecret(access.token), topicColumn: '_measurement', deadlineMs: 50_000 });
		influxql = openInfluxqlAt({ ...influxqlOptions(influxqlTarget(server).access), deadlineMs: 50_000 });
	});
	afterAll(async () => {
		flux.close();
		influxql.close();
		await deleteBucket(influxd(server), bucket);
	});

	const names = Array.from({ length: topics }, (_, index) => ({ topic: nameOf(index), field: 'value' }));

	test('shows the same readings and histories', async () => {
		const windows = (['last', 'mean'] as const).flatMap((aggregate) =>
			(
				[
					[days(40), day],
					[days(3), hour],
					[months(1), months(1)],
					[hour, minute],
				] as const
			).flatMap(([lookback, period]) =>
				(['history', 'trailing'] as const).map((read) => ({ read, lookback, period, aggregate })),
			),
		);
		const shapes = [...[minute, hour, days(40)].map((lookback) => ({ read: 'newest' as const, lookback })), ...windows];
		let readings = 0;
		for (const [index, moment] of [noon, noon - 1, noon - 12_345_678, at('2024-03-01T00:00:00Z')].entries()) {
			const keys = names.flatMap((name) =>
				shapes.map((shape): SeriesKey => ({ ...name, ...shape, ...(index === 1 ? { bySource: true } : {}) })),
			);
			const [expected, actual] = await Promise.all([flux, influxql].map((each) => each.read(bucket, keys, moment)));
			for (const [position, key] of keys.entries())
				expect(comparable(actual?.[position]), JSON.stringify(key)).toEqual(comparable(expected?.[position]));
			readings += (actual ?? []).reduce((sum, result) => sum + ('fault' in result ? 1 : result.times.length), 0);
		}
		expect(readings).toBeGreaterThan(10_000);
	}, 240_000);

	test('shows the same spans, of days in a zone with their slots', async () => {
		// Days of Madrid; a month that is cut; hours.
		const madrid = Array.from({ length: 30 }, (_, index) => at('2024-02-13T23:00:00Z') + index * day.ms);
		for (const bounds of [
			madrid,
			[at('2024-02-10'), at('2024-03-01'), noon],
			madrid.slice(0, 5).flatMap((start) => [start, start + hour.ms]),
		]) {
			const keys = names.map((name): SpanKey => ({ ...name, bounds, aggregates: spanAggregates, slotMs: 600_000 }));
			const [expected, actual] = await Promise.all([flux, influxql].map((each) => each.readSpans(bucket, keys)));
			for (const [position, key] of keys.entries())
				expect(comparable(actual?.[position]), key.topic).toEqual(comparable(expected?.[position]));
		}
	}, 120_000);

	test('counts and reads the same samples, has the same totals of them, and lists the same topics', async () => {
		const keys = names.map((name): SampleKey => ({ ...name, from: noon - days(20).ms, to: noon, baseFrom: noon - days(40).ms }));
		const [expected, actual] = await Promise.all([flux, influxql].map((each) => each.readSamples(bucket, keys)));
		let knownDays = 0;
		for (const [position, key] of keys.entries()) {
			expect(sortedSources(actual?.[position]), key.topic).toEqual(sortedSources(expected?.[position]));
			const totals = totalsOf(actual?.[position], key);
			expect(totals, key.topic).toEqual(totalsOf(expected?.[position], key));
			knownDays += totals.signal?.filter(({ known }) => known > 0).length ?? 0;
		}
		expect(knownDays).toBeGreaterThan(200);
		expect(await influxql.countSamples(bucket, keys)).toEqual(await flux.countSamples(bucket, keys));
		const listed = await influxql.topics(bucket, noon);
		expect(listed).toEqual(await flux.topics(bucket, noon));
		const [of, by] = await Promise.all([flux, influxql].map((each) => each.newest(bucket, listed, noon)));
		expect(sortedSources(by)).toEqual(sortedSources(of));
	});
});
