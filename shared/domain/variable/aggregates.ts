/**
 * The aggregates: how the samples of a window become one value. Each storage has its expressions in a table of its own
 * (shared/adapters/influx/flux-aggregates.ts, infra/local/adapters/sqlite-time-series/sql-aggregates.ts). A series of text is a fault as a
 * whole, so no aggregate has a value of text.
 */
export const aggregates = {
	mean: { ofQuery: 'windows', ofBytes: false, result: 'float' },
	min: { ofQuery: null, ofBytes: false, result: 'sample' },
	max: { ofQuery: null, ofBytes: false, result: 'sample' },
	first: { ofQuery: null, ofBytes: true, result: 'sample' },
	last: { ofQuery: 'newest', ofBytes: true, result: 'sample' },
	count: { ofQuery: null, ofBytes: true, result: 'count' },
} as const satisfies Record<string, AggregateTraits>;

interface AggregateTraits {
	/**
	 * What a variable's query reads for its newest value: the newest sample, or windows, which are limited in number. Null: a query cannot have
	 * it as `calc_type_period`. A history may have every aggregate.
	 */
	readonly ofQuery: 'newest' | 'windows' | null;
	/** Whether a bit-compressed variable may have it. The mean of bytes has no bits. */
	readonly ofBytes: boolean;
	/** `sample`: of the type of the samples. `float`: a float, whatever the samples are. `count`: a number of samples, 0 where there are none. */
	readonly result: 'sample' | 'float' | 'count';
}

/** The name of an aggregate. */
export type WindowAggregate = keyof typeof aggregates;

/** An aggregate that a variable's query may have. */
export type Aggregate = {
	[Name in WindowAggregate]: (typeof aggregates)[Name]['ofQuery'] extends string ? Name : never;
}[WindowAggregate];

/** The names of all aggregates. */
export const windowAggregates: readonly WindowAggregate[] = Object.keys(aggregates).filter(
	(name): name is WindowAggregate => name in aggregates,
);

/** The aggregates that a variable's query may have, in the order of their names. */
export const queryAggregates: readonly Aggregate[] = windowAggregates
	.filter((name): name is Aggregate => aggregates[name].ofQuery !== null)
	.sort();
