import type { SpanAggregate, SpanKey } from '#domain/ports/span-reader.ts';
import type { Range } from '#domain/variable/window.ts';
import { columnList, type FluxResult, type FluxTable, type SeriesByField } from './flux-script.ts';
import type { KnownType } from './known-types.ts';
import { groupSeries } from './series-groups.ts';
import type { TypeAt } from './typed-read.ts';
import { fixedWindows, runsOf, type WindowRun } from './window-runs.ts';

/**
 * How samples become windows. `pushed`: the storage does it all. `integers`: like `pushed`, but samples become floats before the mean,
 * because sums of integers overflow. `booleans`: min and max follow from the mean, because the storage panics on them. `types`: no
 * windows, only the types of the samples.
 */
export type SpanShape = 'pushed' | 'integers' | 'booleans' | 'types';

/** At most 40 series that are read over the same windows. */
export interface SpanStream {
	/** The key of one of its series. */
	readonly key: SpanKey;
	readonly shape: SpanShape;
	readonly fields: SeriesByField;
}

/** The shape that is right for a type. Windows of text, and of several types, have no values. */
export const spanShapes = {
	float: 'pushed',
	integer: 'integers',
	boolean: 'booleans',
	mixed: 'types',
	text: 'types',
} as const satisfies Record<KnownType, SpanShape>;

/** Groups `keys` into streams: those of one array of bounds and equal aggregates. A series of unknown type is read as floats. */
export function planSpans(keys: readonly SpanKey[], typeAt: TypeAt): readonly SpanStream[] {
	const grids = [...new Set(keys.map(({ bounds }) => bounds))];
	const shapeAt = (position: number): SpanShape => spanShapes[typeAt(position) ?? 'float'];
	const groups = groupSeries(keys, (key, position) =>
		[shapeAt(position), grids.indexOf(key.bounds), slotMsOf(key), ...key.aggregates.toSorted()].join(),
	);
	return groups.flatMap(({ positions: [position = 0], fields }) =>
		keys.slice(position, position + 1).map((key) => ({ key, shape: shapeAt(position), fields })),
	);
}

/** Returns the results to read for a stream. `newest` and `oldest` tell its types and the time of the newest sample. */
export function spanResultsOf({ key, shape }: SpanStream, index: number, topicColumn: string): readonly FluxResult[] {
	const runs = runsOf(key.bounds);
	const columns = ['_time', '_value', '_field', topicColumn];
	const keep = `keep(${columnList(columns)})`;
	const samples = (fn: 'first' | 'last'): readonly FluxTable[] => {
		// A type may differ in the middle only. Tags and `_start` keep tables of different types apart.
		if (shape === 'types') return runs.map(({ range }) => ({ range, steps: [`${fn}()`, `drop(${columnList(['_stop'])})`] }));
		return [{ range: wholeOf(key), steps: [`${fn}()`, keep] }];
	};
	const windows = readAggregatesOf(shape, key).map((aggregate): FluxResult => {
		const tables = aggregate === 'slots' ? slotTables(runs, key) : runs.map((run) => windowTable(run, aggregate, shape));
		return { name: `${aggregate}${index}`, tables: tables.map(({ range, steps }) => ({ range, steps: [...steps, keep] })) };
	});
	return [
		...windows.filter(({ tables }) => tables.length > 0),
		{ name: `newest${index}`, tables: samples('last') },
		{ name: `oldest${index}`, tables: samples('first') },
	];
}

/** Returns the aggregates that the storage is asked for. */
function readAggregatesOf(shape: SpanShape, { aggregates }: SpanKey): readonly SpanAggregate[] {
	if (shape === 'types') return [];
	if (shape !== 'booleans') return aggregates;
	return [...new Set(aggregates.map((aggregate) => (aggregate === 'min' || aggregate === 'max' ? 'mean' : aggregate)))];
}

function windowTable({ range, windows }: WindowRun, aggregate: SpanAggregate, shape: SpanShape): FluxTable {
	const convert = aggregate === 'mean' && shape !== 'pushed' ? ['toFloat()'] : [];
	return { range, steps: [...convert, `aggregateWindow(${windows}, fn: ${aggregate}, createEmpty: false)`] };
}

/**
 * Counts the samples of each slot, then the slots of each window. A slot belongs to the window that it begins in, so both counts are
 * stamped with their starts: by default, a slot at the end of a window would be counted in the next one.
 */
function slotTables(runs: readonly WindowRun[], key: SpanKey): readonly FluxTable[] {
	const slotMs = slotMsOf(key);
	const lastStop = Math.floor(wholeOf(key).stop / slotMs) * slotMs;
	const countBy = (windows: string): string => `aggregateWindow(${windows}, fn: count, timeSrc: "_start", createEmpty: false)`;
	return runs.flatMap(({ range, windows }): FluxTable[] => {
		const start = Math.ceil(range.start / slotMs) * slotMs;
		const stop = Math.min(Math.ceil(range.stop / slotMs) * slotMs, lastStop);
		return start < stop ? [{ range: { start, stop }, steps: [countBy(fixedWindows(slotMs, 0)), countBy(windows)] }] : [];
	});
}

const wholeOf = ({ bounds }: SpanKey): Range => ({ start: bounds[0] ?? 0, stop: bounds.at(-1) ?? 0 });

const slotMsOf = ({ slotMs = Number.NaN, aggregates }: SpanKey): number => (aggregates.includes('slots') ? slotMs : Number.NaN);
