import { describe, expect, test } from 'vitest';
import type { SeriesKey } from '#domain/ports/time-series.ts';
import { at, day, type Feed, history, hour, minute, months, newest, noon, nothing, ns, trailing } from './feed.ts';

/** The newest sample, and that there is none. */
export const newestCases = ({ newTopic, write, readOne, read }: Feed, absentDatabase: 'empty' | 'fault'): void => {
	describe('nothing there', () => {
		test(`a database that does not exist is ${absentDatabase === 'empty' ? 'empty' : 'a fault'}`, async () => {
			const answer = readOne(newest('absent'), noon, 'contract_absent');
			if (absentDatabase === 'empty') expect(await answer).toEqual(nothing);
			else await expect(answer).rejects.toMatchObject({ code: 'dependency_failed', payload: { dependency: 'tsdb' } });
		});

		test('a topic or a field without samples', async () => {
			const topic = newTopic();
			await write(topic, [[ns(noon, -1n), '1']]);
			const keys: SeriesKey[] = [newest('absent'), { ...newest(topic), field: 'absent' }, history('absent', day, hour)];
			for (const key of keys) expect(await readOne(key)).toEqual(nothing);
		});

		test('no keys', async () => {
			expect(await read([])).toEqual([]);
		});

		test('samples outside the lookback only', async () => {
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
		test('is the newest sample, in whatever order they were written', async () => {
			const topic = newTopic();
			await write(topic, [[ns('2024-03-15T11:59:00Z'), '2.5']]);
			await write(topic, [[ns('2024-03-15T11:58:00Z'), '1.5']]);
			expect(await readOne(newest(topic))).toEqual({
				points: [['2024-03-15T11:59:00.000Z', 2.5]],
				newestAt: '2024-03-15T11:59:00.000Z',
			});
		});

		test.each([
			['at the start', -hour.ms, 0n, true],
			['a nanosecond before the start', -hour.ms, -1n, false],
			['a nanosecond before now', 0, -1n, true],
			['at now', 0, 0n, false],
		])('a sample %s of the range', async (_, offsetMs, extraNs, seen) => {
			const topic = newTopic();
			await write(topic, [[ns(noon + offsetMs, extraNs), '7']]);
			const time = new Date(noon + offsetMs - (extraNs < 0n ? 1 : 0)).toISOString();
			expect(await readOne(newest(topic))).toEqual(seen ? { points: [[time, 7]], newestAt: time } : nothing);
		});

		test('has whole milliseconds, rounded down', async () => {
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
		])('a value written as %s', async (text, expected) => {
			const topic = newTopic();
			await write(topic, [[ns('2024-03-15T11:59:00Z'), text]]);
			expect(await readOne(newest(topic))).toMatchObject({ points: [['2024-03-15T11:59:00.000Z', expected]] });
		});

		test('the later write of one instant counts', async () => {
			const topic = newTopic();
			for (const value of ['1', '3', '2']) await write(topic, [[ns('2024-03-15T11:59:00Z'), value]]);
			expect(await readOne(newest(topic))).toMatchObject({ points: [['2024-03-15T11:59:00.000Z', 2]] });
			expect(await readOne(history(topic, hour, hour))).toMatchObject({ points: [['2024-03-15T12:00:00.000Z', 2]] });
		});

		test('of two tag sets the newest sample wins; at the very same instant neither does', async () => {
			const topic = newTopic();
			await write(topic, [
				[ns('2024-03-15T11:58:00Z'), '1', 'site=a'],
				[ns('2024-03-15T11:58:00Z', 1n), '2', 'site=b'],
			]);
			expect(await readOne(newest(topic))).toMatchObject({ points: [['2024-03-15T11:58:00.000Z', 2]] });
			await write(topic, [[ns('2024-03-15T11:58:00Z', 1n), '1', 'site=a']]);
			expect(await readOne(newest(topic))).toMatchObject({ points: [['2024-03-15T11:58:00.000Z', 'several_series']] });
		});

		test('looks back by the calendar: 31 March less a month is the last of February', async () => {
			const now = at('2024-03-31T10:00:00Z');
			const topic = newTopic();
			await write(topic, [[ns('2024-02-29T10:00:00Z'), '1']]);
			expect(await readOne(newest(topic, months(1)), now)).toMatchObject({ points: [['2024-02-29T10:00:00.000Z', 1]] });
			expect(await readOne(newest(topic, months(1)), now + 1)).toEqual(nothing);
		});
	});
};
