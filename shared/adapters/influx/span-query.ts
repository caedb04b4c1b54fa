import type { SpanKey } from '#domain/ports/span-reader.ts';
import { aggregates, type WindowAggregate } from '#domain/variable/aggregates.ts';
import type { Range } from '#domain/variable/window.ts';
import { aggregateStep, fluxAggregates } from './flux-aggregates.ts';
import { columnList, type FluxResult, type FluxTable, type SeriesByField, tagColumnsOf } from './flux-script.ts';
import { groupSeries } from './series-groups.ts';
import { type SpanShape, spanShapes } from './shapes.ts';
import { pieceBounds, shardPiecesOf } from './shard-pieces.ts';
import type { TypeAt } from './typed-read.ts';
import { runsOf, type WindowRun } from './window-runs.ts';

/** At most 40 series of which the same aggregates, apart from `slots`, are read over the same windows. */
export interface SpanStream {
	/** The key of one of its series. */
	readonly key: SpanKey;
	readonly shape: SpanShape;
	readonly fields: SeriesByField;
}

/**
 * Groups `keys` into streams: those of one array of bounds and equal aggregates apart from `slots`, which `planSlots` groups. A series of
 * unknown type is read as floats.
 */
export function planSpans(keys: readonly SpanKey[], typeAt: TypeAt): readonly SpanStream[] {
	// Keys of one request share the array of bounds, so its position stands for it.
	const grids = [...new Set(keys.map(({ bounds }) => bounds))];
	const shapeAt = (position: number): SpanShape => spanShapes[typeAt(position) ?? 'float'];
	const groups = groupSeries(keys, (key, position) =>
		[shapeAt(position), grids.indexOf(key.bounds), ...withoutSlots(key).toSorted()].join(),
	);
	return groups.map(({ key, positions: [position = 0], fields }) => ({ key, shape: shapeAt(position), fields }));
}

/**
 * Returns the results to read for a stream, apart from `slots` (shared/adapters/influx/README.md#shapes). `newest` and `oldest` tell its types
 * and the time of the newest sample.
 */
export function spanResultsOf({ key, shape, fields }: SpanStream, index: number, topicColumn: string): readonly FluxResult[] {
	const runs = runsOf(key.bounds);
	const columns = ['_time', '_value', '_field', topicColumn, ...tagColumnsOf(fields)];
	const keep = shape === 'days' || shape === 'types' ? `drop(${columnList(['_stop'])})` : `keep(${columnList(columns)})`;
	// Samples in the middle may have another type than those at both ends, so each run is read. The tags stay, because the server refuses a
	// table of several types.
	const newestRanges = shape === 'types' ? runs.map(({ range }) => range) : [wholeOf(key)];
	// Samples become floats before their mean, so the oldest one of each piece tells their type.
	const oldestRanges = shape === 'days' ? shardPiecesOf(wholeOf(key)) : newestRanges;
	const samplesOf = (fn: 'last' | 'first', ranges: readonly Range[]): readonly FluxTable[] =>
		ranges.map((range) => ({ range, steps: [`${fn}()`, keep] }));
	const windowRuns = shape === 'days' ? pieceBounds(key.bounds).flatMap(runsOf) : runs;
	const windows = readAggregatesOf(shape, key).map(
		(aggregate): FluxResult => ({
			name: `${aggregate}${index}`,
			tables: windowRuns.map((run) => windowTable(run, aggregate, shape, keep)),
		}),
	);
	return [
		...windows,
		{ name: `newest${index}`, tables: samplesOf('last', newestRanges) },
		{ name: `oldest${index}`, tables: samplesOf('first', oldestRanges) },
	];
}

/** Returns the aggregates that the storage is asked for. */
function readAggregatesOf(shape: SpanShape, key: SpanKey): readonly WindowAggregate[] {
	if (shape === 'types') return [];
	// Means of pieces are joined by their counts.
	if (shape === 'days' && key.aggregates.includes('mean')) return [...new Set([...withoutSlots(key), 'count' as const])];
	if (shape !== 'booleans') return withoutSlots(key);
	return [...new Set(withoutSlots(key).map((aggregate) => (fluxAggregates[aggregate].ofBooleans === null ? aggregate : 'mean')))];
}

function windowTable({ range, windows }: WindowRun, aggregate: WindowAggregate, shape: SpanShape, keep: string): FluxTable {
	const convert = aggregates[aggregate].result === 'float' && shape !== 'pushed' ? ['toFloat()'] : [];
	return { range, steps: [...convert, aggregateStep(aggregate, windows), keep] };
}

const withoutSlots = (key: SpanKey): readonly WindowAggregate[] => key.aggregates.filter((name) => name !== 'slots');

const wholeOf = ({ bounds }: SpanKey): Range => ({ start: bounds[0] ?? 0, stop: bounds.at(-1) ?? 0 });
