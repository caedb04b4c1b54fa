import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CatalogSeries, TopicCatalog } from '#domain/ports/topic-catalog.ts';
import type { Tags } from '#domain/variable/tags.ts';
import type { AbsentDatabase } from './sample-rules.ts';
import {
	databaseA,
	databaseB,
	noon,
	ns,
	type OpenSamples,
	sampleWriter,
	type TopicTag,
	unusualNames,
} from './time-series/feed.ts';

/** An adapter of `TopicCatalog` under test. */
export interface OpenTopicCatalog extends OpenSamples {
	readonly topicCatalog: TopicCatalog;
}

const [second, day] = [1000, 86_400_000];

/** Defines the tests that every adapter of `TopicCatalog` must pass. Samples are written as line protocol. */
export const topicCatalogContract = (
	name: string,
	open: () => Promise<OpenTopicCatalog>,
	{
		topicTag,
		absentDatabase = 'empty',
		carriageReturns = 'kept',
	}: {
		readonly topicTag?: TopicTag;
		readonly absentDatabase?: AbsentDatabase;
		/** Flux leaves carriage returns out of its answers. InfluxQL cannot write them, so that names with one are not listed. */
		readonly carriageReturns?: 'kept' | 'left out' | 'unlisted';
	} = {},
): void => {
	describe(`TopicCatalog: ${name}`, () => {
		let opened: OpenTopicCatalog;
		beforeAll(async () => {
			opened = await open();
		});
		afterAll(() => opened.close());

		const { newTopic, write } = sampleWriter(() => opened, topicTag);
		/** The tags of a series that was written without any. */
		const noTags: Tags = topicTag === undefined ? {} : { _measurement: topicTag.measurement };
		/** Names of fields differ, because InfluxDB allows one type a week for a field of a measurement. */
		let fields = 0;
		const newField = (): string => {
			fields += 1;
			return `f${fields}`;
		};
		const newest = (topics: readonly string[], now = noon, database = databaseA) =>
			opened.topicCatalog.newest(database, topics, now);
		const inOrder = (series: readonly CatalogSeries[]) =>
			series.toSorted((a, b) => (`${a.topic} ${a.field}` < `${b.topic} ${b.field}` ? -1 : 1));
		const times = (topic: string, field: string, count = 11, start = noon - 3600 * second) =>
			opened.topicCatalog.newestTimes(databaseA, [{ topic, field }], { start, stop: noon }, count);

		test('lists each topic of a database once, silent ones too, and none of another database', async () => {
			const [own, silent, others] = [`only/${newTopic()}`, `only/${newTopic()}`, `other/${newTopic()}`];
			const now = noon + 86_400_000;
			await write(own, [
				[ns(noon - second), '1'],
				[ns(noon - 2 * second), '2', 'site=a'],
			]);
			await write(own, [[ns(noon - second), '1']], databaseA, newField());
			await write(silent, [[ns(noon - 400 * day), '1']]);
			await write(others, [[ns(noon - second), '1']], databaseB);
			const listed = await opened.topicCatalog.topics(databaseA, now);
			expect(listed.filter((each) => each.startsWith('only/')).sort()).toEqual([own, silent].sort());
			expect(listed).not.toContain(others);
			expect(await opened.topicCatalog.topics(databaseB, now)).toEqual([others]);
			expect(await newest([own], noon, databaseB)).toEqual([]);
		});

		test('tells the newest sample of every field with its type', async () => {
			const topic = newTopic();
			const [float, integer, flag, text, huge] = [newField(), newField(), newField(), newField(), newField()];
			await write(
				topic,
				[
					[ns(noon - 5 * second), '7'],
					[ns(noon - second, 999_999n), '0'],
				],
				databaseA,
				float,
			);
			await write(topic, [[ns(noon - 2 * second), '-3i']], databaseA, integer);
			await write(topic, [[ns(noon - 3 * second), 'false']], databaseA, flag);
			await write(topic, [[ns(noon - 4 * second), '"off, \\"x\\""']], databaseA, text);
			await write(topic, [[ns(noon - 4 * second), '9007199254740993i']], databaseA, huge);
			const own = { topic, tags: noTags };
			expect(inOrder(await newest([topic]))).toEqual(
				inOrder([
					{ ...own, field: float, type: 'float', newestAt: noon - second, newestValue: 0 },
					{ ...own, field: integer, type: 'integer', newestAt: noon - 2 * second, newestValue: -3 },
					{ ...own, field: flag, type: 'boolean', newestAt: noon - 3 * second, newestValue: 0 },
					{ ...own, field: text, type: 'text', newestAt: noon - 4 * second, newestValue: null },
					{ ...own, field: huge, type: 'integer', newestAt: noon - 4 * second, newestValue: null },
				]),
			);
		});

		test('tells each tag set of a field, that with the newest sample first', async () => {
			const [topic, field] = [newTopic(), newField()];
			await write(
				topic,
				[
					[ns(noon - 2 * second, 1n), '1', 'Area=n,site=a'],
					[ns(noon - 2 * second, 2n), '2', 'Area=n,site=b'],
					[ns(noon - 9 * second), '3'],
				],
				databaseA,
				field,
			);
			expect(await newest([topic])).toEqual(
				[
					{ newestAt: noon - 2 * second, newestValue: 2, tags: { Area: 'n', site: 'b' } },
					{ newestAt: noon - 2 * second, newestValue: 1, tags: { Area: 'n', site: 'a' } },
					{ newestAt: noon - 9 * second, newestValue: 3, tags: {} },
				].map(({ tags, ...rest }) => ({ topic, field, type: 'float', ...rest, tags: { ...noTags, ...tags } })),
			);
		});

		test('reads what is older than 30 days, not what is ahead of the clock, and no topic that does not exist', async () => {
			const [old, ahead, field] = [newTopic(), newTopic(), newField()];
			await write(old, [[ns(noon - 500 * day), '4']], databaseA, field);
			await write(ahead, [[ns(noon), '5']], databaseA, field);
			expect(await newest([ahead, newTopic(), old])).toMatchObject([{ topic: old, newestAt: noon - 500 * day, newestValue: 4 }]);
			expect(await newest([])).toEqual([]);
		});

		test('reads more topics than fit into one stream', async () => {
			const topics = Array.from({ length: 95 }, newTopic);
			const field = newField();
			for (const [index, topic] of topics.entries()) await write(topic, [[ns(noon - second), String(index)]], databaseA, field);
			const found = await newest(topics);
			expect(new Map(found.map(({ topic, newestValue }) => [topic, newestValue]))).toEqual(
				new Map(topics.map((topic, index) => [topic, index])),
			);
		});

		test('returns the times of the newest samples, of the tag set with the newest one', async () => {
			const [topic, field] = [newTopic(), newField()];
			await write(
				topic,
				[
					...[1, 11, 21, 4000].map((age) => [ns(noon - age * second, 5n), '1', 'site=a'] as const),
					...[2, 3, 4, 5, 6]
						.map((age) => [ns(noon - age * second), '1i', 'site=b'] as const)
						.map(([at]) => [at, '1', 'site=b'] as const),
				],
				databaseA,
				field,
			);
			expect(await times(topic, field)).toEqual([[noon - 21 * second, noon - 11 * second, noon - second]]);
			expect(await times(topic, field, 2)).toEqual([[noon - 11 * second, noon - second]]);
			expect(await times(topic, field, 9, noon - day)).toMatchObject([{ length: 4 }]);
			expect(await times(newTopic(), field)).toEqual([[]]);
			expect(await opened.topicCatalog.newestTimes(databaseA, [], { start: 0, stop: noon }, 3)).toEqual([]);
		});

		test('tells tag sets whose texts are equal apart', async () => {
			const [topic, field] = [newTopic(), newField()];
			const lines = [
				[ns(noon - second), '1', String.raw`a=1\,b\=2`],
				[ns(noon - 2 * second), '1', 'a=1,b=2'],
			] as const;
			await write(topic, lines, databaseA, field);
			expect((await newest([topic])).map(({ tags }) => tags)).toEqual(
				[{ a: '1,b=2' }, { a: '1', b: '2' }].map((tags) => ({ ...noTags, ...tags })),
			);
			expect(await times(topic, field)).toEqual([[noon - second]]);
		});

		test('keeps names with special characters, and reads nothing for names that cannot exist', async () => {
			const topics = unusualNames.map((each) => `odd/${each}`);
			for (const [index, topic] of topics.entries())
				await write(topic, [[ns(noon - second), String(index)]], databaseA, unusualNames[index]);
			const listed = await opened.topicCatalog.topics(databaseA, noon + 2 * day);
			expect(listed).toEqual(expect.arrayContaining(topics));
			const found = await newest([...topics, 'half\ud83d']);
			expect(inOrder(found)).toMatchObject(
				inOrder(
					topics.map((topic, index) => ({
						...{ topic, field: unusualNames[index] ?? '', type: 'float', tags: noTags },
						...{ newestAt: noon - second, newestValue: index },
					})),
				),
			);
			const read = await opened.topicCatalog.newestTimes(
				databaseA,
				[...topics.map((topic, index) => ({ topic, field: unusualNames[index] ?? '' })), { topic: 'half\ud83d', field: 'x' }],
				{ start: noon - 3600 * second, stop: noon },
				5,
			);
			expect(read).toEqual([...topics.map(() => [noon - second]), []]);
		});

		test('lists and reads a name with a carriage return, or never takes it for another topic', async () => {
			const [topic, plain, field] = ['return/c\rr', 'return/other', newField()];
			await write(topic, [[ns(noon - second), '1']], databaseA, field);
			await write(plain, [[ns(noon - second), '2']], databaseA, `c\r${field}`);
			const now = noon + 4 * day;
			const listed = (await opened.topicCatalog.topics(databaseA, now)).filter((each) => each.startsWith('return/'));
			const topicsListed = { kept: [topic, plain], 'left out': ['return/cr', plain], unlisted: [plain] };
			expect(listed.sort()).toEqual(topicsListed[carriageReturns]);
			const found = await newest(listed);
			const fieldsFound = {
				kept: [
					{ topic, field },
					{ topic: plain, field: `c\r${field}` },
				],
				'left out': [{ topic: plain, field: `c${field}` }],
				unlisted: [],
			};
			expect(inOrder(found)).toMatchObject(fieldsFound[carriageReturns]);
		});

		test('a database that does not exist has nothing, or is a fault', async () => {
			const read = opened.topicCatalog.topics('contract_absent', noon);
			if (absentDatabase === 'empty') expect(await read).toEqual([]);
			else await expect(read).rejects.toMatchObject({ code: 'dependency_failed' });
		});
	});
};
