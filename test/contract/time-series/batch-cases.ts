import { expect, test } from 'vitest';
import type { SeriesKey } from '#domain/ports/time-series.ts';
import {
	databaseA,
	databaseB,
	day,
	type Feed,
	history,
	hour,
	newest,
	noon,
	nothing,
	ns,
	readable,
	trailing,
	unusualNames,
} from './feed.ts';

/** Tests of reading several keys: databases, topics, fields, and the order of results. */
export const batchCases = ({ newTopic, write, readOne, read }: Feed): void => {
	test('separates databases, topics and fields', async () => {
		const topic = newTopic();
		const time = ns('2024-03-15T11:30:00Z');
		await write(topic, [[time, '1']]);
		await write(topic, [[time, '2']], databaseB);
		await write(topic, [[time, '"text"']], databaseA, 'other');
		await write(`${topic}/x`, [[time, '3']]);
		const point = (value: unknown) => ({ points: [['2024-03-15T11:30:00.000Z', value]] });
		expect(await readOne(newest(topic))).toMatchObject(point(1));
		expect(await readOne(newest(topic), noon, databaseB)).toMatchObject(point(2));
		expect(await readOne({ ...newest(topic), field: 'other' })).toMatchObject(point('not_numeric'));
		expect(await readOne(newest(`${topic}/x`))).toMatchObject(point(3));
	});

	test.each(unusualNames)('reads a topic and a field named %j', async (text) => {
		await write(text, [[ns('2024-03-15T11:30:00Z'), '5']], databaseA, text);
		const key: SeriesKey = { ...newest(text), field: text };
		expect(await readOne(key)).toMatchObject({ points: [['2024-03-15T11:30:00.000Z', 5]] });
	});

	test('returns results in the order of the keys, and reads the others when one series cannot be read', async () => {
		const [good, text] = [newTopic(), newTopic()];
		await write(good, [[ns('2024-03-15T11:30:00Z'), '5']]);
		await write(text, [[ns('2024-03-15T11:30:00Z'), '"a"']]);
		const keys = [
			history(text, hour, hour),
			newest(good),
			trailing(good, hour, hour),
			newest('absent'),
			history(good, day, hour),
			newest(good),
		];
		const results = await read(keys);
		const end = '2024-03-15T12:00:00.000Z';
		const newestAt = '2024-03-15T11:30:00.000Z';
		expect(results.map(readable)).toEqual([
			{ fault: 'not_numeric' },
			{ points: [[newestAt, 5]], newestAt },
			{ points: [[end, 5]], newestAt },
			nothing,
			{ points: [[end, 5]], newestAt },
			{ points: [[newestAt, 5]], newestAt },
		]);
	});
};
