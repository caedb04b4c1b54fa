import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Series, SeriesKey, SeriesResult } from '#domain/ports/time-series.ts';
import type { Duration } from '#domain/variable/duration.ts';
import { expectedSeries, type WrittenSample } from './expected.ts';
import { at, day, type Feed, hour, minute, months, ns, type SampleText, years } from './feed.ts';

/** Compares results. Each adapter adds samples in its own order, so means may differ by 1e-9 of the largest value. */
const expectSeries = (actual: SeriesResult | undefined, expected: SeriesResult, largest: number): void => {
	if (actual === undefined || 'fault' in actual || 'fault' in expected) {
		expect(actual).toEqual(expected);
		return;
	}
	const rest = ({ times, faults, newestAt }: Series) => ({ times, faults, newestAt });
	expect(rest(actual)).toEqual(rest(expected));
	expect(actual.values.map((value) => value === null)).toEqual(expected.values.map((value) => value === null));
	for (const [index, value] of actual.values.entries())
		expect(Math.abs((value ?? 0) - (expected.values[index] ?? 0))).toBeLessThanOrEqual(1e-9 * largest);
};

/** Instants where the calendar changes: leap days, month ends of every length, year ends. */
const calendarChanges = [
	'2024-02-29',
	'2024-03-01',
	'2025-03-01',
	'2024-01-01',
	'2025-01-01',
	'2024-05-01',
	'2024-03-31',
	'2024-12-31',
].map(at);

const fixedDuration = fc
	.constantFrom(1, 7, 250, 1000, 90_000, minute.ms, 5 * minute.ms, hour.ms, day.ms, 7 * day.ms)
	.map((ms) => ({ ms }));
const calendarDuration = fc.oneof(fc.constantFrom(1, 2, 3, 5).map(months), fc.constantFrom(1, 2).map(years));
const period: fc.Arbitrary<Duration> = fc.oneof(fixedDuration, calendarDuration);
/** Lookbacks of a few windows: mostly whole windows, sometimes a bit more or less, sometimes calendar lookbacks. */
const lookbackFor = ({ ms }: Duration): fc.Arbitrary<Duration> => {
	const some = fc
		.tuple(fc.integer({ min: 1, max: 30 }), fc.constantFrom(0, 0, 1, -1, 0.5))
		.map(([count, more]) => ({ ms: Math.min(3 * 366 * day.ms, Math.max(1, Math.round((count + more) * ms))) }));
	return ms < hour.ms ? some : fc.oneof(some, fc.constantFrom(months(1), months(2), months(12), years(1)));
};
const aggregate = fc.constantFrom('last' as const, 'mean' as const);

const windowedKey = period.chain((chosen) =>
	fc.record({
		read: fc.constantFrom('history' as const, 'trailing' as const),
		lookback: lookbackFor(chosen),
		period: fc.constant(chosen),
		aggregate,
	}),
);
const newestKey = period.chain(lookbackFor).map((lookback) => ({ read: 'newest' as const, lookback }));
type KeyShape =
	typeof windowedKey extends fc.Arbitrary<infer A> ? A | { readonly read: 'newest'; readonly lookback: Duration } : never;
const keyShapes: fc.Arbitrary<KeyShape[]> = fc.array(fc.oneof({ weight: 4, arbitrary: windowedKey }, newestKey), {
	minLength: 1,
	maxLength: 14,
});

const nowTime = fc
	.tuple(fc.constantFrom(...calendarChanges), fc.constantFrom(0, 0, 1, -1, minute.ms, 12_345_678, 40 * day.ms))
	.map(([time, offset]) => time + offset);
const jitterNs = fc.constantFrom(0n, 0n, 1n, -1n, 999_999n, -999_999n, 1_000_000n, 123_456n);

/** Instants at the bounds of the keys' windows, or anywhere in their lookbacks. */
const sampleTime = (now: number, keys: readonly KeyShape[]): fc.Arbitrary<bigint> => {
	const boundaries = keys.flatMap((key) => (key.read === 'newest' ? [key.lookback.ms] : [key.period.ms, key.lookback.ms]));
	const multiple = fc.tuple(fc.constantFrom(...boundaries), fc.integer({ min: 0, max: 12 })).map(([ms, count]) => count * ms);
	const onGrid = fc
		.tuple(fc.constantFrom(...boundaries), fc.integer({ min: 0, max: 12 }))
		.map(([ms, count]) => (Math.floor(now / ms) - count) * ms);
	const inRange = fc
		.constantFrom(...boundaries)
		.chain((ms) => fc.integer({ min: 0, max: ms }))
		.map((ms) => now - ms);
	const instant = fc.oneof(
		multiple.map((ms) => now - ms),
		onGrid,
		inRange,
		fc.constantFrom(...calendarChanges),
		fc.constantFrom(now, now + hour.ms),
	);
	// At most 4 years before now, because every week with samples costs a real database a shard.
	const near = instant.map((time) => Math.max(time, now - 4 * 366 * day.ms));
	return fc.tuple(near, jitterNs).map(([time, jitter]) => ns(time, jitter));
};

const valueKinds = [
	{ value: fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => value + 0), print: String },
	{ value: fc.bigInt({ min: -(2n ** 40n), max: 2n ** 40n }), print: (value: unknown) => `${value}i` },
	{ value: fc.bigInt({ min: 2n ** 60n, max: 2n ** 62n }), print: (value: unknown) => `${value}i` },
	{ value: fc.bigInt({ min: 0n, max: 2n ** 40n }), print: (value: unknown) => `${value}u` },
	{ value: fc.boolean(), print: String },
	{ value: fc.constantFrom('29', 'on', ''), print: (value: unknown) => JSON.stringify(value) },
] as const;
/** Values of one type of samples, and how line protocol writes them. */
export const valueKind = fc.oneof(
	{ weight: 5, arbitrary: fc.constant(valueKinds[0]) },
	...valueKinds.slice(1).map((kind) => fc.constant(kind)),
);

const scenario = fc.record({ now: nowTime, keys: keyShapes, kind: valueKind }).chain(({ now, keys, kind }) =>
	fc.record({
		now: fc.constant(now),
		keys: fc.constant(keys),
		print: fc.constant(kind.print),
		// Written one after another, so that a later write overwrites an earlier one of the same instant.
		writes: fc.array(
			fc.array(
				fc.record({
					tagSet: fc.oneof({ weight: 8, arbitrary: fc.constant('a') }, fc.constant('b')),
					timeNs: sampleTime(now, keys),
					value: kind.value as fc.Arbitrary<WrittenSample['value']>,
				}),
				{ minLength: 1, maxLength: 25 },
			),
			{ minLength: 1, maxLength: 3 },
		),
	}),
);

/**
 * Tests random series and queries against results that are computed by brute force.
 * @param runs number of series, of up to 14 queries each
 * @param readings how often each query is read
 */
export const randomCases = ({ newTopic, write, read }: Feed, runs: number, readings = 1): void => {
	test('reads random series and queries as brute force does', async () => {
		await fc.assert(
			fc.asyncProperty(scenario, async ({ now, keys: shapes, writes, print }) => {
				const topic = newTopic();
				for (const samples of writes)
					await write(
						topic,
						samples.map(({ timeNs, value, tagSet }): SampleText => [timeNs, print(value as never), `site=${tagSet}`]),
					);
				const keys = shapes.map((shape): SeriesKey => ({ ...shape, topic, field: 'value' }));
				const largest = Math.max(
					1,
					...writes.flat().map(({ value }) => (typeof value === 'string' ? 0 : Math.abs(Number(value)))),
				);
				const expected = keys.map((key) => expectedSeries(writes.flat(), key, now));
				for (let reading = 0; reading < readings; reading += 1) {
					const results = await read(keys, now);
					expect(results).toHaveLength(keys.length);
					for (const [index, each] of expected.entries()) expectSeries(results[index], each, largest);
				}
			}),
			{ numRuns: runs },
		);
	}, 600_000);
};
