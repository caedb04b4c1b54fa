import type { SpanAggregate } from '../ports/span-reader.ts';
import type { Variable } from '../variable/variable.ts';

/**
 * What a client may ask of each window (shared/domain/history/README.md#aggregates). `own` is the variable's own aggregate. `coverage` is
 * the share of the variable's own periods in the window that hold a sample.
 */
export const historyAggregates = ['own', 'mean', 'min', 'max', 'first', 'last', 'count', 'coverage'] as const;

/** One column of a variable's history. */
export type HistoryAggregate = (typeof historyAggregates)[number];

/** The mean of bytes has no bits, and a calculated variable has no samples. */
const ofBytes: ReadonlySet<HistoryAggregate> = new Set(['own', 'first', 'last', 'count', 'coverage']);
const ofFormulas: ReadonlySet<HistoryAggregate> = new Set(['own']);
const all: ReadonlySet<HistoryAggregate> = new Set(historyAggregates);

/** Returns the aggregates that a variable can have. */
export function availableTo(variable: Variable): ReadonlySet<HistoryAggregate> {
	if (variable.calc) return ofFormulas;
	return variable.binary_compressed ? ofBytes : all;
}

/** Whether an aggregate is a value of the variable. The others say how many samples there are. */
export function isValue(aggregate: HistoryAggregate | SpanAggregate): boolean {
	return aggregate !== 'count' && aggregate !== 'coverage' && aggregate !== 'slots';
}
