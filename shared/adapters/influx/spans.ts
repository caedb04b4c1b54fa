import { dayMs } from '#domain/milliseconds.ts';
import { resultTypeOf, type SpanAggregate, type SpanColumn, type SpanKey, type SpanResult } from '#domain/ports/span-reader.ts';
import type { PointFault } from '#domain/ports/time-series.ts';
import { QueryError } from '../influx-common/query-client.ts';
import { windowAt } from '../influx-common/window-at.ts';
import { hasIntegers, maxExactInteger, typeFaultOf, unionOfTypes } from '../series-points.ts';
import { fluxAggregates } from './flux-aggregates.ts';
import type { Samples } from './samples.ts';
import type { SpanShape } from './shapes.ts';

/** The rows of one series: those of each aggregate that was read, and the newest and the oldest sample of its tag sets. */
export interface SpanRows {
	readonly aggregate: (name: SpanAggregate) => Samples | undefined;
	readonly newest: Samples | undefined;
	readonly oldest: Samples | undefined;
}

/** The rows of a series without samples. */
export const noSpanRows: SpanRows = { aggregate: () => undefined, newest: undefined, oldest: undefined };

/** Returns the set of types of the samples. A mean is a float and a count is an integer, whatever the samples are. */
export function spanTypesOf(key: SpanKey, { aggregate, newest, oldest }: SpanRows): number {
	const columns = key.aggregates.filter((name) => resultTypeOf(name) === 'sample').map(aggregate);
	return unionOfTypes([newest, oldest, ...columns].map((rows) => rows?.types ?? 0));
}

/**
 * Converts the rows of one series to its result.
 * @param shape how the series was read, right for its type
 * @throws QueryError when a row belongs to no window
 */
export function spanResultOf(key: SpanKey, shape: SpanShape, rows: SpanRows): SpanResult {
	const types = spanTypesOf(key, rows);
	const typeFault = typeFaultOf(types);
	if (typeFault !== undefined) return { fault: typeFault };
	// A slot that lasts over the end of a day might be counted on both days.
	if (shape === 'days' && key.aggregates.includes('slots') && dayMs % (key.slotMs ?? 1) !== 0) return { fault: 'type_changed' };
	const isInteger = hasIntegers(types);
	const columnOf = (name: SpanAggregate): SpanColumn => {
		const column = windowsOf(key.bounds, rows.aggregate(name), name);
		return resultTypeOf(name) === 'float' && isInteger ? withoutInexact(column) : column;
	};
	const columns = key.aggregates.map((name): [SpanAggregate, SpanColumn] => {
		const isTrue = name === 'slots' ? null : fluxAggregates[name].ofBooleans;
		if (shape !== 'booleans' || isTrue === null) return [name, columnOf(name)];
		const { values, faults } = columnOf('mean');
		return [name, { values: values.map((share) => (share === null ? null : Number(isTrue(share)))), faults }];
	});
	const times = rows.newest?.times ?? [];
	return { columns: new Map(columns), newestAt: times.length === 0 ? null : times.reduce((a, b) => Math.max(a, b)) };
}

/** Returns the value of each window. A window with rows of several tag sets has none. */
function windowsOf(bounds: readonly number[], samples: Samples | undefined, name: SpanAggregate): SpanColumn {
	const values: (number | null)[] = Array.from({ length: bounds.length - 1 }, () => (resultTypeOf(name) === 'count' ? 0 : null));
	const faults = new Map<number, PointFault>();
	const seen = new Set<number>();
	for (const [row, time] of (samples?.times ?? []).entries()) {
		// Counts of slots are stamped with the start of their window, or with the start of its first slot where the read begins with that. All
		// other values are stamped with the end of their window.
		const window = name === 'slots' ? windowAt(bounds, time) : windowAt(bounds, time - 1);
		const isBound = bounds[window + 1] === time && samples?.subMs.has(row) !== true;
		if (window < 0 || window >= values.length || !(isBound || name === 'slots'))
			throw new QueryError('failed', 'a window that was not requested');
		const fault = seen.has(window) ? 'several_series' : samples?.faults.get(row);
		seen.add(window);
		if (fault !== undefined) faults.set(window, fault);
		values[window] = fault === undefined ? (samples?.values[row] ?? null) : null;
	}
	return { values, faults };
}

/** Replaces each mean of integers that is not below 2^53 by the fault `precision`. */
function withoutInexact({ values, faults }: SpanColumn): SpanColumn {
	const all = new Map(faults);
	for (const [window, value] of values.entries())
		if (value !== null && Math.abs(value) >= maxExactInteger) all.set(window, 'precision');
	return { values: values.map((value, window) => (all.has(window) ? null : value)), faults: all };
}
