import { describe, expect, test } from 'vitest';
import { at, ns } from '../time-series/feed.ts';
import { boundsAt, plainAggregates, type SpanFeed, span } from './span-feed.ts';

const threeHours = boundsAt('2024-03-15T09:00:00Z', '2024-03-15T10:00:00Z', '2024-03-15T11:00:00Z', '2024-03-15T12:00:00Z');

/** The readable form of `count` windows without samples. */
const emptyWindows = (count: number) => ({
	...Object.fromEntries(plainAggregates.map((name) => [name, new Array(count).fill(name === 'count' ? 0 : null)])),
	newestAt: null,
});

/** Tests of which samples each window holds. */
export const spanWindowCases = ({ newTopic, write, readSpan }: SpanFeed): void => {
	describe('without samples', () => {
		test('reads every window of a topic or a field without samples: null, and the count 0', async () => {
			const topic = newTopic();
			await write(topic, [[ns('2024-03-15T10:30:00Z'), '1']]);
			for (const key of [span('absent', threeHours), { ...span(topic, threeHours), field: 'absent' }])
				expect(await readSpan(key)).toEqual(emptyWindows(3));
			expect(await readSpan(span('absent', threeHours, ['slots', 'last'], 60_000))).toEqual({
				slots: [0, 0, 0],
				last: [null, null, null],
				newestAt: null,
			});
		});
	});

	describe('windows', () => {
		test('hold samples from their start, to the nanosecond before their end', async () => {
			const topic = newTopic();
			await write(topic, [
				[ns('2024-03-15T09:00:00Z', -1n), '100'],
				[ns('2024-03-15T09:00:00Z'), '1'],
				[ns('2024-03-15T10:00:00Z', -1n), '3'],
				[ns('2024-03-15T10:00:00Z'), '10'],
				[ns('2024-03-15T12:00:00Z', -1n), '20'],
				[ns('2024-03-15T12:00:00Z'), '200'],
			]);
			expect(await readSpan(span(topic, threeHours))).toEqual({
				mean: [2, 10, 20],
				min: [1, 10, 20],
				max: [3, 10, 20],
				first: [1, 10, 20],
				last: [3, 10, 20],
				count: [2, 1, 1],
				newestAt: '2024-03-15T11:59:59.999Z',
			});
		});

		test.each([
			[
				'clipped at both ends',
				['2024-03-15T09:20:00Z', '2024-03-15T10:00:00Z', '2024-03-15T11:00:00Z', '2024-03-15T12:00:00Z', '2024-03-15T12:07:00Z'],
			],
			['one, of a millisecond', ['2024-03-15T09:20:00.001Z', '2024-03-15T09:20:00.002Z']],
			['of lengths that differ by a millisecond', ['2024-03-15T09:00:00Z', '2024-03-15T09:00:01Z', '2024-03-15T09:00:02.001Z']],
			[
				'days of Madrid, 23 h at the start of summer time',
				['2024-03-29T23:00:00Z', '2024-03-30T23:00:00Z', '2024-03-31T22:00:00Z', '2024-04-01T22:00:00Z'],
			],
			[
				'days of Madrid, 25 h at its end',
				['2024-10-25T22:00:00Z', '2024-10-26T22:00:00Z', '2024-10-27T23:00:00Z', '2024-10-28T23:00:00Z'],
			],
			[
				'days of Lord Howe, 24.5 h',
				['2024-04-05T13:00:00Z', '2024-04-06T13:00:00Z', '2024-04-07T13:30:00Z', '2024-04-08T13:30:00Z'],
			],
			[
				'months of Santiago',
				['2024-01-01T03:00:00Z', '2024-02-01T03:00:00Z', '2024-03-01T03:00:00Z', '2024-04-01T03:00:00Z', '2024-05-01T04:00:00Z'],
			],
			['years', ['2022-01-01T00:00:00Z', '2023-01-01T00:00:00Z', '2024-01-01T00:00:00Z', '2024-02-10T06:00:00Z']],
			['before 1970', ['1969-12-30T00:00:00.001Z', '1969-12-31T00:00:00Z', '1970-01-01T00:00:00Z', '1970-01-02T00:00:00Z']],
		])('are %s', async (_, times) => {
			const [topic, bounds] = [newTopic(), boundsAt(...times)];
			// At each bound the sample i is in window i, and the sample -i is in the window before it.
			const samples = bounds.flatMap((bound, index) => [
				[ns(bound, -1n), `-${index}`] as const,
				[ns(bound), `${index}`] as const,
			]);
			await write(topic, samples);
			const windows = bounds.slice(0, -1);
			expect(await readSpan(span(topic, bounds))).toEqual({
				mean: windows.map(() => -0.5),
				min: windows.map((_start, index) => -(index + 1)),
				max: windows.map((_start, index) => index),
				first: windows.map((_start, index) => index),
				last: windows.map((_start, index) => -(index + 1)),
				count: windows.map(() => 2),
				newestAt: new Date((bounds.at(-1) ?? 0) - 1).toISOString(),
			});
		});

		test('are a thousand, of which every tenth has a sample', async () => {
			const topic = newTopic();
			const bounds = Array.from({ length: 1001 }, (_, index) => at('2024-03-15T00:00:00Z') + index * 60_000);
			await write(
				topic,
				bounds.slice(0, -1).flatMap((bound, index) => (index % 10 === 0 ? [[ns(bound), `${index}`] as const] : [])),
			);
			const values = Array.from({ length: 1000 }, (_, index) => (index % 10 === 0 ? index : null));
			const counts = values.map((value) => (value === null ? 0 : 1));
			expect(await readSpan(span(topic, bounds))).toMatchObject({ mean: values, max: values, first: values, count: counts });
		});
	});
};
