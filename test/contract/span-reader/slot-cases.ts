import { describe, expect, test } from 'vitest';
import { ns } from '../time-series/feed.ts';
import { boundsAt, readableSpan, type SpanFeed, span } from './span-feed.ts';

const minute = 60_000;
const twoHours = ['2024-03-15T10:00:00Z', '2024-03-15T11:00:00Z', '2024-03-15T12:00:00Z'] as const;

/** Tests of `slots`, and of windows in which two tag sets have samples. */
export const spanSlotCases = ({ newTopic, write, readSpan, readSpans }: SpanFeed): void => {
	/** Writes a sample at each time to a new topic and returns the topic. */
	const writtenAt = async (times: readonly string[]): Promise<string> => {
		const topic = newTopic();
		await write(
			topic,
			times.map((time) => [ns(time), '1.5']),
		);
		return topic;
	};

	describe('slots', () => {
		test('are counted once each, however many samples they hold', async () => {
			const topic = await writtenAt([
				'2024-03-15T10:00:00Z',
				'2024-03-15T10:09:59.999Z',
				'2024-03-15T10:10:00Z',
				'2024-03-15T10:50:00Z',
				'2024-03-15T10:59:59.999Z',
				'2024-03-15T11:30:00Z',
			]);
			expect(await readSpan(span(topic, boundsAt(...twoHours), ['slots', 'count'], 10 * minute))).toMatchObject({
				slots: [3, 1],
				count: [5, 1],
			});
		});

		test('are counted for booleans and integers, too', async () => {
			const [booleans, integers] = [newTopic(), newTopic()];
			await write(booleans, [[ns('2024-03-15T10:05:00Z'), 'false']]);
			await write(integers, [[ns('2024-03-15T11:05:00Z'), '9223372036854775807i']]);
			const results = await readSpans(
				[booleans, integers].map((topic) => span(topic, boundsAt(...twoHours), ['slots'], 10 * minute)),
			);
			expect(results.map(readableSpan)).toMatchObject([{ slots: [1, 0] }, { slots: [0, 1] }]);
		});

		test('belong to the window that they begin in, where their length does not divide the window', async () => {
			// Slots of 25 min since the epoch begin at 10:20, 10:45, 11:10 and 11:35.
			const topic = await writtenAt([
				'2024-03-15T10:25:00Z',
				'2024-03-15T11:00:00Z',
				'2024-03-15T11:09:59Z',
				'2024-03-15T11:25:00Z',
				'2024-03-15T11:35:00Z',
			]);
			const bounds = boundsAt('2024-03-15T10:00:00Z', '2024-03-15T10:50:00Z', '2024-03-15T11:20:00Z', '2024-03-15T12:00:00Z');
			expect(await readSpan(span(topic, bounds, ['slots', 'count'], 25 * minute))).toMatchObject({
				slots: [2, 1, 1],
				count: [1, 2, 2],
			});
		});

		test('may be longer than a window: an empty window counts a slot whose sample is in a later window', async () => {
			const topic = await writtenAt(['2024-03-15T11:30:00Z', '2024-03-15T12:30:00Z']);
			const bounds = boundsAt(...twoHours, '2024-03-15T13:00:00Z', '2024-03-15T14:00:00Z');
			expect(await readSpan(span(topic, bounds, ['slots', 'count'], 120 * minute))).toMatchObject({
				slots: [1, 0, 1, 0],
				count: [0, 1, 1, 0],
			});
		});

		test('are not counted where they begin before the first bound or end after the last', async () => {
			const topic = await writtenAt([
				'2024-03-15T10:06:00Z',
				'2024-03-15T10:15:00Z',
				'2024-03-15T11:55:00Z',
				'2024-03-15T12:01:00Z',
			]);
			const bounds = boundsAt('2024-03-15T10:05:00Z', '2024-03-15T11:00:00Z', '2024-03-15T12:05:00Z');
			expect(await readSpan(span(topic, bounds, ['slots', 'count'], 10 * minute))).toMatchObject({
				slots: [1, 1],
				count: [2, 2],
			});
		});

		test('may all be longer than the whole span', async () => {
			const topic = await writtenAt(['2024-03-15T10:06:00Z']);
			expect(await readSpan(span(topic, boundsAt(...twoHours), ['slots', 'count'], 24 * 60 * minute))).toMatchObject({
				slots: [0, 0],
				count: [1, 0],
			});
		});

		test('of one millisecond hold the samples of their nanoseconds', async () => {
			const topic = newTopic();
			const samples = [0n, 999_999n, 1_000_000n, 1_999_999n].map((extra) => [ns('2024-03-15T10:30:00Z', extra), '1'] as const);
			await write(topic, samples);
			expect(await readSpan(span(topic, boundsAt(...twoHours), ['slots', 'count'], 1))).toMatchObject({
				slots: [2, 0],
				count: [4, 0],
			});
		});

		test('are multiples of their length before 1970, too', async () => {
			// Slots of 7 h begin on 1969-12-31 at 03:00, 10:00, 17:00 and on 1970-01-01 at 00:00, 07:00.
			const topic = await writtenAt([
				'1969-12-31T09:59:59Z',
				'1969-12-31T10:00:00Z',
				'1969-12-31T23:59:59.999Z',
				'1970-01-01T00:00:00Z',
			]);
			const bounds = boundsAt('1969-12-31T03:00:00Z', '1969-12-31T20:00:00Z', '1970-01-01T08:00:00Z');
			expect(await readSpan(span(topic, bounds, ['slots', 'count'], 7 * 60 * minute))).toMatchObject({
				slots: [3, 1],
				count: [2, 2],
			});
		});
	});

	describe('two tag sets', () => {
		test('in one window are a fault of that window in every column, whatever their times', async () => {
			const topic = newTopic();
			await write(topic, [
				[ns('2024-03-15T09:30:00Z'), '1', 'site=a'],
				[ns('2024-03-15T10:10:00Z'), '2', 'site=a'],
				[ns('2024-03-15T10:50:00Z'), '3', 'site=b'],
				[ns('2024-03-15T11:30:00Z'), '4', 'site=b'],
			]);
			const bounds = boundsAt('2024-03-15T09:00:00Z', ...twoHours);
			const values = [1, 'several_series', 4];
			expect(await readSpan(span(topic, bounds, ['mean', 'min', 'max', 'first', 'last', 'count', 'slots'], 10 * minute))).toEqual(
				{
					...Object.fromEntries(['mean', 'min', 'max', 'first', 'last'].map((name) => [name, values])),
					count: [1, 'several_series', 1],
					slots: [1, 'several_series', 1],
					newestAt: '2024-03-15T11:30:00.000Z',
				},
			);
		});

		test('are a fault of a window, and not of precision, where one of them is beyond 2^53', async () => {
			const topic = newTopic();
			await write(topic, [
				[ns('2024-03-15T10:10:00Z'), '9007199254740993i', 'site=a'],
				[ns('2024-03-15T10:10:00Z'), '3i', 'site=b'],
			]);
			expect(await readSpan(span(topic, boundsAt(...twoHours), ['max', 'last']))).toMatchObject({
				max: ['several_series', null],
				last: ['several_series', null],
			});
		});

		test('are a fault of the slots of the window that these begin in', async () => {
			const topic = newTopic();
			await write(topic, [
				[ns('2024-03-15T10:30:00Z'), '1', 'site=a'],
				[ns('2024-03-15T11:30:00Z'), '2', 'site=b'],
			]);
			const bounds = boundsAt(...twoHours);
			expect(await readSpan(span(topic, bounds, ['slots', 'count'], 120 * minute))).toMatchObject({
				slots: ['several_series', 0],
				count: [1, 1],
			});
			expect(await readSpan(span(topic, bounds, ['slots', 'count'], 10 * minute))).toMatchObject({
				slots: [1, 1],
				count: [1, 1],
			});
		});
	});
};
