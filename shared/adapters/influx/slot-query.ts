import type { SpanKey } from '#domain/ports/span-reader.ts';
import { columnList, type FluxResult, type FluxTable, tagColumnsOf } from './flux-script.ts';
import { groupSeries, type SeriesGroup } from './series-groups.ts';
import { type SpanShape, spanShapes } from './shapes.ts';
import { pieceBounds } from './shard-pieces.ts';
import type { TypeAt } from './typed-read.ts';
import { fixedWindows, runsOf } from './window-runs.ts';

/** At most 40 series whose slots of one length are counted over the same windows. */
export interface SlotStream extends SeriesGroup<SpanKey> {
	/** Whether they are counted day by day, because the type of the samples changes. */
	readonly isDaily: boolean;
}

/**
 * Groups the keys that ask for `slots` into streams: those of one array of bounds and one length of slots. Samples of
 * every type can be counted, but the windows of text are not read, and those of several types of numbers are counted day by day.
 */
export function planSlots(keys: readonly SpanKey[], typeAt: TypeAt): readonly SlotStream[] {
	// Keys of one request share the array of bounds, so its position stands for it.
	const grids = [...new Set(keys.map(({ bounds }) => bounds))];
	const shapeAt = (position: number): SpanShape => spanShapes[typeAt(position) ?? 'float'];
	const groups = groupSeries(keys, ({ aggregates, bounds, slotMs }, position) =>
		// Undefined leaves a key out.
		aggregates.includes('slots') && shapeAt(position) !== 'types'
			? [grids.indexOf(bounds), slotMs, shapeAt(position) === 'days'].join()
			: undefined,
	);
	return groups.map((group) => {
		const [position = 0] = group.positions;
		return { ...group, isDaily: shapeAt(position) === 'days' };
	});
}

/**
 * Returns the result to read for a stream; none when no slot fits. It counts the samples of each slot, then the slots of each window. A
 * slot belongs to the window that it begins in, so both counts are stamped with their starts: by default, a slot at the end of a window
 * would be counted in the next one.
 */
export function slotResultsOf({ key, isDaily, fields }: SlotStream, index: number, topicColumn: string): readonly FluxResult[] {
	// Keys with slots have their length. With NaN, no slot would fit.
	const { bounds, slotMs = Number.NaN } = key;
	// A slot that lasts beyond the last window is not counted.
	const lastStop = Math.floor((bounds.at(-1) ?? 0) / slotMs) * slotMs;
	const keep = isDaily
		? `drop(${columnList(['_stop'])})`
		: `keep(${columnList(['_time', '_value', '_field', topicColumn, ...tagColumnsOf(fields)])})`;
	const countBy = (windows: string): string => `aggregateWindow(${windows}, fn: count, timeSrc: "_start", createEmpty: false)`;
	const runs = isDaily ? pieceBounds(bounds).flatMap(runsOf) : runsOf(bounds);
	const tables = runs.flatMap(({ range, windows }): FluxTable[] => {
		const start = Math.ceil(range.start / slotMs) * slotMs;
		const stop = Math.min(Math.ceil(range.stop / slotMs) * slotMs, lastStop);
		return start < stop ? [{ range: { start, stop }, steps: [countBy(fixedWindows(slotMs)), countBy(windows), keep] }] : [];
	});
	return tables.length === 0 ? [] : [{ name: slotResultName(index), tables }];
}

/** Returns the name of the result of the stream at `index`. */
export function slotResultName(index: number): string {
	return `slots${index}`;
}
