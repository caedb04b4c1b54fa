import { describe, expect, test } from 'vitest';
import type { SeriesKey, SeriesResult } from '#domain/ports/time-series.ts';
import { at, day, type Feed, history, hour, minute, months, newest, noon, nothing, ns, trailing } from './feed.ts';

/** Returns the points of each source, by its tags. */
const sourcesOf = (result: SeriesResult) =>
	Object.fromEntries(
		('fault' in result ? [] : [...(result.sources ?? [])]).map(([name, { times, values }]) => {
			const tags: readonly (readonly string[])[] = JSON.parse(name);
			const text = tags.filter(([key]) => key !== '_measurement').map((tag) => tag.join('='));
			return [text.join(), times.map((time, index) => [time, values[index]])];
		}),
	);

/** Tests of the newest sample, and of reads without samples. */
export const newestCases = ({ newTopic, write, readOne, read }: Feed, absentDatabase: 'empty' | 'fault'): void => {
	describe('without samples', () => {
		test(`reads a database that does not exist as ${absentDatabase === 'empty' ? 'empty' : 'a fault'}`, async () => {
			const result = readOne(newest('absent'), noon, 'contract_absent');
			if (absentDatabase === 'empty') expect(await result).toEqual(nothing);
			else await expect(result).rejects.toMatchObject({ code: 'dependency_failed', payload: { dependency: 'tsdb' } });
		});

		test('reads a topic or a field without samples as empty', async () => {
			const topic = newTopic();
			await write(topic, [[ns(noon, -1n), '1']]);
			const keys: SeriesKey[] = [newest('absent'), { ...newest(topic), field: 'absent' }, history('absent', day, hour)];
			for (const key of keys) expect(await readOne(key)).toEqual(nothing);
		});

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

		test('reads no keys', async () => {
			expect(await read([])).toEqual([]);
		});

		test('does not read samples outside the lookback', async () => {
			const topic = newTopic();
			await write(topic, [
				[ns(noon - 2 * hour.ms), '1'],
				[ns(noon), '2'],
			]);
			expect(await readOne(newest(topic))).toEqual(nothing);
			expect(await readOne(trailing(topic, hour, minute))).toEqual(nothing);
			expect(await readOne(history(topic, hour, minute))).toEqual(nothing);
		});
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

		test.each([
			['includes', 'at the start', -hour.ms, 0n],
			['excludes', 'a nanosecond before the start', -hour.ms, -1n],
			['includes', 'a nanosecond before the end', 0, -1n],
			['excludes', 'at the end', 0, 0n],
		] as const)('%s a sample %s of the range', async (rule, _, offsetMs, extraNs) => {
			const topic = newTopic();
			await write(topic, [[ns(noon + offsetMs, extraNs), '7']]);
			const time = new Date(noon + offsetMs - (extraNs < 0n ? 1 : 0)).toISOString();
			expect(await readOne(newest(topic))).toEqual(rule === 'includes' ? { points: [[time, 7]], newestAt: time } : nothing);
		});

		test('rounds the time down to whole milliseconds', async () => {
			const topic = newTopic();
			await write(topic, [[ns('2024-03-15T11:59:59.998Z', 999_999n), '7']]);
			expect(await readOne(newest(topic))).toMatchObject({ points: [['2024-03-15T11:59:59.998Z', 7]] });
		});

		test.each([
			['-12.75', -12.75],
			['0', 0],
			['1e300', 1e300],
			['5e-324', 5e-324],
			['-7i', -7],
			['0i', 0],
			['9007199254740992i', 2 ** 53],
			['9007199254740993i', 'precision'],
			['-9007199254740993i', 'precision'],
			['7u', 7],
			['18446744073709551615u', 'precision'],
			['true', 1],
			['false', 0],
			['"29"', 'not_numeric'],
			['""', 'not_numeric'],
		])('reads a value written as %s', async (text, expected) => {
			const topic = newTopic();
			await write(topic, [[ns('2024-03-15T11:59:00Z'), text]]);
			expect(await readOne(newest(topic))).toMatchObject({ points: [['2024-03-15T11:59:00.000Z', expected]] });
		});

		test('reads the later write of one instant', async () => {
			const topic = newTopic();
			for (const value of ['1', '3', '2']) await write(topic, [[ns('2024-03-15T11:59:00Z'), value]]);
			expect(await readOne(newest(topic))).toMatchObject({ points: [['2024-03-15T11:59:00.000Z', 2]] });
			expect(await readOne(history(topic, hour, hour))).toMatchObject({ points: [['2024-03-15T12:00:00.000Z', 2]] });
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
