import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Definition } from '#domain/ports/schema-store.ts';
import type { CatalogSeries, TopicCatalog } from '#domain/ports/topic-catalog.ts';
import { describeTopics } from '#domain/use-cases/describe-topics.ts';
import { type ListedSeries, listTopics, type TopicQuestion } from '#domain/use-cases/list-topics.ts';
import type { Tags } from '#domain/variable/tags.ts';
import { makeQuery, makeVariable } from '#test/support/builders/builders.ts';

const now = Date.UTC(2026, 10, 21, 12);
const owner = { schema: 's', database: 'd' };

const seriesOf = (topic: string, tags: Tags = {}, field = 'value'): CatalogSeries => ({
	...{ topic, field, tags, type: 'float', newestAt: now - 1000, newestValue: 0 },
});

/** A catalog of topics with one field, which tells what it was asked. */
const catalogOf = (topics: readonly string[], times: Readonly<Record<string, readonly number[]>> = {}) => {
	const asked: { topics: number[]; ranges: [number, readonly string[]][] } = { topics: [], ranges: [] };
	const catalog: TopicCatalog = {
		topics: async () => [...new Set(topics)].sort(),
		newest: async (_, names) => {
			asked.topics.push(names.length);
			return names.filter((name) => topics.includes(name)).map((name) => seriesOf(name));
		},
		newestTimes: async (_, series, { start }, count) => {
			asked.ranges.push([now - start, series.map(({ topic }) => topic)]);
			return series.map(({ topic }) => (times[topic] ?? []).filter((time) => time >= start).slice(-count));
		},
	};
	return { catalog, asked };
};

const reading = (id: number, ...topics: readonly string[]) => {
	const queries = topics.map((topic, index) => [`q${index}`, makeQuery({ calc_topic: topic, calc_field: 'value' })] as const);
	return { variable: { ...makeVariable({ id }), varsTsdb: new Map(queries) }, version: 1, deleting: false };
};
const definitions = (...rows: readonly Definition[]) => ({
	get: async () => new Map(rows.map((row) => [row.variable.id, row])),
});

const ask = (fields: Partial<TopicQuestion> = {}): TopicQuestion => ({
	prefix: '',
	search: '',
	limit: 100,
	after: null,
	...fields,
});

describe('listTopics', () => {
	test('pages hold each topic that fits once, in order, whatever the names are', async () => {
		const names = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('a', 'A', '"', 'a\nb', '__proto__', '💧', '\uffff'));
		let topicsSeen = 0;
		await fc.assert(
			fc.asyncProperty(
				fc.array(names, { maxLength: 30 }),
				fc.integer({ min: 1, max: 9 }),
				fc.oneof(fc.constant(''), names),
				async (topics, limit, search) => {
					const deps = { catalog: catalogOf(topics).catalog, definitions: definitions() };
					const found: string[] = [];
					for (let after: TopicQuestion['after'] = null, isFirst = true; isFirst || after !== null; isFirst = false) {
						const page = await listTopics(deps, owner, ask({ search, limit, after }), now);
						expect(page.series.length).toBeLessThanOrEqual(limit);
						found.push(...page.series.map(({ topic }) => topic));
						after = page.next;
					}
					const wanted = topics.filter((topic) => topic !== '' && topic.toLowerCase().includes(search.toLowerCase()));
					expect(found).toEqual([...new Set(wanted)].sort());
					topicsSeen += found.length;
				},
			),
		);
		expect(topicsSeen).toBeGreaterThan(20);
	});

	test('reads the newest samples of one page only, and names the variables by ascending id', async () => {
		const { catalog, asked } = catalogOf(Array.from({ length: 5000 }, (_, index) => `t/${String(index).padStart(4, '0')}`));
		const rows = [reading(9, 't/0000', 'elsewhere'), reading(2, 't/0000', 't/0001'), reading(5, 't/0000')];
		const { series, next } = await listTopics({ catalog, definitions: definitions(...rows) }, owner, ask({ limit: 3 }), now);
		expect(series.map(({ topic, variables }) => [topic, variables])).toEqual([
			['t/0000', [2, 5, 9]],
			['t/0001', [2]],
			['t/0002', []],
		]);
		expect([next, asked.topics]).toEqual([{ topic: 't/0002' }, [3]]);
	});

	test('lists each tag set in a row, with the variables that read it, and goes on within a topic', async () => {
		const tagSets = Array.from({ length: 7000 }, (_, index) => ({ host: 'gw', slave_id: String(index) }));
		const catalog: TopicCatalog = {
			...catalogOf(['a', 'modbus', 'z']).catalog,
			newest: async (_, topics) =>
				topics.flatMap((topic) => (topic === 'modbus' ? tagSets.map((tags) => seriesOf(topic, tags)) : [seriesOf(topic)])),
		};
		const ofTags = (id: number, tags: Tags) => {
			const query = makeQuery({ calc_topic: 'modbus', calc_field: 'value', calc_tags: tags });
			return { ...reading(id), variable: { ...makeVariable({ id }), varsTsdb: new Map([['q', query]]) } };
		};
		const rows = [
			ofTags(4, { slave_id: '6999' }),
			ofTags(3, { host: 'gw' }),
			ofTags(5, { slave_id: '1', unit: '' }),
			reading(2, 'modbus'),
		];
		const found: ListedSeries[] = [];
		const pages: number[] = [];
		for (let after: TopicQuestion['after'] = null, isFirst = true; isFirst || after !== null; isFirst = false) {
			const page = await listTopics({ catalog, definitions: definitions(...rows) }, owner, ask({ limit: 2, after }), now);
			found.push(...page.series);
			pages.push(page.series.length);
			after = page.next;
		}
		expect(pages).toEqual([5000, 2002]);
		expect(new Set(found.map(({ topic, tags }) => `${topic} ${tags['slave_id']}`)).size).toBe(7002);
		const of = (id: string) => found.find(({ tags }) => tags['slave_id'] === id);
		expect(of('6999')).toMatchObject({ variables: [2, 3, 4], tagSets: 7000 });
		expect(of('1')).toMatchObject({ variables: [2, 3, 5] });
		expect(found[0]).toMatchObject({ topic: 'a', variables: [], tagSets: 1 });
	});

	test('goes on after a tag set whose text is that of another one', async () => {
		const twins: readonly Tags[] = [{ a: '1,b=2' }, { a: '1', b: '2' }];
		const before = Array.from({ length: 4999 }, (_, index) => ({ a: `0${index}` }));
		const series = [...twins, ...before].map((tags) => seriesOf('t', tags));
		const deps = { catalog: { ...catalogOf(['t']).catalog, newest: async () => series }, definitions: definitions() };
		const first = await listTopics(deps, owner, ask(), now);
		const second = await listTopics(deps, owner, ask({ after: first.next }), now);
		expect([...first.series.slice(-1), ...second.series].map(({ tags }) => tags)).toEqual(twins.toReversed());
		expect(second.next).toBeNull();
	});

	test('leaves out what no variable can name', async () => {
		const [longest, longer] = ['x'.repeat(1000), 'y'.repeat(1001)];
		const { catalog } = catalogOf(['', longest, longer, '💧'.repeat(1000)]);
		const { series } = await listTopics({ catalog, definitions: definitions() }, owner, ask(), now);
		expect(series.map(({ topic }) => topic)).toEqual([longest, '💧'.repeat(1000)]);
	});
});

describe('describeTopics', () => {
	const every = (stepMs: number, count: number, ageMs = 1000): readonly number[] =>
		Array.from({ length: count }, (_, index) => now - ageMs - (count - 1 - index) * stepMs);

	test('reads a day only of those that have fewer than two samples in the last hour', async () => {
		const times = {
			fast: every(1000, 3000),
			slow: every(3 * 3_600_000, 5),
			once: every(1000, 1),
			steps: [now - 90_000, now - 1000],
		};
		const { catalog, asked } = catalogOf(['fast', 'slow', 'once', 'steps'], times);
		const names = ['slow', 'fast', 'once', 'steps', 'none'].map((topic) => ({ topic, field: 'value' }));
		const found = await describeTopics({ catalog, definitions: definitions(reading(3, 'none')) }, owner, names, now);
		expect(
			found.map(({ topic, intervalMs, catalogEntry, variables }) => [topic, intervalMs, catalogEntry !== null, variables]),
		).toEqual([
			['slow', 3 * 3_600_000, true, []],
			['fast', 1000, true, []],
			['once', null, true, []],
			['steps', 89_000, true, []],
			['none', null, false, [3]],
		]);
		expect(asked.ranges).toEqual([
			[3_600_000, ['slow', 'fast', 'once', 'steps']],
			[24 * 3_600_000, ['slow', 'once']],
		]);
	});

	test('tells the tag sets with the asked tags as one, the newest of them', async () => {
		const sets: readonly CatalogSeries[] = [
			seriesOf('t', { site: 'b', unit: '1' }),
			{ ...seriesOf('t', { site: 'a' }), newestAt: now - 2000, newestValue: 5 },
			{ ...seriesOf('t', { site: 'b' }), newestAt: now - 3000, type: 'integer' },
		];
		const catalog: TopicCatalog = { ...catalogOf([]).catalog, newest: async () => sets };
		const names = [{}, { site: 'a' }, { site: 'b' }, { site: 'b', unit: '' }, { site: 'c' }].map((tags) => ({
			topic: 't',
			field: 'value',
			tags,
		}));
		const found = await describeTopics({ catalog, definitions: definitions() }, owner, names, now);
		expect(found.map(({ catalogEntry }) => catalogEntry && [catalogEntry.tagSets, catalogEntry.type, catalogEntry.tags])).toEqual(
			[
				[3, 'mixed', { site: 'b', unit: '1' }],
				[1, 'float', { site: 'a' }],
				[2, 'mixed', { site: 'b', unit: '1' }],
				[1, 'integer', { site: 'b' }],
				null,
			],
		);
	});
});
