import { resultOf, type SpanAggregate, type SpanColumn } from '#domain/ports/span-reader.ts';
import type { PointFault } from '#domain/ports/time-series.ts';
import { type SeriesPoint, seriesOfPoints } from './series-points.ts';

/**
 * Builds a column of `count` windows from the windows that have samples, in any order: the time of each point is the index of its
 * window. Two points of one window are of several tag sets, so that window has no value.
 */
export function spanColumn(aggregate: SpanAggregate, count: number, points: readonly SeriesPoint[]): SpanColumn {
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
