import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SampleKey, SampleReader, SamplesResult } from '#domain/ports/sample-reader.ts';
import type { SpanKey, SpanReader } from '#domain/ports/span-reader.ts';
import type { SeriesKey } from '#domain/ports/time-series.ts';
import { nameOfSource } from '#domain/totals/join-sources.ts';
import { choosesTagSet, sortedTags, type Tags } from '#domain/variable/tags.ts';
import { firstSeed } from '#test/support/cases.ts';
import type { OpenTimeSeries } from './time-series/feed.ts';
import { databaseA, history, hour, minute, newest, noon, ns, sampleWriter, type TopicTag, trailing } from './time-series/feed.ts';
import type { OpenTopicCatalog } from './topic-catalog.ts';

/** An engine under test, by all its ports. */
export interface OpenEngine extends OpenTimeSeries, OpenTopicCatalog {
	readonly spanReader: SpanReader;
	readonly sampleReader: SampleReader;
}

const keys = ['site', 'slave_id', 'Area', 'k =,"x\'\\y', 'cañería 💧', 'constructor'];
const values = ['a', '1', 'a b', 'c,d=e', `"it's" \u0024{x}`, 'C:\\pump', '💧'];
const escapeTag = (text: string): string => text.replace(/[,= ]/g, '\\$&');
/** Returns the tags of a line of line protocol, where there are any. */
const lineTags = (tags: Tags): readonly [string?] => {
	const pairs = Object.entries(tags).map(([key, value]) => `${escapeTag(key)}=${escapeTag(value)}`);
	return pairs.length === 0 ? [] : [pairs.join()];
};

const tagSets = fc
	.dictionary(fc.constantFrom(...keys), fc.constantFrom(...values), { maxKeys: 3 })
	.map((tags) => sortedTags(Object.entries(tags)));
const choices = fc
	.dictionary(fc.constantFrom(...keys), fc.constantFrom('', ...values), { minKeys: 1, maxKeys: 2 })
	.map((tags) => sortedTags(Object.entries(tags)));
const written = fc.array(
	fc.record({ tags: tagSets, ages: fc.uniqueArray(fc.integer({ min: 1, max: 55 }), { minLength: 1, maxLength: 4 }) }),
	{ minLength: 1, maxLength: 7 },
);

/** The type of a field. Topics in a tag share a measurement, so that all have one type there. */
const fieldKinds = ['float', 'integer', 'boolean'] as const;
const print = (kind: (typeof fieldKinds)[number], value: number): string => {
	if (kind === 'float') return String(value);
	return kind === 'integer' ? `${Math.floor(8 * value)}i` : String(Math.floor(value) % 2 === 0);
};

/**
 * Defines the tests of tags that every engine must pass: what is read by tags is what is read without them where only the series with these
 * tags were written.
 */
export const tagsContract = (
	name: string,
	open: () => Promise<OpenEngine>,
	{ runs, topicTag }: { readonly runs: number; readonly topicTag?: TopicTag },
): void => {
	describe(`tags: ${name}`, () => {
		let opened: OpenEngine;
		beforeAll(async () => {
			opened = await open();
		});
		afterAll(() => opened.close());
		const { newTopic, write } = sampleWriter(() => opened, topicTag);
		const kinds = topicTag === undefined ? fc.constantFrom(...fieldKinds) : fc.constant('float' as const);

		const seriesKeys = (topic: string): readonly SeriesKey[] => [
			newest(topic),
			newest(topic, { ms: 20 * minute.ms }),
			{ ...newest(topic), bySource: true },
			history(topic, hour, minute, 'last'),
			history(topic, hour, { ms: 10 * minute.ms }, 'mean'),
			{ ...history(topic, hour, minute, 'last'), bySource: true },
			trailing(topic, hour, { ms: 30 * minute.ms }, 'mean'),
		];
		const bounds = [noon - hour.ms, noon - 20 * minute.ms, noon];
		const spanKey = (topic: string): SpanKey => ({
			topic,
			field: 'value',
			bounds,
			aggregates: ['mean', 'min', 'last', 'count', 'slots'],
			slotMs: minute.ms,
		});
		const sampleKey = (topic: string): SampleKey => ({
			topic,
			field: 'value',
			from: noon - 30 * minute.ms,
			to: noon,
			baseFrom: noon - hour.ms,
		});
		const comparable = (samples: SamplesResult) =>
			'fault' in samples
				? samples
				: samples.map((source) => [nameOfSource(source), [...source.times], [...source.values]]).sort();

		/** Reads everything of some series in one call of each port. */
		const readAll = async (series: readonly { readonly topic: string; readonly tags?: Tags }[]) => {
			const each = <Key>(keysOf: (topic: string) => Key) =>
				series.map(({ topic, tags }) => ({ ...keysOf(topic), ...(tags === undefined ? {} : { tags }) }));
			const { timeSeries, spanReader, sampleReader, topicCatalog } = opened;
			const perSeries = seriesKeys('').length;
			const all = series.flatMap(({ topic, tags }) =>
				seriesKeys(topic).map((key) => ({ ...key, ...(tags === undefined ? {} : { tags }) })),
			);
			const read = await timeSeries.read(databaseA, all, noon);
			const spans = await spanReader.readSpans(databaseA, each(spanKey));
			const counts = await sampleReader.countSamples(databaseA, each(sampleKey));
			const samples = await sampleReader.readSamples(databaseA, each(sampleKey));
			const names = each((topic) => ({ topic, field: 'value' }));
			const times = await topicCatalog.newestTimes(databaseA, names, { start: noon - hour.ms, stop: noon }, 3);
			return series.map((_, index) => ({
				series: read.slice(index * perSeries, (index + 1) * perSeries),
				span: spans[index],
				count: counts[index],
				samples: comparable(samples[index] ?? []),
				times: times[index],
			}));
		};

		test('choose what would be read if nothing else were written', async () => {
			let chosen = 0;
			let several = 0;
			await fc.assert(
				fc.asyncProperty(written, fc.array(choices, { minLength: 1, maxLength: 4 }), kinds, async (sources, asked, kind) => {
					const unique = [...new Map(sources.map((source) => [JSON.stringify(source.tags), source])).values()];
					const topic = newTopic();
					const writeAs = (to: string, own: typeof unique) =>
						own.length === 0
							? undefined
							: write(
									to,
									own.flatMap(({ tags, ages }) =>
										ages.map(
											(age) =>
												[
													ns(noon - age * minute.ms),
													print(kind, age + unique.findIndex((each) => each.tags === tags) / 8),
													...lineTags(tags),
												] as const,
										),
									),
								);
					await writeAs(topic, unique);
					const shadows = asked.map((tags) => ({
						tags,
						shadow: newTopic(),
						own: unique.filter((source) => choosesTagSet(tags, source.tags)),
					}));
					for (const { shadow, own } of shadows) await writeAs(shadow, own);
					const found = await readAll([{ topic }, ...asked.map((tags) => ({ topic, tags }))]);
					const expected = await readAll([{ topic }, ...shadows.map(({ shadow }) => ({ topic: shadow }))]);
					expect(found).toEqual(expected);
					// What the first read found of series chooses how the second one reads.
					expect(await readAll([{ topic }, ...asked.map((tags) => ({ topic, tags }))])).toEqual(expected);
					chosen += shadows.filter(({ own }) => own.length > 0).length;
					several += shadows.filter(({ own }) => own.length > 1).length;
				}),
				{ seed: firstSeed, numRuns: runs },
			);
			expect(chosen).toBeGreaterThan(0);
			if (runs > 30) expect(several).toBeGreaterThan(0);
		});

		test('choose among 90 sources by 8 tags each in one read', async () => {
			const topic = newTopic();
			const sets = Array.from({ length: 90 }, (_, index) =>
				sortedTags(
					Array.from({ length: 8 }, (__, tag) => [`tag${tag}`, `v${(index >> tag) & 1}${tag === 7 ? index : ''}`] as const),
				),
			);
			await write(
				topic,
				sets.map((tags, index) => [ns(noon - minute.ms), String(index), ...lineTags(tags)] as const),
			);
			const results = await opened.timeSeries.read(
				databaseA,
				sets.map((tags) => ({ ...newest(topic), tags })),
				noon,
			);
			expect(results.map((result) => ('values' in result ? result.values : result))).toEqual(sets.map((_, index) => [index]));
			const means = await opened.timeSeries.read(
				databaseA,
				sets.map((tags) => ({ ...history(topic, hour, hour), tags })),
				noon,
			);
			expect(means.map((result) => ('values' in result ? result.values : result))).toEqual(sets.map((_, index) => [index]));
		});

		test('of the same name in several measurements, and several sources that still have the tags', async () => {
			const [a, b] = [newTopic(), newTopic()];
			for (const [topic, value] of [
				[a, 1],
				[b, 10],
			] as const)
				await write(topic, [
					[ns(noon - minute.ms), String(value), 'host=x,site=1'],
					[ns(noon - minute.ms), String(value + 1), 'host=y,site=1'],
					[ns(noon - minute.ms), String(value + 2), 'host=x,site=2'],
				]);
			const read = async (topic: string, tags: Tags) => {
				const [result] = await opened.timeSeries.read(databaseA, [{ ...newest(topic), tags }], noon);
				return result !== undefined && 'values' in result ? (result.faults.get(0) ?? result.values[0] ?? null) : result;
			};
			expect(await read(a, { site: '2' })).toBe(3);
			expect(await read(b, { site: '2' })).toBe(12);
			expect(await read(a, { host: 'x', site: '1' })).toBe(1);
			expect(await read(a, { site: '1' })).toBe('several_series');
			expect(await read(a, { site: '3' })).toBe(null);
			expect(await read(a, { absent: '', host: 'y' })).toBe(2);
			// The tag with the topic chooses nothing, nor does a name that cannot exist, and a measurement only where it is not the topic.
			expect(await read(a, { [topicTag?.key ?? '_measurement']: a })).toBe(null);
			expect(await read(a, { host: 'half\ud83d' })).toBe(null);
			expect(await read(a, { time: 'x' })).toBe(null);
			expect(await read(a, { _measurement: topicTag?.measurement ?? '', site: '2' })).toBe(3);
			expect(await read(a, { _measurement: 'other', site: '2' })).toBe(null);
			expect(await read(a, { 'a\nb': '\u0001' })).toBe(null);
		});
	});
};
