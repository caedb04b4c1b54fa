import type { Aggregate, WindowAggregate } from '#domain/variable/aggregates.ts';

/** How InfluxDB computes an aggregate. Where the result is a float, samples of other types become floats first. */
interface FluxAggregate {
	/** The argument `fn` of `aggregateWindow`. */
	readonly fn: string;
	/**
	 * Converts the share of true values to the aggregate of booleans. Histories read that share (the mean), because the storage panics on
	 * this aggregate of booleans. Null: it does not panic.
	 */
	readonly ofBooleans: ((share: number) => boolean) | null;
}

/**
 * The aggregates in Flux. Those that a query may have (`Aggregate`) never convert to booleans: `last` returns them as they are, and `mean`
 * reads them as floats.
 */
export const fluxAggregates: Readonly<Record<WindowAggregate, FluxAggregate> & Record<Aggregate, { readonly ofBooleans: null }>> =
	{
		mean: { fn: 'mean', ofBooleans: null },
		min: { fn: 'min', ofBooleans: (share) => share === 1 },
		max: { fn: 'max', ofBooleans: (share) => share > 0 },
		first: { fn: 'first', ofBooleans: null },
		last: { fn: 'last', ofBooleans: null },
		count: { fn: 'count', ofBooleans: null },
	};

/** Writes the step that aggregates windows. @param windows arguments of `aggregateWindow` */
export function aggregateStep(aggregate: WindowAggregate, windows: string): string {
	return `aggregateWindow(${windows}, fn: ${fluxAggregates[aggregate].fn}, createEmpty: false)`;
}
