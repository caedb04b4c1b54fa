import { describe, expect, test } from 'vitest';
import type { SeriesKey, SeriesResult } from '#domain/ports/time-series.ts';
import { at, type Feed, history, minute, months, newest, noon, nothing, ns } from './feed.ts';

/** Returns the points of each source, by its tags. */
const sourcesOf = (result: SeriesResult) =>
	Object.fromEntries(
		('fault' in result ? [] : [...(result.sources ?? [])]).map(([name, { times, values }]) => {
			const tags: readonly (readonly string[])[] = JSON.parse(name);
			const text = tags.filter(([key]) => key !== '_measurement').map((tag) => tag.join('='));
			return [text.join(), times.map((time, index) => [time, values[index]])];
		}),
	);

/** Tests of the newest sample, and of several sources. */
export const newestCases = ({ newTopic, write, readOne, read }: Feed): void => {
	test('tells sources apart where it is asked to, in the newest samples and in windows', async () => {
		const [several, single, empty] = [newTopic(), newTopic(), newTopic()];
		await write(several, [
			[ns(noon - 50_000), '1', 'site=a,unit=2'],
			[ns(noon - 40_000), '2', 'site=b'],
			[ns(noon - 39_500), '3', 'unit=2,site=a'],
			[ns(noon - 30_000), '4', 'site=b'],
		]);
		await write(single, [[ns(noon - 40_000), '7', 'site=a']]);
		const tenSeconds = { ms: 10_000 };
		const kinds = [
			newest(several),
			history(several, minute, tenSeconds),
			newest(single),
			history(single, minute, tenSeconds),
			newest(empty),
		];
		const keys = kinds.map((key): SeriesKey => ({ ...key, bySource: true }));
		const point = (second: number, value: number) => [noon - second * 1000, value];
		const expected = [
			{ 'site=a,unit=2': [point(39.5, 3)], 'site=b': [point(30, 4)] },
			{ 'site=a,unit=2': [point(40, 1), point(30, 3)], 'site=b': [point(30, 2), point(20, 4)] },
			{ 'site=a': [point(40, 7)] },
			{ 'site=a': [point(30, 7)] },
			{},
		];
		for (const _ of ['sources unknown', 'sources known']) {
			const results = await read(keys);
			expect(results.map((result) => sourcesOf(result))).toEqual(expected);
		}
		for (const result of await read(kinds)) expect(sourcesOf(result)).toEqual({});
	});

	describe('newest', () => {
		test('reads the newest sample, in any order of writing', async () => {
			const topic = newTopic();
			await write(topic, [[ns('2024-03-15T11:59:00Z'), '2.5']]);
			await write(topic, [[ns('2024-03-15T11:58:00Z'), '1.5']]);
			expect(await readOne(newest(topic))).toEqual({
				points: [['2024-03-15T11:59:00.000Z', 2.5]],
				newestAt: '2024-03-15T11:59:00.000Z',
			});
		});

		test('rounds the time down to whole milliseconds', async () => {
			const topic = newTopic();
			await write(topic, [[ns('2024-03-15T11:59:59.998Z', 999_999n), '7']]);
			expect(await readOne(newest(topic))).toMatchObject({ points: [['2024-03-15T11:59:59.998Z', 7]] });
		});

		test('reads the newest sample of two tag sets, and a fault when both are at one instant', async () => {
			const topic = newTopic();
			await write(topic, [
				[ns('2024-03-15T11:58:00Z'), '1', 'site=a'],
				[ns('2024-03-15T11:58:00Z', 1n), '2', 'site=b'],
			]);
			expect(await readOne(newest(topic))).toMatchObject({ points: [['2024-03-15T11:58:00.000Z', 2]] });
			await write(topic, [[ns('2024-03-15T11:58:00Z', 1n), '1', 'site=a']]);
			expect(await readOne(newest(topic))).toMatchObject({ points: [['2024-03-15T11:58:00.000Z', 'several_series']] });
		});

		test('looks back by the calendar: 31 March minus a month is the last day of February', async () => {
			const now = at('2024-03-31T10:00:00Z');
			const topic = newTopic();
			await write(topic, [[ns('2024-02-29T10:00:00Z'), '1']]);
			expect(await readOne(newest(topic, months(1)), now)).toMatchObject({ points: [['2024-02-29T10:00:00.000Z', 1]] });
			expect(await readOne(newest(topic, months(1)), now + 1)).toEqual(nothing);
		});
	});
};
