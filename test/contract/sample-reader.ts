import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SampleKey, SampleReader, SamplesResult, SourceSamples } from '#domain/ports/sample-reader.ts';
import { foldSignal } from '#domain/totals/fold-signal.ts';
import { joinSources, severalInWindows } from '#domain/totals/join-sources.ts';
import { firstSeed } from '#test/support/cases.ts';
import { sourceCases, sourceOracle } from '#test/support/totals/source-oracle.ts';
import { type AbsentDatabase, type Ask, sampleRules, type Told } from './sample-rules.ts';
import { at, databaseA, ns, type OpenSamples, sampleWriter, type TopicTag } from './time-series/feed.ts';

/** An adapter of `SampleReader` under test. */
export interface OpenSampleReader extends OpenSamples {
	readonly sampleReader: SampleReader;
}

const [from, to] = [at('2024-03-15T11:00:00Z'), at('2024-03-15T12:00:00Z')];
const weekAgo = at('2024-03-08T11:00:00Z');
/** Weeks before the range: InfluxDB has one type for each field in a week. */
const baseAt = at('2024-02-15T11:30:00Z');
/** The pair of a sample at `baseAt`. */
const base = (value: number, shiftMs = 0) => [(baseAt + shiftMs - from) / 1000, value];

/** Returns the samples of a source as pairs of a time after `from`, in seconds, and a value. They are ascending. */
const readablePairs = ({ times, values }: SourceSamples) => {
	expect(values).toHaveLength(times.length);
	expect(times.every((time, index) => time >= (times[index - 1] ?? time))).toBe(true);
	return Array.from(times, (time, index) => [(time - from) / 1000, values[index]]);
};

/** Returns a result as the pairs of its only source, or as those of each source by its tags. */
const readableSamples = (result: SamplesResult | undefined) => {
	if (result === undefined || 'fault' in result) return result;
	const [only] = result;
	if (only === undefined) return [];
	if (result.length === 1) return readablePairs(only);
	const nameOf = ({ tags }: SourceSamples) =>
		tags
			.filter(([name]) => name !== '_measurement')
			.map((tag) => tag.join('='))
			.sort()
			.join();
	expect(new Set(result.map(nameOf)).size).toBe(result.length);
	return Object.fromEntries(result.map((source) => [nameOf(source), readablePairs(source)]));
};

/** Asks for all samples of a range, of which the newest one tells, and how many there are. Over weeks, those of another type may not be counted. */
const askSamples =
	(sampleReader: () => SampleReader): Ask =>
	async (database, questions, to) => {
		const keys = questions.map((question) => ({ ...question, to: to - 1 }));
		const results = await sampleReader().readSamples(database, keys);
		const counts = await sampleReader().countSamples(database, keys);
		return results.map((result, index): Told => {
			if ('fault' in result) return result.fault;
			const samples = result.flatMap(({ values }) => [...values]);
			const [count = Number.NaN, { from = 0 } = {}] = [counts[index], questions[index]];
			if (from >= to - 3_600_000) expect(count).toBe(samples.length);
			else expect(count).toBeLessThanOrEqual(samples.length);
			const last = samples.at(-1) ?? null;
			return Number.isNaN(last) ? 'precision' : last;
		});
	};

/** Defines the tests that every adapter of `SampleReader` must pass. Samples are written as line protocol. */
export const sampleReaderContract = (
	name: string,
	open: () => Promise<OpenSampleReader>,
	{ topicTag, absentDatabase = 'empty' }: { readonly topicTag?: TopicTag; readonly absentDatabase?: AbsentDatabase } = {},
): void => {
	describe(`SampleReader: ${name}`, () => {
		let opened: OpenSampleReader;
		beforeAll(async () => {
			opened = await open();
		});
		afterAll(() => opened.close());

		const { newTopic, write } = sampleWriter(() => opened, topicTag);
		const key = (topic: string, others: Partial<SampleKey> = {}): SampleKey => ({ topic, field: 'value', from, to, ...others });
		sampleRules({ newTopic, write }, { samples: askSamples(() => opened.sampleReader) }, { absentDatabase });
		const readAll = async (keys: readonly SampleKey[], database = databaseA) =>
			(await opened.sampleReader.readSamples(database, keys)).map(readableSamples);
		const count = (keys: readonly SampleKey[], database = databaseA) => opened.sampleReader.countSamples(database, keys);

		test('counts no samples of a database that does not exist, or fails', async () => {
			const counted = count([key('t')], 'absent');
			if (absentDatabase === 'empty') expect(await counted).toEqual([0]);
			else await expect(counted).rejects.toMatchObject({ code: 'dependency_failed' });
		});

		test('reads the samples from the first to the last time, both inclusive, with what is beyond the millisecond', async () => {
			const topic = newTopic();
			await write(topic, [
				[ns(from - 1), '1'],
				[ns(from), '2'],
				[ns(from + 1500, 999_999n), '3'],
				[ns(to, 999_999n), '4'],
				[ns(to + 1), '5'],
			]);
			expect(await readAll([key(topic)])).toEqual([
				[
					[0, 2],
					[1.5, 3],
					[3600, 4],
				],
			]);
			expect(await count([key(topic), key(topic, { from: to, to })])).toEqual([3, 1]);
		});

		test('reads the newest sample before only where it is asked for, and as far back as that', async () => {
			const topic = newTopic();
			await write(topic, [
				[ns(weekAgo), '1'],
				[ns(weekAgo + 1000), '2'],
				[ns(from), '3'],
			]);
			const keys = [undefined, weekAgo, weekAgo + 1000, weekAgo + 1001, from].map((baseFrom) =>
				key(topic, baseFrom === undefined ? {} : { baseFrom }),
			);
			const base = [(weekAgo + 1000 - from) / 1000, 2];
			expect(await readAll(keys)).toEqual([[[0, 3]], [base, [0, 3]], [base, [0, 3]], [[0, 3]], [[0, 3]]]);
			expect(await count(keys)).toEqual([1, 1, 1, 1, 1]);
			expect(await readAll([key(topic, { from: from + 1, baseFrom: weekAgo })])).toEqual([[[0, 3]]]);
		});

		test.each([
			['text before numbers', '"off"', '5', [[0, 5]]],
			['text before truth values', '"off"', 'true', [[0, 1]]],
			['a truth value before numbers', 'true', '5i', [[0, 5]]],
			['a number before truth values', '7', 'false', [[0, 0]]],
			['a number before text', '7', '"on"', { fault: 'not_numeric' }],
			['an integer before floats', '7i', '5', [base(7), [0, 5]]],
			['text before nothing', '"off"', null, { fault: 'not_numeric' }],
			['a number before nothing', '7', null, [base(7)]],
		])(
			'takes no newest sample before of another type, which is no fault of the range: %s',
			async (_, before, value, expected) => {
				const topic = newTopic();
				await write(topic, [[ns(baseAt), before]]);
				if (value !== null) await write(topic, [[ns(from), value]]);
				const asked = key(topic, { baseFrom: at('2024-01-15T12:00:00Z') });
				// InfluxDB skips a shard of another type of numbers where it looks for the newest sample, and finds none.
				const allowed = before === '7i' ? [expected, [[0, 5]]] : [expected];
				for (const __ of ['type unknown', 'type known']) expect(allowed).toContainEqual((await readAll([asked]))[0]);
				// A read of both as one range keeps the type that it finds.
				await readAll([key(topic, { from: baseAt })]);
				expect(allowed).toContainEqual((await readAll([asked]))[0]);
			},
		);

		test.each([
			['in the range', 'own', [[0, 5]]],
			['that is older', 'own', [base(4, -1000), [0, 5]]],
		])('takes no text of a source that ended, beside a source %s', async (_, site, expected) => {
			const topic = newTopic();
			await write(topic, [[ns(at('2024-02-05T11:00:00Z')), '"off"', 'site=gone']]);
			if (expected.length > 1) await write(topic, [[ns(baseAt - 1000), '4', `site=${site}`]]);
			await write(topic, [[ns(from), '5', `site=${site}`]]);
			const asked = key(topic, { baseFrom: at('2024-01-15T12:00:00Z') });
			for (const __ of ['type unknown', 'type known']) expect(await readAll([asked])).toEqual([expected]);
		});

		test.each([
			['text', '"off"'],
			['a float', '7'],
		])('takes the newest sample before where an older one is %s', async (_, older) => {
			for (const newest of ['2024-03-05T11:00:00Z', '2024-03-12T11:00:00Z']) {
				const topic = newTopic();
				for (const [time, value] of [
					[baseAt, older],
					[at(newest), '8i'],
					[from, '9i'],
				] as const)
					await write(topic, [[ns(time), value]]);
				const pairs = [
					[(at(newest) - from) / 1000, 8],
					[0, 9],
				];
				expect(await readAll([key(topic, { baseFrom: at('2024-01-15T12:00:00Z') })])).toEqual([pairs]);
			}
		});

		test('reads the samples of each tag set as a source of its own, with the newest one before of each', async () => {
			const topic = newTopic();
			await write(topic, [
				[ns(from), '1', 'site=a,unit=1'],
				[ns(from + 1000), '2', 'site=b'],
				[ns(from + 2000), '3', 'unit=1,site=a'],
				[ns(from + 2000), '4', 'site=b'],
			]);
			const sources = {
				'site=a,unit=1': [
					[0, 1],
					[2, 3],
				],
				'site=b': [
					[1, 2],
					[2, 4],
				],
			};
			for (const _ of ['sources unknown', 'sources known']) expect(await readAll([key(topic)])).toEqual([sources]);
			expect(await count([key(topic)])).toEqual([4]);
			expect(await readAll([key(topic, { from: from + 1500, baseFrom: weekAgo })])).toEqual([sources]);
			// One of them has a sample in the range, and the other one only before it.
			await write(topic, [[ns(from + 3000), '5', 'site=b']]);
			const late = { from: from + 2500, baseFrom: weekAgo };
			expect(await readAll([key(topic, late)])).toEqual([
				{
					'site=a,unit=1': [[2, 3]],
					'site=b': [
						[2, 4],
						[3, 5],
					],
				},
			]);
			expect(await readAll([key(topic, { from: from + 2500 })])).toEqual([[[3, 5]]]);
		});

		test('tells the tags of a single source, and of a source without tags', async () => {
			const [tagged, plain] = [newTopic(), newTopic()];
			await write(tagged, [[ns(from), '1', 'site=a']]);
			await write(plain, [
				[ns(from), '1'],
				[ns(from), '2', 'site=a'],
			]);
			const [one, two] = await opened.sampleReader.readSamples(databaseA, [key(tagged), key(plain)]);
			expect(one).toMatchObject([{ tags: expect.arrayContaining([['site', 'a']]) }]);
			expect(readableSamples(two)).toEqual({ '': [[0, 1]], 'site=a': [[0, 2]] });
		});

		test('reads random sources as an oracle tells them, with the rule that joins them: 100 cases', {
			timeout: 120_000,
		}, async () => {
			const drawn = fc.sample(sourceCases, { numRuns: 100, seed: firstSeed });
			const tick = 1000;
			const written = drawn.map((each) => ({ ...each, topic: newTopic() }));
			for (const { topic, sources } of written) {
				const samples = sources.flatMap(({ tags, samples: own }) =>
					own.flatMap(({ at: second, value }) => {
						const tagText = Object.entries(tags)
							.map((tag) => tag.join('='))
							.join();
						if (value === null) return [];
						const sample = [ns(from + second * tick), `${value}`] as const;
						return [tagText === '' ? sample : ([...sample, tagText] as const)];
					}),
				);
				if (samples.length > 0) await write(topic, samples);
			}
			const results = await opened.sampleReader.readSamples(
				databaseA,
				written.map(({ topic }) => key(topic)),
			);
			for (const [index, { sources, holdMs, bounds }] of written.entries()) {
				const result = results[index];
				if (result === undefined || 'fault' in result) throw new TypeError('There are samples.');
				const { signal, overlaps } = joinSources(result, from, holdMs * tick);
				const states = foldSignal(
					signal,
					bounds.map((bound) => from + bound * tick),
				);
				// Samples without a number were not written.
				const own = sources.map((source) => ({ ...source, samples: source.samples.filter(({ value }) => value !== null) }));
				for (const [window, state] of states.entries()) {
					const [start = 0, stop = 0] = [bounds[window], bounds[window + 1]];
					const expected = sourceOracle(own, holdMs, [start, stop]);
					const { known, on, starts } = expected.state;
					expect(state).toMatchObject({ known: known * tick, on: on * tick, starts });
					const [several] = severalInWindows(overlaps, [[{ start: from + start * tick, stop: from + stop * tick }]]);
					expect(several?.at).toBe(expected.several === undefined ? undefined : from + expected.several.at * tick);
					expect(several?.tags ?? []).toEqual(expected.several?.tags ?? []);
				}
			}
		});

		test('keeps the order of the samples of one millisecond', async () => {
			const topic = newTopic();
			await write(
				topic,
				[0n, 300n, 999_999n].map((beyond, index) => [ns(from, beyond), `${index % 2}`]),
			);
			expect(await readAll([key(topic)])).toEqual([
				[
					[0, 0],
					[0, 1],
					[0, 0],
				],
			]);
		});

		test.each([
			['of one source', ['site=a', 'site=a', 'site=a']],
			['of several sources', ['site=a', 'site=b', 'site=c']],
		])('reads floats and integers, signed and not, as numbers %s', async (_, tags) => {
			const topic = newTopic();
			// Weeks apart: InfluxDB has one type for each field in a week.
			const times = [at('2024-02-05T11:00:00Z'), at('2024-02-20T11:00:00Z'), from];
			for (const [index, value] of ['1.5', '2i', '3u'].entries())
				await write(topic, [[ns(times[index] ?? 0), value, tags[index] ?? '']]);
			const pairs = times.map((time, index) => [(time - from) / 1000, [1.5, 2, 3][index]]);
			const expected = tags[1] === 'site=a' ? pairs : Object.fromEntries(pairs.map((pair, index) => [tags[index], [pair]]));
			const long = { from: at('2024-02-01T00:00:00Z') };
			for (const __ of ['types unknown', 'types known']) expect(await readAll([key(topic, long)])).toEqual([expected]);
			expect(await readAll([key(topic)])).toEqual([pairs.slice(2)]);
		});

		test.each([
			['truth values after numbers', ['1', '2i', 'true'], 2],
			['text after numbers', ['1', '2i', '"x"'], 2],
			['text before numbers', ['"x"', '1', '2'], 1],
			['numbers before and after text', ['1', '"x"', '2'], 1],
			['numbers before and after truth values', ['1i', 'false', '2i'], 1],
		])('tells the first time at which the type changed: %s', async (_, values, changed) => {
			const topic = newTopic();
			const times = [at('2024-02-05T11:00:00Z'), at('2024-02-20T11:00:00Z'), from];
			for (const [index, value] of values.entries()) await write(topic, [[ns(times[index] ?? 0), value]]);
			const long = key(topic, { from: at('2024-02-01T00:00:00Z') });
			const [unknown] = await readAll([long]);
			// InfluxDB looks at both ends of the range: what lies between the same type is not seen.
			if (values[0] !== values[2] && changed === 2) expect(unknown).toEqual({ fault: 'type_changed', at: times[changed] });
			for (const __ of ['types unknown', 'types known'])
				expect([{ fault: 'type_changed', at: times[changed] }, unknown]).toContainEqual((await readAll([long]))[0]);
		});

		test('reads more samples than storage reads at once, each of them once', async () => {
			const topic = newTopic();
			const stepMs = 60;
			const values = Array.from({ length: 60_000 }, (_, index) => index);
			await write(
				topic,
				values.map((value) => [ns(from + value * stepMs), `${value}`]),
			);
			const all = key(topic, { baseFrom: weekAgo });
			expect(await count([all])).toEqual([60_000]);
			const [result] = await opened.sampleReader.readSamples(databaseA, [all]);
			const [source, ...others] = result === undefined || 'fault' in result ? [] : result;
			expect(others).toEqual([]);
			const { times = new Float64Array(), values: read = new Float64Array() } = source ?? {};
			expect(times).toHaveLength(60_000);
			expect(times.every((time, index) => time === from + index * stepMs && read[index] === index)).toBe(true);
		});
	});
};
