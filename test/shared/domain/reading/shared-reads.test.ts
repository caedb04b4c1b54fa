import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { DomainError } from '#domain/errors.ts';
import type { SeriesKey, SeriesResult, TimeSeries } from '#domain/ports/time-series.ts';
import { readNow } from '#domain/reading/read-now.ts';
import { shareReads } from '#domain/reading/shared-reads.ts';
import { makeVariable } from '#test/support/builders/builders.ts';
import { makeSeries } from '#test/support/fakes/fake-time-series.ts';

const minute = { ms: 60_000 };
const newest = (topic: string): SeriesKey => ({ read: 'newest', topic, field: 'value', lookback: minute });
/** A series of `windows` windows. */
const history = (topic: string, windows: number): SeriesKey => ({
	read: 'history',
	topic,
	field: 'value',
	lookback: { ms: (windows - 1) * 1000 },
	period: { ms: 1000 },
	aggregate: 'mean',
});

describe('shareReads', () => {
	/** The reads that reached the time series, each with the function that ends it. */
	let reads: { database: string; now: number; end: (outcome: readonly SeriesResult[] | Error) => void }[];
	let timeSeries: TimeSeries;
	beforeEach(() => {
		reads = [];
		timeSeries = {
			read: (database, _, now) =>
				new Promise((resolve, reject) => {
					const end = (outcome: readonly SeriesResult[] | Error) =>
						outcome instanceof Error ? reject(outcome) : resolve(outcome);
					reads.push({ database, now, end });
				}),
		};
	});
	const endAll = () => {
		for (const { now, end } of reads) end([makeSeries([[now, now]])]);
	};

	test('requests within the time share one read and its moment, while it runs and after it has ended', async () => {
		const shared = shareReads(timeSeries, 1000);
		const first = shared.read('d', [newest('a')], 5000);
		const waiting = shared.read('d', [newest('a')], 5400);
		endAll();
		const expected = { now: 5000, results: [makeSeries([[5000, 5000]])] };
		expect(await Promise.all([first, waiting])).toEqual([expected, expected]);
		expect(await shared.read('d', [newest('a')], 5999)).toEqual(expected);
		expect(reads).toHaveLength(1);
		const next = shared.read('d', [newest('a')], 6000);
		endAll();
		expect(await next).toMatchObject({ now: 6000 });
		expect(reads).toHaveLength(2);
	});

	test('50 clients that each read the same 5 times within a second make 1 read', async () => {
		const shared = shareReads(timeSeries, 1000);
		const answers = Array.from({ length: 5 }, (_, round) =>
			Array.from({ length: 50 }, (__, client) => shared.read('d', [newest('a')], 5000 + round * 200 + client)),
		);
		endAll();
		expect(new Set((await Promise.all(answers.flat())).map(({ now }) => now))).toEqual(new Set([5000]));
		expect(reads).toHaveLength(1);
	});

	test('a reading is evaluated at the moment of the read that it shares', async () => {
		const shared = shareReads(timeSeries, 1000);
		const stored = makeSeries([[940_000, 7]]);
		const readAt = async (now: number) => {
			const reading = readNow(shared, { database: 'd', now }, [makeVariable({ type: 'last' })]);
			reads.at(-1)?.end([stored]);
			return (await reading)[0];
		};
		// The sample is stale after 120 s.
		expect(await readAt(1_059_900)).toMatchObject({ quality: 'good' });
		expect(await readAt(1_060_500)).toMatchObject({ quality: 'good' });
		expect(await readAt(1_060_900)).toMatchObject({ quality: 'stale' });
		expect(reads.map(({ now }) => now)).toEqual([1_059_900, 1_060_900]);
	});

	test.each<[string, [string, readonly SeriesKey[]], [string, readonly SeriesKey[]]]>([
		['databases', ['d', [newest('a')]], ['e', [newest('a')]]],
		['names that look like another list', ['d', [newest('a')]], ['d"', [newest('a')]]],
		['topics', ['d', [newest('a')]], ['d', [newest('b')]]],
		['a part of the series', ['d', [newest('a'), newest('b')]], ['d', [newest('a')]]],
		['another order', ['d', [newest('a'), newest('b')]], ['d', [newest('b'), newest('a')]]],
		['a query that was saved with another lookback', ['d', [history('a', 10)]], ['d', [history('a', 11)]]],
	])('does not share between different %s', async (_, one, other) => {
		const shared = shareReads(timeSeries, 1000);
		for (const [database, keys] of [one, other]) void shared.read(database, keys, 5000);
		expect(reads.map(({ database }) => database)).toEqual([one[0], other[0]]);
	});

	test('only the requests that wait for a read share its error', async () => {
		const shared = shareReads(timeSeries, 1000);
		const failure = new DomainError('dependency_slow', { dependency: 'tsdb', cause: 'test' });
		const waiting = [shared.read('d', [newest('a')], 5000), shared.read('d', [newest('a')], 5001)];
		reads[0]?.end(failure);
		for (const each of waiting) await expect(each).rejects.toBe(failure);
		const next = shared.read('d', [newest('a')], 5002);
		endAll();
		expect(await next).toMatchObject({ now: 5002 });
	});

	test('a read that fails late leaves the one that replaced it', async () => {
		const shared = shareReads(timeSeries, 1000);
		const first = shared.read('d', [newest('a')], 5000);
		const second = shared.read('d', [newest('a')], 6000);
		reads[0]?.end(new Error('late'));
		await expect(first).rejects.toThrow('late');
		endAll();
		expect(await shared.read('d', [newest('a')], 6500)).toEqual(await second);
		expect(reads).toHaveLength(2);
	});

	test('a request that reads anew takes no other read, and later requests take its own', async () => {
		const shared = shareReads(timeSeries, 1000);
		void shared.read('d', [newest('a')], 5000);
		const anew = shared.read('d', [newest('a')], 5100, true);
		endAll();
		expect(await anew).toMatchObject({ now: 5100 });
		expect(await shared.read('d', [newest('a')], 5200)).toMatchObject({ now: 5100 });
		expect(reads).toHaveLength(2);
	});

	test('takes no read of the future after the clock was set back', async () => {
		const shared = shareReads(timeSeries, 1000);
		void shared.read('d', [newest('a')], 9000);
		const earlier = shared.read('d', [newest('a')], 8999);
		endAll();
		expect(await earlier).toMatchObject({ now: 8999 });
		expect(await shared.read('d', [newest('a')], 9000)).toMatchObject({ now: 8999 });
	});

	test('forgets the reads of a database that was written to, and no others', () => {
		const shared = shareReads(timeSeries, 1000);
		for (const database of ['d', 'e']) void shared.read(database, [newest('a')], 5000);
		shared.clear('d');
		for (const database of ['d', 'e']) void shared.read(database, [newest('a')], 5001);
		expect(reads.map(({ database, now }) => `${database} ${now}`)).toEqual(['d 5000', 'e 5000', 'd 5001']);
	});

	test.each([
		['16 reads', [newest('a')], 16],
		['200,000 windows', [history('a', 50_000)], 4],
		['one read that is not too large', [history('a', 200_000)], 1],
		['none that is', [history('a', 200_001)], 0],
	] as const)('keeps at most %s, the newest ones', (_, keys, most) => {
		const shared = shareReads(timeSeries, 1000);
		const isRead = (index: number) => {
			const before = reads.length;
			void shared.read(`d${index}`, keys, 5000);
			return reads.length > before;
		};
		for (let index = 0; index < most + 3; index += 1) isRead(index);
		const kept = Array.from({ length: most }, (__, index) => index + 3);
		expect(kept.filter(isRead)).toEqual([]);
		expect(isRead(2)).toBe(true);
	});

	test('0 ms shares nothing', () => {
		const shared = shareReads(timeSeries, 0);
		void shared.read('d', [newest('a')], 5000);
		void shared.read('d', [newest('a')], 5000);
		expect(reads).toHaveLength(2);
	});

	test('no request gets a moment after its own, or as old as the limit', async () => {
		const request = fc.record({
			topic: fc.constantFrom('a', 'b'),
			stepMs: fc.integer({ min: -300, max: 900 }),
			anew: fc.boolean(),
		});
		let taken = 0;
		await fc.assert(
			fc.asyncProperty(fc.array(request, { maxLength: 30 }), async (requests) => {
				const shared = shareReads({ read: async (_, [key], now) => [makeSeries([[now, key?.topic === 'a' ? 1 : 2]])] }, 1000);
				let now = 10_000;
				for (const { topic, stepMs, anew } of requests) {
					now += stepMs;
					const read = await shared.read('d', [newest(topic)], now, anew);
					expect(read.results).toEqual([makeSeries([[read.now, topic === 'a' ? 1 : 2]])]);
					expect(now - read.now).toBeGreaterThanOrEqual(0);
					expect(now - read.now).toBeLessThan(anew ? 1 : 1000);
					if (read.now < now) taken += 1;
				}
			}),
		);
		expect(taken).toBeGreaterThan(50);
	});
});
