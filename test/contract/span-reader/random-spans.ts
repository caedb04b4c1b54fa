import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type SpanColumn, type SpanKey, type SpanResult, spanAggregates } from '#domain/ports/span-reader.ts';
import type { WrittenSample } from '../time-series/expected.ts';
import { at, ns, type SampleText } from '../time-series/feed.ts';
import { valueKind } from '../time-series/random.ts';
import { expectedSpan } from './expected-span.ts';
import type { SpanFeed } from './span-feed.ts';

/** The number of keys of each run. */
const keysPerRun = 10;

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

/** Compares results. Each adapter adds samples in its own order, so means may differ by 1e-9 of the largest value. */
const expectSpan = (actual: SpanResult | undefined, expected: SpanResult, largest: number): void => {
	if (actual === undefined || 'fault' in actual || 'fault' in expected) {
		expect(actual).toEqual(expected);
		return;
	}
	expect(actual.newestAt).toBe(expected.newestAt);
	const isMean = (name: string): boolean => name === 'mean';
	expect([...actual.columns].filter(([name]) => !isMean(name))).toEqual([...expected.columns].filter(([name]) => !isMean(name)));
	expect([...actual.columns.keys()]).toEqual([...expected.columns.keys()]);
	const [means, expectedMeans] = [actual.columns.get('mean'), expected.columns.get('mean')];
	if (means === undefined || expectedMeans === undefined) return;
	const holes = ({ values, faults }: SpanColumn) => ({ isNull: values.map((value) => value === null), faults });
	expect(holes(means)).toEqual(holes(expectedMeans));
	for (const [index, value] of means.values.entries())
		expect(Math.abs((value ?? 0) - (expectedMeans.values[index] ?? 0))).toBeLessThanOrEqual(1e-9 * largest);
};

const firstBound = fc
	.tuple(
		fc.constantFrom('2024-02-29', '2024-03-31', '2024-10-27', '2024-12-31', '1970-01-01'),
		fc.constantFrom(0, 0, 1, -1, hour, -90 * minute, 12_345_678),
	)
	.map(([date, offset]) => at(date) + offset);
const length = fc.constantFrom(
	1,
	7,
	1000,
	90_000,
	minute,
	30 * minute,
	hour,
	23 * hour,
	day,
	25 * hour,
	7 * day,
	28 * day,
	31 * day,
);
/** Windows of equal lengths, which an adapter may read as one run, or of any lengths. */
const lengths = fc.oneof(
	fc.tuple(length, fc.integer({ min: 1, max: 12 })).map(([ms, count]) => new Array<number>(count).fill(ms)),
	fc.tuple(length, length, length, fc.integer({ min: 1, max: 8 })).map(([a, b, c, count]) => [a, ...new Array(count).fill(b), c]),
	fc.array(length, { minLength: 1, maxLength: 8 }),
);
const bounds = fc.tuple(firstBound, lengths).map(([start, parts]) => {
	const result = [start];
	for (const ms of parts) result.push((result.at(-1) ?? start) + ms);
	return result;
});

const jitterNs = fc.constantFrom(0n, 0n, 1n, -1n, 999_999n, -1_000_000n, 123_456n);

/** Instants at the bounds, at the slots, and anywhere between or just outside the bounds. */
const sampleTime = (chosen: readonly number[], slots: readonly number[]): fc.Arbitrary<bigint> => {
	const [start, end] = [chosen[0] ?? 0, chosen.at(-1) ?? 0];
	const between = fc.integer({ min: start, max: end });
	const onSlot = fc.tuple(between, fc.constantFrom(...slots)).map(([time, ms]) => Math.floor(time / ms) * ms);
	const outside = fc.constantFrom(start - 1, end, end + hour);
	return fc
		.tuple(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...chosen) }, between, between, onSlot, outside), jitterNs)
		.map(([time, jitter]) => ns(time, jitter));
};

const aggregates = fc.shuffledSubarray([...spanAggregates], { minLength: 1 });
const slotMs = (chosen: readonly number[]): fc.Arbitrary<number> =>
	fc.oneof(
		fc.constantFrom(1, 250, minute, 7 * minute, hour, 5 * hour, day),
		fc.constantFrom(...chosen.slice(1).map((bound, index) => bound - (chosen[index] ?? 0))),
	);

/** A topic with samples of one type, written one after another: a later write overwrites an earlier one of the same instant. */
const writtenTopic = (chosen: readonly number[], slots: readonly number[]) =>
	valueKind.chain(({ value, print }) =>
		fc.record({
			print: fc.constant(print),
			writes: fc.array(
				fc.array(
					fc.record({
						tagSet: fc.oneof({ weight: 12, arbitrary: fc.constant('a') }, fc.constant('b')),
						timeNs: sampleTime(chosen, slots),
						value: value as fc.Arbitrary<WrittenSample['value']>,
					}),
					{ minLength: 1, maxLength: 20 },
				),
				{ minLength: 1, maxLength: 2 },
			),
		}),
	);

const scenario = bounds.chain((chosen) =>
	fc.array(slotMs(chosen), { minLength: 2, maxLength: 2 }).chain((slots) =>
		fc.record({
			bounds: fc.constant(chosen),
			topics: fc.tuple(writtenTopic(chosen, slots), writtenTopic(chosen, slots)),
			keys: fc.array(fc.record({ topic: fc.constantFrom(0, 1), aggregates, slotMs: fc.constantFrom(...slots) }), {
				minLength: keysPerRun,
				maxLength: keysPerRun,
			}),
		}),
	),
);

/**
 * Tests random series and spans against results that are computed by brute force.
 * @param runs number of calls, each with ten random keys
 * @param readings how often each call is made
 */
export const randomSpanCases = ({ newTopic, write, readSpans }: SpanFeed, runs: number, readings = 1): void => {
	test('reads random series and spans as brute force does', async () => {
		await fc.assert(
			fc.asyncProperty(scenario, async ({ bounds: chosen, topics, keys: shapes }) => {
				const written = topics.map(({ writes, print }) => ({ topic: newTopic(), samples: writes.flat(), writes, print }));
				for (const { topic, writes, print } of written)
					for (const samples of writes)
						await write(
							topic,
							samples.map(({ timeNs, value, tagSet }): SampleText => [timeNs, print(value as never), `site=${tagSet}`]),
						);
				const keys = shapes.map(
					(shape): SpanKey => ({
						...shape,
						topic: written[shape.topic]?.topic ?? '',
						field: 'value',
						bounds: chosen,
					}),
				);
				const expected = keys.map((key, index) => {
					const samples = written[shapes[index]?.topic ?? 0]?.samples ?? [];
					const numbers = samples.map(({ value }) => (typeof value === 'string' ? 0 : Math.abs(Number(value))));
					return { span: expectedSpan(samples, key), largest: Math.max(1, ...numbers) };
				});
				for (let reading = 0; reading < readings; reading += 1) {
					const results = await readSpans(keys);
					expect(results).toHaveLength(keys.length);
					for (const [index, { span, largest }] of expected.entries()) expectSpan(results[index], span, largest);
				}
			}),
			{ numRuns: runs },
		);
	}, 600_000);
};
