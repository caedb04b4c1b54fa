import { isMixed } from '#adapters/series-points.ts';
import type { SeriesOfQuery } from '#domain/variable/series-of-query.ts';
import type { Windows } from '#domain/variable/window.ts';
import { typesOfKinds } from './kinds.ts';
import type { WindowRow } from './sql-aggregates.ts';
import type { Statements } from './statements.ts';

/** Most samples that one part scans: some 20 ms of reading, so that other calls can run in between. */
const maxSamples = 50_000;

/** A pass over the windows of a part. `scan` and `ends` read their aggregates (`passes`); `slots` counts the slots that have samples. */
export type SpanPass = 'scan' | 'ends' | 'slots';

/** A request for some windows of a span. */
export interface SpanPartRequest extends SeriesOfQuery {
	/** With the pass `slots`, the bounds are multiples of `slotMs`. */
	readonly windows: Windows;
	readonly passes: readonly SpanPass[];
	/** Above 0. A part ends at a multiple of it, or at the end of its windows. */
	readonly slotMs: number;
}

/** The windows of a part that have samples. */
export interface SpanPart {
	/** Where the next part begins, epoch milliseconds: the end of the windows, or earlier where there are many samples. */
	readonly stop: number;
	/** The types of the samples as `typeBits`. */
	readonly types: number;
	/** Time of the newest sample; null when there is none. */
	readonly newestAt: number | null;
	/** For each tag set, by the id of its series: the results of its passes, each in order of the windows. */
	readonly series: ReadonlyMap<number, ReadonlyMap<SpanPass, readonly WindowRow[]>>;
}

/** Reads the windows of one topic and field, and stops early when they hold too many samples for one part. */
export function readSpanPart(
	statements: Statements,
	database: string,
	{ windows, passes, slotMs, ...series }: SpanPartRequest,
): SpanPart {
	const start = windows.starts[0] ?? windows.stop;
	const candidates = statements.candidates(database, series);
	// The pass `ends` looks at two samples of a window at most. Every other read looks at all of them.
	const isScanned = passes.some((pass) => pass !== 'ends') || candidates.some(({ types }) => isMixed(types));
	const samplesPerSeries = Math.ceil(maxSamples / candidates.length);
	// Where the samples of each series that has too many are cut off.
	const limits = isScanned
		? candidates.flatMap(({ id }) => statements.timeAfter(id, start, windows.stop, samplesPerSeries) ?? [])
		: [];
	const limit = Math.min(windows.stop, ...limits);
	// At least one slot, however many samples it has, so that reading goes on.
	const stop = Math.min(windows.stop, Math.max(start + slotMs, Math.floor(limit / slotMs) * slotMs));
	const windowsOfPart = { starts: windows.starts.filter((from) => from < stop), stop };
	let types = 0;
	let newestAt: number | null = null;
	const results = new Map<number, ReadonlyMap<SpanPass, readonly WindowRow[]>>();
	for (const { id, types: ownTypes } of candidates) {
		const newest = statements.newest(id, start, stop);
		if (newest === undefined) continue;
		newestAt = Math.max(newestAt ?? newest.ms, newest.ms);
		// A series that ever had several types may have only one of them in this part.
		types |= isMixed(ownTypes) ? typesOfKinds(statements.kinds(id, start, stop)) : ownTypes;
		// Only the first series that has samples here writes the windows into the table.
		statements.setWindows(windowsOfPart);
		results.set(id, new Map(passes.map((pass) => [pass, statements[pass](id, start, slotMs)])));
	}
	return { stop, types, newestAt, series: results };
}
