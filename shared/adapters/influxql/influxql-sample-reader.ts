import type { SampleKey, SampleReader, SamplesResult } from '#domain/ports/sample-reader.ts';
import { nameOfSource } from '#domain/totals/join-sources.ts';
import type { Range } from '#domain/variable/window.ts';
import type { TopicPlace } from '../influx-common/topic-place.ts';
import { joinedSamples, type TypeSince } from '../joined-samples.ts';
import { typeBits } from '../series-points.ts';
import type { AnswerRows, InfluxqlStatement } from './answer.ts';
import type { InfluxqlConnection } from './influxql-connection.ts';
import { casts, fieldAs, instantOf, selectOf, sourceTagsOf } from './influxql-text.ts';
import { exactNewestStatements, type FoundNewest, newestStatements, noNewest, typeOfCast } from './newest-query.ts';
import { type CellReading, mayBeInexact, readingOf } from './readings.ts';
import { foundByKey, groupTopics, type TopicGroup } from './topic-groups.ts';

/** The samples of a source, in the order of their times. */
interface FoundSource {
	readonly tags: AnswerRows['tags'];
	readonly times: number[];
	readonly values: CellReading[];
}

/** The samples of a series in its range, and the newest one of each source before it. */
interface FoundSamples {
	readonly base: FoundNewest;
	/** By the names of the sources. */
	readonly sources: Map<string, FoundSource>;
	/** The first sample of each type. */
	readonly types: TypeSince[];
}

/** Most samples of one read from InfluxDB 3, whose row in JSON has some 110 bytes and is parsed in code (shared/adapters/influxql/README.md#influxdb-3). */
const maxInfluxdb3Samples = 250_000;

type SampleGroup = TopicGroup<SampleKey, FoundSamples>;

/**
 * Creates `SampleReader` by InfluxQL. CellReading a database that does not exist fails. A count sends one request. A read sends one, and a second
 * one where numbers of 2^53 and more may be integers (shared/adapters/influxql/README.md#types).
 */
export function createInfluxqlSampleReader({ place, read, isInfluxdb3 }: InfluxqlConnection): SampleReader {
	return {
		countSamples: async (database, keys) => {
			if (keys.length === 0) return [];
			const groups = groupTopics(keys, place, rangeTextOf, () => ({ count: 0 }));
			const statements = groups.flatMap(({ keys: [key], field, found, foundOf }) =>
				key === undefined
					? []
					: casts.map((cast) => ({
							text: `${selectOf(`count(${fieldAs(field, cast)})`, [...found.keys()], rangeOf(key), place)} GROUP BY *`,
							read: (rows: AnswerRows) => {
								for (const each of foundOf(rows)) each.count += Number(readingOf(rows.columns[1]?.[0]));
							},
						})),
			);
			await read(database, { isShort: false }, (run) => run(statements));
			const found = foundByKey(groups);
			return keys.map((key) => found.get(key)?.count ?? 0);
		},
		maxSamples: () => (isInfluxdb3() ? maxInfluxdb3Samples : Number.POSITIVE_INFINITY),
		readSamples: async (database, keys) => {
			if (keys.length === 0) return [];
			const groups = groupTopics(keys, place, rangeTextOf, () => ({ base: noNewest(), sources: new Map(), types: [] }));
			await read(database, { isShort: false }, async (run) => {
				await run(groups.flatMap((group) => sampleStatements(group, place)));
				await run(
					groups.flatMap((group) => [
						...exactNewestStatements(group, place, ({ base }) => base),
						...exactSampleStatements(group, place),
					]),
				);
			});
			const found = foundByKey(groups);
			return keys.map((key) => resultOf(found.get(key)));
		},
	};
}

const rangeTextOf = ({ from, to, baseFrom }: SampleKey): string => [from, to, baseFrom].join();

/** The last millisecond belongs to the range. */
const rangeOf = ({ from, to }: SampleKey): Range => ({ start: from, stop: to + 1 });

/** Returns the statements that read numbers and truth values, the first text, and the newest samples before the range. */
function sampleStatements(group: SampleGroup, place: TopicPlace): readonly InfluxqlStatement[] {
	const { keys, field, found, foundOf } = group;
	const [key] = keys;
	if (key === undefined) return [];
	const select = (what: string): string => `${selectOf(what, [...found.keys()], rangeOf(key), place)} GROUP BY *`;
	const samples = (['float', 'boolean'] as const).map((cast) => ({
		text: select(fieldAs(field, cast)),
		read: (rows: AnswerRows) => {
			for (const each of foundOf(rows)) addSamples(each, rows, typeOfCast[cast], place);
		},
	}));
	const text = {
		text: select(`first(${fieldAs(field, 'string')})`),
		read: (rows: AnswerRows) => {
			for (const { types } of foundOf(rows)) types.push([typeBits.string, instantOf(rows.columns[0]?.[0]).ms]);
		},
	};
	const before = key.baseFrom === undefined ? [] : [{ start: key.baseFrom, stop: key.from }];
	const base = before.flatMap((range) => newestStatements(group, range, place, (each) => each.base));
	return [...samples, text, ...base];
}

function addSamples({ sources, types }: FoundSamples, rows: AnswerRows, type: number, place: TopicPlace): void {
	const source = sourceIn(sources, rows, place);
	const [times = [], cells = []] = rows.columns;
	if (source.times.length === 0 || types.every(([each]) => each !== type)) types.push([type, instantOf(times[0]).ms]);
	for (const [row, time] of times.entries()) {
		source.times.push(instantOf(time).ms);
		source.values.push(readingOf(cells[row]));
	}
}

/** Returns the statements that read series with large numbers once more, in their own types. */
function exactSampleStatements({ keys, field, found }: SampleGroup, place: TopicPlace): readonly InfluxqlStatement[] {
	const [key] = keys;
	const inexact = [...found].filter(([, { sources }]) => [...sources.values()].some(({ values }) => values.some(mayBeInexact)));
	return inexact.flatMap(([topic, { sources }]) => {
		if (key === undefined) return [];
		/** How many samples of each source were read, which come in the same order. */
		const done = new Map<FoundSource, number>();
		return [
			{
				text: `${selectOf(fieldAs(field), [topic], rangeOf(key), place)} GROUP BY *`,
				read: (rows: AnswerRows) => {
					const source = sourceIn(sources, rows, place);
					const [, cells = []] = rows.columns;
					const from = done.get(source) ?? 0;
					for (const [row, cell] of cells.entries()) source.values[from + row] = readingOf(cell);
					done.set(source, from + cells.length);
				},
			},
		];
	});
}

function sourceIn(sources: Map<string, FoundSource>, rows: AnswerRows, place: TopicPlace): FoundSource {
	const tags = sourceTagsOf(rows, place);
	const name = nameOfSource({ tags });
	const source = sources.get(name) ?? { tags, times: [], values: [] };
	sources.set(name, source);
	return source;
}

/** Returns the samples of a series, or their fault. A sample without a number is NaN. */
function resultOf(found: FoundSamples | undefined): SamplesResult {
	if (found === undefined) return [];
	const numberOf = (reading: CellReading): number => (typeof reading === 'number' ? reading : Number.NaN);
	const bases = [...found.base.newest.values()].map(({ tags, type, ms, value }) => ({
		tags,
		type,
		times: Float64Array.of(ms),
		values: Float64Array.of(numberOf(value)),
	}));
	const parts = [...found.sources.values()].map(({ tags, times, values }) => ({
		tags,
		times: Float64Array.from(times),
		values: Float64Array.from(values, numberOf),
	}));
	return joinedSamples(parts, found.types, bases);
}
