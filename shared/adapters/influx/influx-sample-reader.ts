import type { SampleKey, SampleReader, SamplesResult } from '#domain/ports/sample-reader.ts';
import { isMixed, typeBits, unionOfTypes } from '../series-points.ts';
import type { Collected } from './collect.ts';
import { columnList, type FluxResult, type FluxStream, type FluxTable, fluxScriptOf, type TopicPlace } from './flux-script.ts';
import type { InfluxConnection, RunQuery } from './influx-connection.ts';
import { type KnownType, knownTypeOfBits } from './known-types.ts';
import type { Samples } from './samples.ts';
import { groupSeries, seriesIn } from './series-groups.ts';
import { spanShapes } from './span-query.ts';
import { readTyped, type TypeAt, type TypedBatch } from './typed-read.ts';

/** The results that are read of a stream. `base` is the newest sample before the range. `newest` and `oldest` tell the types at both ends of the range. */
const resultNames = ['samples', 'base', 'newest', 'oldest'] as const;

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
		typeAt: TypeAt,
		run: RunQuery,
	): Promise<TypedBatch<SamplesResult>> => {
		const onlyTypes = (position: number): boolean => spanShapes[typeAt(position) ?? 'float'] === 'types';
		const groups = groupSeries(keys, (key, position) => `${rangeTextOf(key)} ${onlyTypes(position)}`);
		const streams = groups.map(({ key, positions: [position = 0], fields }, index): FluxStream => {
			const columns = onlyTypes(position) ? allTags : neededColumns(place);
			return { fields, results: resultsOf(key, index, { onlyTypes: onlyTypes(position), columns }) };
		});
		const collected = await runStreams(database, streams, run);
		const results: SamplesResult[] = keys.map(() => joined([]));
		const misread = new Map<number, KnownType>();
		for (const { stream: group, index, topic, field, positions } of seriesIn(groups)) {
			const rowsOf = (name: ResultName): readonly Samples[] => rowsIn(collected, `${name}${index}`, field, topic);
			const bits = unionOfTypes(resultNames.flatMap(rowsOf).map((rows) => rows.types));
			const type = knownTypeOfBits(bits);
			if (type === undefined) continue;
			types.record(database, { topic, field }, type);
			// The series was recorded as text or mixed, so only its types were read. Now it has one type of numbers: its samples are needed.
			const isMisread = onlyTypes(group.positions[0] ?? 0) && spanShapes[type] !== 'types';
			const result = resultOf(bits, [...rowsOf('base'), ...rowsOf('samples')]);
			for (const position of positions)
				if (isMisread) misread.set(position, type);
				else results[position] = result;
		}
		return { results, misread };
	};

	return {
		countSamples: async (database, keys) => {
			if (keys.length === 0) return [];
			const groups = groupSeries(keys, rangeTextOf);
			// `count` drops the time, which every row needs. The end of the range takes its place.
			const steps = ['count()', 'duplicate(column: "_stop", as: "_time")', neededColumns(place)];
			const streams = groups.map(({ key, fields }, index): FluxStream => {
				const tables = [{ range: rangeOf(key), steps }];
				return { fields, results: [{ name: `count${index}`, tables }] };
			});
			const collected = await read({ isShort: false }, (run) => runStreams(database, streams, run));
			const counts = keys.map(() => 0);
			for (const { index, topic, field, positions } of seriesIn(groups)) {
				const rows = rowsIn(collected, `count${index}`, field, topic);
				const count = rows.flatMap(({ values }) => values).reduce((sum, value) => sum + value, 0);
				for (const position of positions) counts[position] = count;
			}
			return counts;
		},
		readSamples: async (database, keys) => {
			if (keys.length === 0) return [];
			const typeOf = (key: SampleKey) => types.get(database, key);
			return read({ isShort: false, maxBytes: maxSampleBytes }, (run) =>
				readTyped(keys, typeOf, (requested, typeAt) => request(database, requested, typeAt, run)),
			);
		},
	};
}

/**
 * Returns the results that are read of a stream.
 * @param columns the step that selects the columns of the response
 */
function resultsOf(
	key: SampleKey,
	index: number,
	{ onlyTypes, columns }: { readonly onlyTypes: boolean; readonly columns: string },
): readonly FluxResult[] {
	const range = rangeOf(key);
	const result = (name: ResultName, table: FluxTable): FluxResult => ({
		name: `${name}${index}`,
		tables: [{ range: table.range, steps: [...table.steps, columns] }],
	});
	// The server refuses an empty range.
	const before = key.baseFrom === undefined || key.baseFrom >= key.from ? null : { start: key.baseFrom, stop: key.from };
	return [
		...(onlyTypes ? [] : [result('samples', { range, steps: [] })]),
		...(before === null ? [] : [result('base', { range: before, steps: ['last()'] })]),
		result('newest', { range, steps: ['last()'] }),
		result('oldest', { range, steps: ['first()'] }),
	];
}

/** The step that selects the columns that samples need. */
const neededColumns = ({ topicColumn }: TopicPlace): string => `keep(${columnList(['_time', '_value', '_field', topicColumn])})`;

/**
 * The step that keeps every tag, for types alone. The tags keep samples of different types in different tables: the server refuses a
 * table of several types.
 */
const allTags = `drop(${columnList(['_stop'])})`;

const rangeTextOf = ({ from, to, baseFrom }: SampleKey): string => [from, to, baseFrom].join();

/** The last millisecond belongs to the range, and Flux excludes the end. */
const rangeOf = ({ from, to }: SampleKey) => ({ start: from, stop: to + 1 });

function rowsIn(collected: Collected, result: string, field: string, topic: string): readonly Samples[] {
	const rows = collected.get(result)?.get(field)?.get(topic);
	return rows === undefined ? [] : [rows];
}

/** Returns the samples of a series, or its fault by the set of their types. */
function resultOf(bits: number, rows: readonly Samples[]): SamplesResult {
	if (bits === typeBits.string) return { fault: 'not_numeric' };
	return isMixed(bits) ? { fault: 'type_changed' } : joined(rows);
}

/** Joins rows into arrays of numbers. A sample with a fault is NaN. */
function joined(rows: readonly Samples[]): SamplesResult {
	const count = rows.reduce((sum, { times }) => sum + times.length, 0);
	const all = { times: new Float64Array(count), values: new Float64Array(count) };
	let from = 0;
	for (const { times, values, faults } of rows) {
		all.times.set(times, from);
		all.values.set(values, from);
		for (const index of faults.keys()) all.values[from + index] = Number.NaN;
		from += times.length;
	}
	return all;
}
