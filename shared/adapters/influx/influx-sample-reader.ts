import type { SampleKey, SampleReader, SamplesResult } from '#domain/ports/sample-reader.ts';
import { isMixed, typeBits } from '../series-points.ts';
import type { Collected } from './collect.ts';
import { columnList, type FluxResult, type FluxStream, fluxScriptOf } from './flux-script.ts';
import type { InfluxConnection, RunQuery } from './influx-connection.ts';
import { type KnownType, knownTypeOfBits } from './known-types.ts';
import type { Samples } from './samples.ts';
import { groupSeries, type SeriesGroup } from './series-groups.ts';
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
	const request = async (
		database: string,
		keys: readonly SampleKey[],
		typeAt: TypeAt,
		run: RunQuery,
	): Promise<TypedBatch<SamplesResult>> => {
		const onlyTypes = (position: number): boolean => spanShapes[typeAt(position) ?? 'float'] === 'types';
		const groups = groupSeries(keys, (key, position) => `${rangeTextOf(key)} ${onlyTypes(position)}`);
		const collected = await runStreams(database, keys, groups, run, (key, index, position) =>
			resultsOf(key, index, onlyTypes(position)),
		);
		const results: SamplesResult[] = keys.map(() => joined([]));
		const misread = new Map<number, KnownType>();
		for (const [index, { positions, fields }] of groups.entries())
			for (const [field, topics] of fields)
				for (const [topic, own] of topics) {
					const rowsOf = (name: ResultName): readonly Samples[] => rowsIn(collected, `${name}${index}`, field, topic);
					const bits = resultNames.flatMap(rowsOf).reduce((all, rows) => all | rows.types, 0);
					const type = knownTypeOfBits(bits);
					if (type === undefined) continue;
					types.record(database, { topic, field }, type);
					// The series was recorded as text or mixed, so only its types were read. Now it has one type of numbers: its samples are needed.
					const isMisread = onlyTypes(positions[0] ?? 0) && spanShapes[type] !== 'types';
					const result = resultOf(bits, [...rowsOf('base'), ...rowsOf('samples')]);
					for (const position of own)
						if (isMisread) misread.set(position, type);
						else results[position] = result;
				}
		return { results, misread };
	};

	/** Sends one script with a stream for each group of series. The first key of a group stands for all: their ranges are equal. */
	const runStreams = async (
		database: string,
		keys: readonly SampleKey[],
		groups: readonly SeriesGroup[],
		run: RunQuery,
		resultsAt: (key: SampleKey, index: number, position: number) => readonly FluxResult[],
	): Promise<Collected> => {
		const streams = groups.flatMap(({ positions: [position = 0], fields }, index): readonly FluxStream[] =>
			keys.slice(position, position + 1).map((key) => ({ fields, results: resultsAt(key, index, position) })),
		);
		return streams.length === 0 ? new Map() : run(fluxScriptOf(database, streams, place));
	};

	/**
	 * Returns the results that are read of a stream. For types alone every tag is kept, because the tags keep samples of different types
	 * in different tables. The server refuses a table of several types.
	 */
	const resultsOf = (key: SampleKey, index: number, onlyTypes: boolean): readonly FluxResult[] => {
		const columns = onlyTypes ? `drop(${columnList(['_stop'])})` : keep;
		const range = rangeOf(key);
		const result = (name: ResultName, table: FluxResult['tables'][number]): FluxResult => ({
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
	};
	/** The step that selects the columns that are needed. */
	const keep = `keep(${columnList(['_time', '_value', '_field', place.topicColumn])})`;

	return {
		countSamples: async (database, keys) => {
			if (keys.length === 0) return [];
			const groups = groupSeries(keys, rangeTextOf);
			const steps = ['count()', 'duplicate(column: "_stop", as: "_time")', keep];
			const collected = await read({ isShort: false }, (run) =>
				runStreams(database, keys, groups, run, (key, index) => [
					{ name: `count${index}`, tables: [{ range: rangeOf(key), steps }] },
				]),
			);
			const counts = keys.map(() => 0);
			for (const [index, { fields }] of groups.entries())
				for (const [field, topics] of fields)
					for (const [topic, own] of topics) {
						const rows = rowsIn(collected, `count${index}`, field, topic);
						const count = rows.flatMap(({ values }) => values).reduce((sum, value) => sum + value, 0);
						for (const position of own) counts[position] = count;
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
