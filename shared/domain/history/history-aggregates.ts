import { resultTypeOf, type SpanAggregate } from '../ports/span-reader.ts';
import { aggregates, type WindowAggregate, windowAggregates } from '../variable/aggregates.ts';
import type { Variable } from '../variable/variable.ts';

/**
 * What a client may ask of each window (shared/domain/history/README.md#aggregates). `own` is the variable's own aggregate. `coverage` is
 * the share of the variable's own periods in the window that hold a sample.
 */
export const historyAggregates: readonly HistoryAggregate[] = ['own', ...windowAggregates, 'coverage'];

/** One column of a variable's history. */
export type HistoryAggregate = 'own' | WindowAggregate | 'coverage';

/** The aggregates that a bit-compressed variable can have. */
const ofBytes: ReadonlySet<HistoryAggregate> = new Set([
	'own',
	...windowAggregates.filter((name) => aggregates[name].ofBytes),
	'coverage',
]);
/** A calculated variable has no samples. */
const ofFormulas: ReadonlySet<HistoryAggregate> = new Set(['own']);
const allAggregates: ReadonlySet<HistoryAggregate> = new Set(historyAggregates);

/** Returns the aggregates that a variable can have. */
export function availableTo(variable: Variable): ReadonlySet<HistoryAggregate> {
	if (variable.calc) return ofFormulas;
	return variable.binary_compressed ? ofBytes : allAggregates;
}

/** Whether an aggregate is a value of the variable. The others count samples. */
export function isValue(aggregate: HistoryAggregate | SpanAggregate): boolean {
	if (aggregate === 'own') return true;
	if (aggregate === 'coverage') return false;
	return resultTypeOf(aggregate) !== 'count';
}
