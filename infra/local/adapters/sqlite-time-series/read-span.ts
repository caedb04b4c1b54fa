import { isMixed, type SeriesPoint, seriesOfPoints, typeBits } from '#adapters/series-points.ts';
import { resultOf, type SpanAggregate, type SpanColumn, type SpanKey, type SpanResult } from '#domain/ports/span-reader.ts';
import type { PointFault } from '#domain/ports/time-series.ts';
import type { SpanPart, SpanPartRequest, SpanPass } from './span-part.ts';
import { isImprecise, passes, sqlAggregateOf, type WindowRow } from './sql-aggregates.ts';

/** Most windows of one part: some 20 ms of reading. */
const maxWindows = 5000;

/** Returns the pass that reads an aggregate, and its place in the rows of that pass. */
function columnOf(aggregate: SpanAggregate): readonly [SpanPass, number] {
	if (aggregate === 'slots') return ['slots', 1];
	const { pass } = sqlAggregateOf(aggregate);
	return [pass, 1 + passes[pass].findIndex(({ name }) => name === aggregate)];
}

/** Merges two rows of one window. The samples of `a` are the older ones. */
function merged(pass: SpanPass, a: WindowRow, b: WindowRow): WindowRow {
	if (pass === 'slots') return [a[0], (a[1] ?? 0) + (b[1] ?? 0)];
	const valuesIn = (row: WindowRow) => (aggregate: SpanAggregate) => row[columnOf(aggregate)[1]] ?? 0;
	return [a[0], ...passes[pass].map(({ merge }) => merge(valuesIn(a), valuesIn(b)))];
}

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

/** Reads a span part by part, so that other calls can run in between. Samples that are written meanwhile may be in the later parts. */
export async function readSpan(readPart: ReadPart, key: SpanKey): Promise<SpanResult> {
	const { bounds, aggregates, slotMs } = key;
	if (aggregates.includes('slots') && slotMs === undefined) throw new TypeError('The aggregate slots needs slotMs.');
	const ownPasses = [...new Set(aggregates.map((aggregate) => columnOf(aggregate)[0]))].filter((pass) => pass !== 'slots');
	// The types and the newest sample are needed even when only slots are asked for.
	const rows = await readParts(readPart, key, bounds, ownPasses, millisecond);
	if (isMixed(rows.types)) return { fault: 'type_changed' };
	if (rows.types === typeBits.string) return { fault: 'not_numeric' };
	const slotRows =
		aggregates.includes('slots') && slotMs !== undefined
			? await readParts(readPart, key, slotBounds(bounds, slotMs), ['slots'], slotMs)
			: undefined;
	const column = (aggregate: SpanAggregate) => {
		const points = pointsOf(aggregate === 'slots' ? slotRows : rows, aggregate);
		return [aggregate, spanColumn(aggregate, bounds.length - 1, points)] as const;
	};
	return { columns: new Map(aggregates.map(column)), newestAt: rows.newestAt };
}

async function readParts(
	readPart: ReadPart,
	{ topic, field }: SpanKey,
	bounds: readonly number[],
	passes: readonly SpanPass[],
	slotMs: number,
): Promise<StoredSpan> {
	const rows: StoredSpan = { series: new Map(), types: 0, newestAt: null };
	const end = bounds.at(-1) ?? 0;
	// A part may end within a window, and the next one goes on there. `place` is the position of the window that holds `from`.
	for (let [place, from] = [0, bounds[0] ?? end]; from < end; ) {
		const following = bounds.slice(place + 1, place + 1 + maxWindows);
		const windows = { starts: [from, ...following.slice(0, -1)], stop: following.at(-1) ?? end };
		const part = await readPart({ topic, field, windows, passes, slotMs });
		addPart(rows, part, place);
		from = part.stop;
		while ((bounds[place + 1] ?? end) <= from && place < bounds.length) place += 1;
	}
	return rows;
}

/** Adds a part. Its first window is window `place` of the span. The previous part may hold the beginning of that window. */
function addPart(rows: StoredSpan, { series, types, newestAt }: SpanPart, place: number): void {
	rows.types |= types;
	// Parts are added in order of time, so the newest sample of a later part is the newer one.
	rows.newestAt = newestAt ?? rows.newestAt;
	for (const [id, passes] of series) {
		const ownPasses = rows.series.get(id) ?? new Map<SpanPass, WindowRow[]>();
		rows.series.set(id, ownPasses);
		for (const [pass, added] of passes) {
			const own = ownPasses.get(pass) ?? [];
			ownPasses.set(pass, own);
			for (const [offset, ...values] of added) {
				const row: WindowRow = [place + offset, ...values];
				const last = own.at(-1);
				if (last?.[0] === row[0]) own[own.length - 1] = merged(pass, last, row);
				else own.push(row);
			}
		}
	}
}

function pointsOf(rows: StoredSpan | undefined, aggregate: SpanAggregate): readonly SeriesPoint[] {
	const [pass, index] = columnOf(aggregate);
	return [...(rows?.series.values() ?? [])].flatMap((passes) =>
		(passes.get(pass) ?? []).map((row): SeriesPoint => {
			const value = row[index] ?? 0;
			return [row[0], value, isImprecise(aggregate, value, rows?.types ?? 0) ? 'precision' : undefined];
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
	const { times: places, values: found, faults: foundFaults } = seriesOfPoints(points, 0);
	const values = new Array<number | null>(count).fill(resultOf(aggregate) === 'count' ? 0 : null);
	const faults = new Map<number, PointFault>();
	for (const [index, place] of places.entries()) {
		values[place] = found[index] ?? null;
		const fault = foundFaults.get(index);
		if (fault !== undefined) faults.set(place, fault);
	}
	return { values, faults };
}
