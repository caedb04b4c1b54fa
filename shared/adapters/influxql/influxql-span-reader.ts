import {
	resultTypeOf,
	type SpanAggregate,
	type SpanColumn,
	type SpanKey,
	type SpanReader,
	type SpanResult,
} from '#domain/ports/span-reader.ts';
import type { PointFault } from '#domain/ports/time-series.ts';
import { typeFaultOf } from '../series-points.ts';
import type { InfluxqlConnection } from './influxql-connection.ts';
import { newestTimeOf, noNewest, valueAndFault } from './newest-query.ts';
import { foundByKey } from './topic-groups.ts';
import { exactWindowStatements, type FoundWindows, groupWindows, slotColumnOf, windowStatements } from './window-query.ts';

/**
 * Creates `SpanReader` by InfluxQL. CellReading a database that does not exist fails. A read sends one request, and a second one where numbers of
 * 2^53 and more may be integers (shared/adapters/influxql/README.md#types).
 */
export function createInfluxqlSpanReader({ place, read }: InfluxqlConnection): SpanReader {
	return {
		readSpans: async (database, keys) => {
			if (keys.length === 0) return [];
			const groups = groupWindows(keys, place);
			await read(database, { isShort: false }, async (run) => {
				await run(groups.flatMap((group) => windowStatements(group, place)));
				await run(groups.flatMap((group) => exactWindowStatements(group, place)));
			});
			const found = foundByKey(groups);
			return keys.map((key) => spanResultOf(key, found.get(key) ?? { ...noNewest(), sources: new Map() }));
		},
	};
}

function spanResultOf(key: SpanKey, found: FoundWindows): SpanResult {
	const fault = typeFaultOf(found.types);
	if (fault !== undefined) return { fault };
	return {
		columns: new Map(key.aggregates.map((aggregate) => [aggregate, columnOf(key, aggregate, found)])),
		newestAt: newestTimeOf(found),
	};
}

/** Returns the value of each window. A window with samples of several sources has none. */
function columnOf({ bounds, slotMs = 0 }: SpanKey, aggregate: SpanAggregate, { sources }: FoundWindows): SpanColumn {
	const values: (number | null)[] = bounds.slice(1).map(() => (resultTypeOf(aggregate) === 'count' ? 0 : null));
	const faults = new Map<number, PointFault>();
	const seen = new Set<number>();
	for (const { columns } of sources.values())
		for (const [window, reading] of columns.get(aggregate === 'slots' ? slotColumnOf(slotMs) : aggregate) ?? []) {
			const [value, fault] = seen.has(window) ? [null, 'several_series' as const] : valueAndFault(reading);
			seen.add(window);
			values[window] = value;
			if (fault !== undefined) faults.set(window, fault);
		}
	return { values, faults };
}
