import { hasIntegers, maxExactInteger } from '#adapters/series-points.ts';
import { resultTypeOf, type SpanAggregate } from '#domain/ports/span-reader.ts';
import { type WindowAggregate, windowAggregates } from '#domain/variable/aggregates.ts';
import { inexact } from './kinds.ts';

/** The index of a window that has samples, and its values of some aggregates. */
export type WindowRow = readonly [place: number, ...values: number[]];

/** How SQLite computes an aggregate. */
interface SqlAggregate {
	/** How the aggregate is read: `scan` reads all samples of a window, `ends` only its first or last sample. */
	readonly pass: 'scan' | 'ends';
	/** Returns the expression. The pass `scan` has the columns value and kind of samples; the pass `ends` has the start and stop of a window. */
	readonly sql: (value: string) => string;
	/**
	 * Whether a sum in the expression may exceed the largest float. The aggregate is then computed again from values that are scaled down,
	 * so it must scale as its values do.
	 */
	readonly overflows: boolean;
	/**
	 * Combines the values of two parts of a window; `a` is the older part. Each argument returns its part's value of any aggregate of the
	 * pass.
	 */
	readonly merge: (a: ValueOf, b: ValueOf) => number;
}

type ValueOf = (aggregate: WindowAggregate) => number;

/**
 * Doubles inexact integers, so that `isImprecise` recognizes one: it is then farther from zero than 2^53 and every exact integer. Their
 * order stays the same.
 */
const orderedValue = `CASE WHEN kind < ${inexact} THEN value ELSE 2 * value END`;

/** Returns the expression of the value of a window's first (ASC) or last (DESC) sample. Text counts as 0, because its series has no values anyway. */
const endValue = (order: 'ASC' | 'DESC') => () =>
	`(SELECT coalesce(${orderedValue}, 0) FROM sample WHERE series = ?1 AND time >= start AND time < stop ORDER BY time ${order} LIMIT 1)`;

/** The aggregates in SQL. */
const sqlAggregates: Readonly<Record<WindowAggregate, SqlAggregate>> = {
	mean: {
		pass: 'scan',
		sql: (value) => `avg(${value})`,
		overflows: true,
		// Each mean is first multiplied by its share of the samples, so that no sum overflows.
		merge: (a, b) => {
			const count = a('count') + b('count');
			return a('mean') * (a('count') / count) + b('mean') * (b('count') / count);
		},
	},
	min: { pass: 'scan', sql: () => `min(${orderedValue})`, overflows: false, merge: (a, b) => Math.min(a('min'), b('min')) },
	max: { pass: 'scan', sql: () => `max(${orderedValue})`, overflows: false, merge: (a, b) => Math.max(a('max'), b('max')) },
	first: { pass: 'ends', sql: endValue('ASC'), overflows: false, merge: (a) => a('first') },
	last: { pass: 'ends', sql: endValue('DESC'), overflows: false, merge: (_, b) => b('last') },
	count: { pass: 'scan', sql: () => 'count(*)', overflows: false, merge: (a, b) => a('count') + b('count') },
};

/** One aggregate with its expression. */
export interface NamedSqlAggregate extends SqlAggregate {
	readonly name: WindowAggregate;
}

/** Returns an aggregate with its expression. */
export function sqlAggregateOf(name: WindowAggregate): NamedSqlAggregate {
	return { name, ...sqlAggregates[name] };
}

/** The aggregates that each pass reads, in the order of the values in its rows. */
export const passes = {
	scan: windowAggregates.map(sqlAggregateOf).filter(({ pass }) => pass === 'scan'),
	ends: windowAggregates.map(sqlAggregateOf).filter(({ pass }) => pass === 'ends'),
} as const;

/**
 * Whether a value is too inexact to be returned. A mean of integers must stay below 2^53. Rounding may make the mean of the largest
 * floats infinite.
 * @param types the types of the samples as `typeBits`
 */
export function isImprecise(aggregate: SpanAggregate, value: number, types: number): boolean {
	if (!Number.isFinite(value)) return true;
	const result = resultTypeOf(aggregate);
	if (!hasIntegers(types) || result === 'count') return false;
	return result === 'float' ? Math.abs(value) >= maxExactInteger : Math.abs(value) > maxExactInteger;
}
