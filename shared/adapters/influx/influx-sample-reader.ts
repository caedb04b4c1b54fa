import type { RawSamples, SampleKey, SampleReader, SamplesResult } from '#domain/ports/sample-reader.ts';
import { nameOfSource } from '#domain/totals/join-sources.ts';
import type { Range } from '#domain/variable/window.ts';
import type { TopicPlace } from '../influx-common/topic-place.ts';
import { joinedSamples, type TypedBase, type TypeSince } from '../joined-samples.ts';
import { isMixed, typeBits, typeFaultOf, unionOfTypes } from '../series-points.ts';
import type { Collected } from './collect.ts';
import { columnList, type FluxResult, type FluxStream, fluxScriptOf, type SeriesByField, tagColumnsOf } from './flux-script.ts';
import type { InfluxConnection, RunQuery } from './influx-connection.ts';
import { type KnownType, knownTypeOfBits } from './known-types.ts';
import type { Samples } from './samples.ts';
import { groupSeries, seriesIn } from './series-groups.ts';
import { shardPiecesOf } from './shard-pieces.ts';
import { readTyped, type TypedBatch } from './typed-read.ts';

/** The results that are read of a stream. `base` is the newest sample before the range. `newest` and `oldest` tell the types at both ends of the range. */
const resultNames = ['samples', 'base', 'newest', 'oldest'] as const;

/**
 * How a series is read. `plain`: one source of one type. `sources`: several sources of one type, whose tags are kept. `days`: also of several types of
 * numbers and booleans, day by day. `types`: only what is at both ends. `changes`: only the first sample of each day, to find where the type
 * changed.
 */
type SampleShape = 'plain' | 'sources' | 'days' | 'types' | 'changes';

/** The shape that is right for a type. */
const shapes = { float: 'plain', integer: 'plain', boolean: 'plain', mixed: 'days', text: 'types' } as const satisfies Record<
	KnownType,
	SampleShape
>;

/** Largest response with samples, uncompressed: 1,000,000 rows with the longest usual names. Rows are not kept as text. */
const maxSampleBytes = 500_000_000;

type ResultName = (typeof resultNames)[number];

/**
 * Creates `SampleReader` in InfluxDB 2. A database is a bucket; reading one that does not exist fails. A count sends one request. A read
 * usually sends one, and at most 3 when types are not as they were recorded (shared/adapters/influx/README.md#types).
 */
export function createInfluxSampleReader({ place, types, read }: InfluxConnection): SampleReader {
	const runStreams = async (database: string, streams: readonly FluxStream[], run: RunQuery): Promise<Collected> =>
		streams.length === 0 ? new Map() : run(fluxScriptOf(database, streams, place));
	const request = async (
		database: string,
		keys: readonly SampleKey[],
		shapeAt: (position: number) => SampleShape | undefined,
		run: RunQuery,
	): Promise<TypedBatch<SamplesResult, SampleShape>> => {
		const shapeOf = (position = 0): SampleShape => shapeAt(position) ?? 'plain';
		const groups = groupSeries(keys, (key, position) => `${rangeTextOf(key)} ${shapeOf(position)}`);
		const streams = groups.map(
			({ key, positions, fields }, index): FluxStream => ({
				fields,
				results: resultsOf(key, index, shapeOf(positions[0]), neededColumns(place, fields)),
			}),
		);
		const collected = await runStreams(database, streams, run);
		const results: SamplesResult[] = keys.map(() => []);
		const misread = new Map<number, SampleShape>();
		for (const { stream: group, index, series, field, name: seriesName, positions } of seriesIn(groups)) {
			const rowsOf = (name: ResultName): readonly Samples[] => rowsIn(collected, `${name}${index}`, field, seriesName);
			const [base, own] = [rowsOf('base'), (['samples', 'newest', 'oldest'] as const).flatMap(rowsOf)];
			const bits = unionOfRange(own, base);
			const type = knownTypeOfBits(bits);
			if (type === undefined) continue;
			types.record(database, series, type);
			const shape = shapeOf(group.positions[0]);
			const ends = (['newest', 'oldest'] as const).flatMap(rowsOf);
			const hasSeveral = new Set([...base, ...ends].flatMap(({ runs }) => runs).map(nameOfSource)).size > 1;
			if (hasSeveral) types.recordSeveral(database, series);
			const right = rightShape(shape, bits, hasSeveral);
			const result = resultOf(shape, base, ends, rowsOf('samples'));
			for (const position of positions)
				if (right !== shape) misread.set(position, right);
				else results[position] = result;
		}
		return { results, misread };
	};

	return {
		countSamples: async (database, keys) => {
			if (keys.length === 0) return [];
			const groups = groupSeries(keys, rangeTextOf);
			// `count` drops the time, which every row needs. The end of the range takes its place.
			const streams = groups.map(({ key, fields }, index): FluxStream => {
				const steps = ['count()', 'duplicate(column: "_stop", as: "_time")', neededColumns(place, fields)];
				const tables = [{ range: rangeOf(key), steps }];
				return { fields, results: [{ name: `count${index}`, tables }] };
			});
			const collected = await read(database, { isShort: false }, (run) => runStreams(database, streams, run));
			const counts = keys.map(() => 0);
			for (const { index, field, name, positions } of seriesIn(groups)) {
				const rows = rowsIn(collected, `count${index}`, field, name);
				const count = rows.flatMap(({ values }) => values).reduce((sum, value) => sum + value, 0);
				for (const position of positions) counts[position] = count;
			}
			return counts;
		},
		readSamples: async (database, keys) => {
			if (keys.length === 0) return [];
			const shapeOf = (key: SampleKey): SampleShape => {
				const shape = shapes[types.get(database, key) ?? 'float'];
				return shape === 'plain' && types.hasSeveral(database, key) ? 'sources' : shape;
			};
			return read(database, { isShort: false, maxBytes: maxSampleBytes }, (run) =>
				readTyped(keys, shapeOf, 'types', (requested, shapeAt) => request(database, requested, shapeAt, run)),
			);
		},
	};
}

/** Returns the types of the rows of a range. Those of the bases count where they are of the same kind, or the range has no rows (`joinedSamples`). */
function unionOfRange(own: readonly Samples[], base: readonly Samples[]): number {
	const typesOf = (rows: readonly Samples[]): number => unionOfTypes(rows.map(({ types }) => types));
	const [bits, ofBase] = [typesOf(own), typesOf(base)];
	return bits === 0 || typeFaultOf(bits | ofBase) === undefined ? bits | ofBase : bits;
}

/**
 * Returns the shape in which a series has to be read, by what is at the ends of its range.
 * @param shape in which it was read
 * @param hasSeveral whether it has several sources
 */
function rightShape(shape: SampleShape, bits: number, hasSeveral: boolean): SampleShape {
	// These read whatever there is.
	if (shape === 'days' || shape === 'changes' || bits === typeBits.string) return shape;
	if (isMixed(bits)) return (bits & typeBits.string) === 0 ? 'days' : 'changes';
	return hasSeveral || shape === 'sources' ? 'sources' : 'plain';
}

/** Returns the results that are read of a stream. @param needed the step that selects the columns of samples of one source */
function resultsOf(key: SampleKey, index: number, shape: SampleShape, needed: string): readonly FluxResult[] {
	const range = rangeOf(key);
	const result = (name: ResultName, ranges: readonly Range[], columns: string, ...steps: readonly string[]): FluxResult => ({
		name: `${name}${index}`,
		tables: ranges.map((each) => ({ range: each, steps: [...steps, columns] })),
	});
	// The server refuses an empty range.
	const before = key.baseFrom === undefined || key.baseFrom >= key.from ? [] : [{ start: key.baseFrom, stop: key.from }];
	const base = before.length === 0 ? [] : [result('base', before, allTags, 'last()')];
	if (shape === 'changes') return [...base, result('oldest', shardPiecesOf(range), allTags, 'first()')];
	if (shape === 'days') return [...base, result('samples', shardPiecesOf(range), allTags)];
	return [
		...(shape === 'types' ? [] : [result('samples', [range], shape === 'sources' ? allTags : needed)]),
		...base,
		result('newest', [range], allTags, 'last()'),
		result('oldest', [range], allTags, 'first()'),
	];
}

/** The step that selects the columns that samples need. */
const neededColumns = ({ topicColumn }: TopicPlace, fields: SeriesByField): string =>
	`keep(${columnList(['_time', '_value', '_field', topicColumn, ...tagColumnsOf(fields)])})`;

/** The step that keeps every tag. Tags and starts keep samples of different types in different tables: the server refuses a table of several types. */
const allTags = `drop(${columnList(['_stop'])})`;

const rangeTextOf = ({ from, to, baseFrom }: SampleKey): string => [from, to, baseFrom].join();

/** The last millisecond belongs to the range, and Flux excludes the end. */
const rangeOf = ({ from, to }: SampleKey) => ({ start: from, stop: to + 1 });

function rowsIn(collected: Collected, result: string, field: string, name: string): readonly Samples[] {
	const rows = collected.get(result)?.get(field)?.get(name);
	return rows === undefined ? [] : [rows];
}

/** Returns the samples of a series, or their fault. `ends`: the samples at the ends of the range, which tell the types. */
function resultOf(
	shape: SampleShape,
	base: readonly Samples[],
	ends: readonly Samples[],
	rows: readonly Samples[],
): SamplesResult {
	const parts = rows.flatMap(partsIn);
	const bases = base.flatMap((samples) =>
		partsIn(samples).map((part, index): TypedBase => ({ ...part, type: samples.runs[index]?.type ?? 0 })),
	);
	const types = [...ends, ...rows].flatMap(({ runs, times }) =>
		runs.map(({ type, from }): TypeSince => [type, times[from] ?? 0]),
	);
	// The samples of a single source are read without its tags.
	const [{ tags } = { tags: [] }] = ends.flatMap(({ runs }) => runs);
	const named = shape === 'plain' ? parts.map((part) => ({ ...part, tags })) : parts;
	return joinedSamples(
		named.toSorted(({ times: [a = 0] }, { times: [b = 0] }) => a - b),
		types,
		bases,
	);
}

/** Returns the samples of each run. A sample with a fault is NaN. */
function partsIn({ times, values, faults, runs }: Samples): RawSamples {
	return runs.map(({ tags, from }, index) => {
		const to = runs[index + 1]?.from ?? times.length;
		const own = values.slice(from, to);
		return {
			tags,
			times: Float64Array.from(times.slice(from, to)),
			values: Float64Array.from(own, (value, position) => (faults.has(from + position) ? Number.NaN : value)),
		};
	});
}
