import { dayMs } from '#domain/milliseconds.ts';
import type { SpanAggregate } from '#domain/ports/span-reader.ts';
import { nameOfSource } from '#domain/totals/join-sources.ts';
import type { Range } from '#domain/variable/window.ts';
import { windowAt } from '../influx-common/window-at.ts';
import { noSamples, type Samples, sourcesIn } from './samples.ts';

/** The longest range that is divided into days, and where weeks of shards begin: Monday at 00:00 UTC. */
const maxDailyMs = 400 * dayMs;
const mondayMs = 4 * dayMs;

/**
 * Divides a range so that no piece reaches over the end of a shard: the samples of one shard have one type
 * (shared/adapters/influx/README.md#types). The pieces are days in UTC, of a long range weeks.
 */
export function shardPiecesOf({ start, stop }: Range): readonly Range[] {
	const [length, offset] = stop - start > maxDailyMs ? [7 * dayMs, mondayMs] : [dayMs, 0];
	const first = Math.floor((start - offset) / length);
	return Array.from({ length: Math.ceil((stop - offset) / length) - first }, (_, index) => ({
		start: Math.max(start, offset + (first + index) * length),
		stop: Math.min(stop, offset + (first + index + 1) * length),
	}));
}

/** Returns the bounds of each piece of windows: its own ends, and the bounds of windows between them. */
export function pieceBounds(bounds: readonly number[]): readonly (readonly number[])[] {
	return shardPiecesOf({ start: bounds[0] ?? 0, stop: bounds.at(-1) ?? 0 }).map(({ start, stop }) => [
		start,
		// Bounds are whole milliseconds.
		...bounds.slice(windowAt(bounds, start) + 1, windowAt(bounds, stop - 1) + 1),
		stop,
	]);
}

/**
 * Joins windows that were read in pieces: each source has one row for each window.
 * @param rows one for each source, window and piece
 * @param counts the numbers of samples of the same rows; only means need them
 */
export function joinedWindows(
	bounds: readonly number[],
	aggregate: SpanAggregate,
	rows: Samples | undefined,
	counts: Samples | undefined,
): Samples | undefined {
	if (rows === undefined) return undefined;
	const joined = { ...noSamples(), types: rows.types };
	const countsOfSource = sourcesIn(counts);
	// A source has a run in each piece. The tags of its first one are told.
	const tagsOfSource = new Map(rows.runs.toReversed().map((run) => [nameOfSource(run), run.tags]));
	for (const [name, { times, values, faults }] of sourcesIn(rows)) {
		const counted = countsOfSource.get(name);
		const countAt = new Map(counted?.times.map((time, index) => [time, counted.values[index] ?? 1]));
		const ordered = [...times.keys()].sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0));
		// Counts of slots are stamped with a start, and all other rows with the end of their window.
		const windowOf = (index: number): number => {
			const time = times[index] ?? 0;
			return windowAt(bounds, aggregate === 'slots' ? time : time - 1);
		};
		joined.runs.push({
			tags: tagsOfSource.get(name) ?? [],
			type: rows.types,
			from: joined.times.length,
		});
		for (const [window, own] of Map.groupBy(ordered, windowOf)) {
			const fault = decisive(own, aggregate)
				.map((index) => faults.get(index))
				.find((each) => each !== undefined);
			if (fault !== undefined) joined.faults.set(joined.times.length, fault);
			const parts = own.map((index) => ({ value: values[index] ?? 0, count: countAt.get(times[index] ?? 0) ?? 1 }));
			joined.times.push(bounds[aggregate === 'slots' ? window : window + 1] ?? 0);
			joined.values.push(fault === undefined ? joins[aggregate](parts) : 0);
		}
	}
	return joined;
}

/** Returns the rows that a window's value comes from: of its first or last sample those of one piece. */
function decisive(rows: readonly number[], aggregate: SpanAggregate): readonly number[] {
	if (aggregate === 'first') return rows.slice(0, 1);
	return aggregate === 'last' ? rows.slice(-1) : rows;
}

/** The value of a window in a piece, and the number of its samples. */
interface Part {
	readonly value: number;
	readonly count: number;
}

const sumOf = (parts: readonly Part[]): number => parts.reduce((sum, { value }) => sum + value, 0);

/** How the parts of a window become its value. There is at least one. */
const joins: Readonly<Record<SpanAggregate, (parts: readonly Part[]) => number>> = {
	mean: (parts) => {
		const total = parts.reduce((sum, { count }) => sum + count, 0);
		// Each mean is first multiplied by its share, so that no sum overflows.
		return parts.reduce((sum, { value, count }) => sum + value * (count / total), 0);
	},
	min: (parts) => Math.min(...parts.map(({ value }) => value)),
	max: (parts) => Math.max(...parts.map(({ value }) => value)),
	first: (parts) => parts[0]?.value ?? 0,
	last: (parts) => parts.at(-1)?.value ?? 0,
	count: sumOf,
	slots: sumOf,
};
