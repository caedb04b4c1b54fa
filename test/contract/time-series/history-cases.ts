import { describe, expect, test } from 'vitest';
import { type Feed, history, hour, months, noon, ns, years } from './feed.ts';

/** Tests of histories. */
export const historyCases = ({ newTopic, write, readOne }: Feed): void => {
	describe('history', () => {
		test('reads windows that are multiples of the period, without empty ones; the unfinished one ends now', async () => {
			const topic = newTopic();
			const now = noon + 90_000;
			await write(topic, [
				[ns('2024-03-15T11:00:00Z', -1n), '99'],
				[ns('2024-03-15T11:00:00Z'), '1'],
				[ns('2024-03-15T11:59:59Z'), '2'],
				[ns('2024-03-15T12:00:00Z'), '4'],
				[ns('2024-03-15T12:01:29Z', 999_999n), '8'],
			]);
			expect(await readOne(history(topic, hour, hour), now)).toEqual({
				points: [
					['2024-03-15T12:00:00.000Z', 1.5],
					['2024-03-15T12:01:30.000Z', 6],
				],
				newestAt: '2024-03-15T12:01:29.000Z',
			});
			expect(await readOne(history(topic, hour, { ms: 600_000 }, 'last'), now)).toMatchObject({
				points: [
					['2024-03-15T11:10:00.000Z', 1],
					['2024-03-15T12:00:00.000Z', 2],
					['2024-03-15T12:01:30.000Z', 8],
				],
			});
		});

		test('reads calendar windows across a leap day and the end of a year', async () => {
			const topic = newTopic();
			await write(topic, [
				[ns('2023-12-31T23:59:59.999Z', 999_999n), '1'],
				[ns('2024-01-01T00:00:00Z'), '2'],
				[ns('2024-02-29T23:59:59Z'), '3'],
				[ns('2024-03-01T00:00:00Z'), '4'],
			]);
			expect(await readOne(history(topic, months(3), months(1), 'last'))).toMatchObject({
				points: [
					['2024-01-01T00:00:00.000Z', 1],
					['2024-02-01T00:00:00.000Z', 2],
					['2024-03-01T00:00:00.000Z', 3],
					['2024-03-15T12:00:00.000Z', 4],
				],
			});
			expect(await readOne(history(topic, years(1), years(1)))).toMatchObject({
				points: [
					['2024-01-01T00:00:00.000Z', 1],
					['2024-03-15T12:00:00.000Z', 3],
				],
			});
		});
	});
};
