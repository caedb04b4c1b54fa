import { type SeriesPoint, seriesOfPoints, typeFaultOf } from '#adapters/series-points.ts';
import { resultTypeOf, type SpanAggregate, type SpanColumn, type SpanKey, type SpanResult } from '#domain/ports/span-reader.ts';
import type { PointFault } from '#domain/ports/time-series.ts';
import type { SpanPart, SpanPartRequest, SpanPass } from './span-part.ts';
import { isImprecise, passes, sqlAggregateOf, type WindowRow } from './sql-aggregates.ts';

/** Most windows of one part: some 20 ms of reading. */
const maxWindows = 5000;

/** The windows that were read. */
interface StoredSpan {
	/** For each tag set, by its series: the rows of each pass, in order of the windows. */
	readonly series: Map<number, Map<SpanPass, WindowRow[]>>;
	/** The types of all samples as `typeBits`. */
	types: number;
	/** Time of the newest sample, epoch milliseconds; null: there is none. */
	newestAt: number | null;
}

/** The `slotMs` of passes without slots: their parts may end at any millisecond. */
const millisecond = 1;

type ReadPart = (request: SpanPartRequest) => Promise<SpanPart>;

/** What is read of a topic and field, in as many parts as it takes. */
interface SpanToRead extends Omit<SpanPartRequest, 'windows'> {
	readonly bounds: readonly number[];
}

/** Reads a span part by part, so that other calls can run in between. Samples that are written meanwhile may be in the later parts. */
export async function readSpan(readPart: ReadPart, key: SpanKey): Promise<SpanResult> {
	const { bounds, aggregates, slotMs, ...series } = key;
	if (aggregates.includes('slots') && slotMs === undefined) throw new TypeError('The aggregate slots needs slotMs.');
	const passesWithoutSlots = [...new Set(aggregates.map((aggregate) => columnOf(aggregate)[0]))].filter(
		(pass) => pass !== 'slots',
	);
	// The types and the newest sample are needed even when only slots are asked for.
	const span = await readParts(readPart, { ...series, bounds, passes: passesWithoutSlots, slotMs: millisecond });
	const typeFault = typeFaultOf(span.types);
	if (typeFault !== undefined) return { fault: typeFault };
	const slotSpan =
		aggregates.includes('slots') && slotMs !== undefined
			? await readParts(readPart, { ...series, bounds: slotBounds(bounds, slotMs), passes: ['slots'], slotMs })
			: undefined;
	const columnFor = (aggregate: SpanAggregate) => {
		const points = pointsOf(aggregate === 'slots' ? slotSpan : span, aggregate);
		return [aggregate, spanColumn(aggregate, bounds.length - 1, points)] as const;
	};
	return { columns: new Map(aggregates.map(columnFor)), newestAt: span.newestAt };
}

async function readParts(readPart: ReadPart, { bounds, ...request }: SpanToRead): Promise<StoredSpan> {
	const span: StoredSpan = { series: new Map(), types: 0, newestAt: null };
	const end = bounds.at(-1) ?? 0;
	// A part may end within a window, and the next one goes on there. `place` is the position of the window that holds `from`.
	let place = 0;
	let from = bounds[0] ?? end;
	while (from < end) {
		const stops = bounds.slice(place + 1, place + 1 + maxWindows);
		const windows = { starts: [from, ...stops.slice(0, -1)], stop: stops.at(-1) ?? end };
		const part = await readPart({ ...request, windows });
		addPart(span, part, place);
		from = part.stop;
		while ((bounds[place + 1] ?? end) <= from && place < bounds.length) place += 1;
	}
	return span;
}

/** Adds a part. Its first window is window `place` of the span. The previous part may hold the beginning of that window. */
function addPart(span: StoredSpan, { series, types, newestAt }: SpanPart, place: number): void {
	span.types |= types;
	// Parts are added in order of time, so the newest sample of a later part is the newer one.
	span.newestAt = newestAt ?? span.newestAt;
	for (const [id, passes] of series) {
		const rowsByPass = span.series.get(id) ?? new Map<SpanPass, WindowRow[]>();
		span.series.set(id, rowsByPass);
		for (const [pass, addedRows] of passes) {
			const rows = rowsByPass.get(pass) ?? [];
			rowsByPass.set(pass, rows);
			for (const [offset, ...values] of addedRows) {
				const row: WindowRow = [place + offset, ...values];
				const last = rows.at(-1);
				if (last?.[0] === row[0]) rows[rows.length - 1] = merged(pass, last, row);
				else rows.push(row);
			}
		}
	}
}

/** Merges two rows of one window. The samples of `older` are before those of `newer`. */
function merged(pass: SpanPass, older: WindowRow, newer: WindowRow): WindowRow {
	const [place] = older;
	if (pass === 'slots') return [place, (older[1] ?? 0) + (newer[1] ?? 0)];
	const valuesIn = (row: WindowRow) => (aggregate: SpanAggregate) => row[columnOf(aggregate)[1]] ?? 0;
	return [place, ...passes[pass].map(({ merge }) => merge(valuesIn(older), valuesIn(newer)))];
}

/** Returns the pass that reads an aggregate, and the index of its value in the rows of that pass. Index 0 is the place of the window. */
function columnOf(aggregate: SpanAggregate): readonly [SpanPass, number] {
	if (aggregate === 'slots') return ['slots', 1];
	const { pass } = sqlAggregateOf(aggregate);
	return [pass, 1 + passes[pass].findIndex(({ name }) => name === aggregate)];
}

/** Returns the values of an aggregate, of all tag sets. The time of a point is the place of its window. */
function pointsOf(span: StoredSpan | undefined, aggregate: SpanAggregate): readonly SeriesPoint[] {
	if (span === undefined) return [];
	const [pass, index] = columnOf(aggregate);
	return [...span.series.values()].flatMap((rowsByPass) =>
		(rowsByPass.get(pass) ?? []).map((row): SeriesPoint => {
			const value = row[index] ?? 0;
			return [row[0], value, isImprecise(aggregate, value, span.types) ? 'precision' : undefined];
		}),
	);
}

/**
 * Returns the bounds between which each window counts slots. A window counts the slots that begin in it and end by the last bound. All
 * bounds are multiples of `slotMs`; neighbours may be equal.
 */
function slotBounds(bounds: readonly number[], slotMs: number): readonly number[] {
	const end = Math.floor((bounds.at(-1) ?? 0) / slotMs) * slotMs;
	return bounds.map((bound) => Math.min(end, Math.ceil(bound / slotMs) * slotMs));
}

/**
 * Builds a column of `count` windows from points in any order. The time of a point is the index of its window. A window with two points
 * has no value, because the points belong to different tag sets.
 */
function spanColumn(aggregate: SpanAggregate, count: number, points: readonly SeriesPoint[]): SpanColumn {
	// The time of the newest sample is not read from this series.
	const newestAt = 0;
	const series = seriesOfPoints(points, newestAt);
	const values = new Array<number | null>(count).fill(resultTypeOf(aggregate) === 'count' ? 0 : null);
	const faults = new Map<number, PointFault>();
	for (const [index, place] of series.times.entries()) {
		values[place] = series.values[index] ?? null;
		const fault = series.faults.get(index);
		if (fault !== undefined) faults.set(place, fault);
	}
	return { values, faults };
}
