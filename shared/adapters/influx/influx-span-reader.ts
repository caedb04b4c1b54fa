import type { SpanAggregate, SpanKey, SpanReader, SpanResult } from '#domain/ports/span-reader.ts';
import { typeFaultOf } from '../series-points.ts';
import type { Collected } from './collect.ts';
import { fluxScriptOf } from './flux-script.ts';
import type { InfluxConnection, RunQuery } from './influx-connection.ts';
import { type KnownType, knownTypeOfBits } from './known-types.ts';
import type { Samples } from './samples.ts';
import { seriesIn } from './series-groups.ts';
import { spanShapes } from './shapes.ts';
import { joinedWindows } from './shard-pieces.ts';
import { planSlots, slotResultName, slotResultsOf } from './slot-query.ts';
import { planSpans, spanResultsOf } from './span-query.ts';
import { noSpanRows, type SpanRows, spanResultOf, spanTypesOf } from './spans.ts';
import { readTyped, type TypeAt, type TypedBatch } from './typed-read.ts';

/**
 * Creates `SpanReader` in InfluxDB 2. A database is a bucket; reading one that does not exist fails. A read sends one request where all
 * series are floats or of known types, and at most 3 (shared/adapters/influx/README.md#types).
 */
export function createInfluxSpanReader({ place, types, read }: InfluxConnection): SpanReader {
	const request = async (
		database: string,
		keys: readonly SpanKey[],
		typeAt: TypeAt,
		run: RunQuery,
	): Promise<TypedBatch<SpanResult>> => {
		const streams = planSpans(keys, typeAt);
		const slotStreams = planSlots(keys, typeAt);
		const { topicColumn } = place;
		const script = [
			...streams.map((stream, index) => ({ fields: stream.fields, results: spanResultsOf(stream, index, topicColumn) })),
			...slotStreams.map((stream, index) => ({ fields: stream.fields, results: slotResultsOf(stream, index, topicColumn) })),
		];
		/** The names of the results with slots, by the position of a key. */
		const slotResults = new Map(
			slotStreams.flatMap(({ positions }, index) => positions.map((position) => [position, slotResultName(index)] as const)),
		);
		const collected: Collected = streams.length === 0 ? new Map() : await run(fluxScriptOf(database, script, place));
		const spans = new Map<number, SpanResult>();
		const misread = new Map<number, KnownType>();
		for (const { stream, index, series, field, name: seriesName, positions } of seriesIn(streams)) {
			const { key, shape } = stream;
			// The keys at these positions share all rows of the series but the slots: each length of slot has a result of its own.
			const rowsIn = (result: string) => collected.get(result)?.get(field)?.get(seriesName);
			/** The joined rows of each result: its types are asked for first, and its values then. */
			const joined = new Map<string, Samples | undefined>();
			const joinedIn = (result: string, name: SpanAggregate): Samples | undefined => {
				if (!joined.has(result)) joined.set(result, joinedWindows(key.bounds, name, rowsIn(result), rowsIn(`count${index}`)));
				return joined.get(result);
			};
			const rowsWith = (slotResult: string | undefined): SpanRows => ({
				aggregate: (name: SpanAggregate) => {
					const result = name === 'slots' ? slotResult : `${name}${index}`;
					if (result === undefined) return undefined;
					return shape === 'days' ? joinedIn(result, name) : rowsIn(result);
				},
				newest: rowsIn(`newest${index}`),
				oldest: rowsIn(`oldest${index}`),
			});
			const bits = spanTypesOf(key, rowsWith(undefined));
			const type = knownTypeOfBits(bits);
			if (type === undefined) continue;
			types.record(database, series, type);
			// What has no windows is not read again, nor what was read day by day: that is right for all numbers.
			const isMisread = typeFaultOf(bits) === undefined && spanShapes[type] !== shape && shape !== 'days';
			for (const position of positions)
				if (isMisread) misread.set(position, type);
				else spans.set(position, spanResultOf(keys[position] ?? key, shape, rowsWith(slotResults.get(position))));
		}
		// A key without rows, or with a name that is not well-formed, has a span without samples.
		return { results: keys.map((key, position) => spans.get(position) ?? spanResultOf(key, 'pushed', noSpanRows)), misread };
	};
	return {
		readSpans: async (database, keys) => {
			if (keys.length === 0) return [];
			const typeOf = (key: SpanKey) => types.get(database, key);
			return read(database, { isShort: false }, (run) =>
				readTyped(keys, typeOf, 'text', (requested, typeAt) => request(database, requested, typeAt, run)),
			);
		},
	};
}
