import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SeriesResult, TimeSeries } from '#domain/ports/time-series.ts';
import { readNow } from '#domain/reading/read-now.ts';
import { unshared } from '#domain/reading/shared-reads.ts';
import type { Query } from '#domain/variable/query.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { historyWindows, windowEnd } from '#domain/variable/window.ts';
import { makeCalculatedBody, makeQuery } from '#test/support/builders/builders.ts';
import { makeSeries } from '#test/support/fakes/fake-time-series.ts';

const minuteMs = 60_000;
const midnight = Date.parse('2026-11-21T00:00:00Z');

/** The times at which each input is sampled. Every value is 1. */
type Samples = Readonly<Record<string, readonly number[]>>;

/** Makes a `TimeSeries` that computes the windows of histories from samples. */
const timeSeriesOf = (samples: Samples): TimeSeries => ({
	read: async (_, keys, now) =>
		keys.map((key): SeriesResult => {
			if (key.read !== 'history') throw new RangeError('Only histories are read here.');
			const windows = historyWindows(now, key.lookback, key.period);
			const times = (samples[key.topic] ?? []).filter((time) => time >= (windows.starts[0] ?? now) && time < now);
			const ends = windows.starts.flatMap((start, index) => {
				const end = windowEnd(windows, index);
				return times.some((time) => time >= start && time < end) ? [[end, 1] as const] : [];
			});
			return makeSeries(ends, times.at(-1) ?? null);
		}),
});

const minutes = (lookback: number, period: number): Partial<Query> => ({ calc_time: lookback, calc_period: period });

/** Reads the history of the sum of all inputs. */
const read = async (queries: Readonly<Record<string, Partial<Query>>>, samples: Samples, now: number) => {
	const varsTsdb = Object.fromEntries(
		Object.entries(queries).map(([name, query]) => [name, makeQuery({ calc_topic: name, ...query })]),
	);
	const body = makeCalculatedBody(Object.keys(queries).join(' + '), { type: 'history', varsTsdb });
	const [reading = expect.unreachable()] = await readNow(unshared(timeSeriesOf(samples)), { database: 'd', now }, [
		parseVariable(body),
	]);
	return reading;
};

const verdictOf = ({ quality, reason }: Awaited<ReturnType<typeof read>>) => [quality, reason?.code, reason?.inputs];

const everyMs = (intervalMs: number, phaseMs: number, count: number): readonly number[] =>
	Array.from({ length: count }, (_, index) => midnight + phaseMs + index * intervalMs);

describe('the quality of a calculated history', () => {
	test('is no data where inputs are sampled in alternating minutes, at every poll', async () => {
		const queries = { a: minutes(30, 1), b: minutes(30, 1) };
		const samples = { a: everyMs(2 * minuteMs, 5000, 60), b: everyMs(2 * minuteMs, 5000 + minuteMs, 60) };
		for (let poll = 0; poll < 40; poll += 1) {
			const now = midnight + 60 * minuteMs + poll * 30_000 + 10_000;
			const absent = Math.floor(now / minuteMs) % 2 === 0 ? 'b' : 'a';
			expect(verdictOf(await read(queries, samples, now))).toEqual(['no_data', 'no_common_window', [absent]]);
		}
	});

	test.each([
		[2, 'good', undefined, undefined],
		[3, 'stale', 'stale', ['b']],
		[25, 'stale', 'stale', ['b']],
		[70, 'no_data', 'no_data', ['b']],
	] as const)('names an input that has been dead for %d min: %s', async (dead, ...expected) => {
		const now = midnight + 120 * minuteMs;
		const b = everyMs(30_000, 0, 1000).filter((time) => time <= now - dead * minuteMs);
		const queries = { a: minutes(60, 1), b: minutes(20, 1) };
		expect(verdictOf(await read(queries, { a: everyMs(30_000, 0, 1000), b }, now))).toEqual(expected);
	});

	test('is stale where the newest sample of an input is older than its own lookback, which is shorter than two of its periods', async () => {
		const now = midnight + 120 * minuteMs;
		const queries = { a: minutes(120, 60), b: minutes(10, 60) };
		const sampledAt = (ageMs: number) => ({ a: [now - 1000], b: [now - ageMs] });
		expect(verdictOf(await read(queries, sampledAt(10 * minuteMs), now))).toEqual(['good', undefined, undefined]);
		expect(verdictOf(await read(queries, sampledAt(10 * minuteMs + 1), now))).toEqual(['stale', 'stale', ['b']]);
	});

	test('judges an input by its own period, not by the tenfold one of another input', async () => {
		const now = midnight + 120 * minuteMs + 5 * minuteMs;
		const queries = { fast: minutes(60, 1), slow: minutes(60, 10) };
		const slow = everyMs(10 * minuteMs, 0, 100);
		const fast = everyMs(30_000, 0, 1000);
		expect(verdictOf(await read(queries, { fast, slow }, now))).toEqual(['good', undefined, undefined]);
		const dead = fast.filter((time) => time < now - 3 * minuteMs);
		expect(verdictOf(await read(queries, { fast: dead, slow }, now))).toEqual(['stale', 'stale', ['fast']]);
	});

	test('is stale where the inputs have had no window in common for more than two periods', async () => {
		const now = midnight + 60 * minuteMs;
		const together = [30, 32, 34].map((minute) => midnight + minute * minuteMs);
		const apart = (from: number) => [from, from + 2, from + 4].map((minute) => midnight + minute * minuteMs);
		const samples = { a: [...together, ...apart(54)], b: [...together, ...apart(55)] };
		const reading = await read({ a: minutes(60, 1), b: minutes(60, 1) }, samples, now);
		expect(verdictOf(reading)).toEqual(['stale', 'no_common_window', ['a']]);
	});

	test('never changes over 480 polls of inputs that are sampled steadily, with equal periods and with 1:10', async () => {
		const phase = fc.integer({ min: 0, max: minuteMs - 1 });
		await fc.assert(
			fc.asyncProperty(fc.constantFrom(1, 10), phase, phase, phase, async (ratio, aPhase, bPhase, pollPhase) => {
				const queries = { a: minutes(60, 1), b: minutes(60, ratio) };
				const samples = { a: everyMs(minuteMs, aPhase, 600), b: everyMs(ratio * minuteMs, bPhase * ratio, 600) };
				const seen = new Set<string>();
				for (let poll = 0; poll < 480; poll += 1) {
					const now = midnight + 120 * minuteMs + pollPhase + poll * 30_000;
					seen.add(JSON.stringify(verdictOf(await read(queries, samples, now))));
				}
				expect([...seen]).toEqual(['["good",null,null]']);
			}),
			{ numRuns: 6 },
		);
	});
});
