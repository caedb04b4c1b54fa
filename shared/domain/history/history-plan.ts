import { type SpanAggregate, type SpanKey, spanAggregates } from '../ports/span-reader.ts';
import { periodOf, type Query } from '../variable/query.ts';
import { seriesKeyOf, seriesOfQuery } from '../variable/series-of-query.ts';
import type { Variable } from '../variable/variable.ts';
import { availableTo, type HistoryAggregate } from './history-aggregates.ts';

/** A query of a variable with the span that it reads. */
export interface SpanInput {
	/** The query's name in varsTsdb. */
	readonly name: string;
	readonly query: Query;
	readonly key: SpanKey;
}

/** The inputs and the distinct spans of a request. A span that several inputs share is read once. */
export interface HistoryPlan {
	/** Each variable's inputs, in the order of the variables. */
	readonly inputs: readonly (readonly SpanInput[])[];
	readonly keys: readonly SpanKey[];
	/** Returns the position in `keys` of an input's span; -1: it is not planned. */
	readonly positionOf: (key: SpanKey) => number;
}

/** Plans which spans the histories of variables need. All have the same `bounds`. */
export function planHistory(
	variables: readonly Variable[],
	aggregates: readonly HistoryAggregate[],
	bounds: readonly number[],
): HistoryPlan {
	const inputs = variables.map((variable) => spanInputsOf(variable, aggregates, bounds));
	const distinctKeys = new Map(inputs.flat().map(({ key }) => [textOf(key), key]));
	const positions = new Map([...distinctKeys.keys()].map((text, position) => [text, position]));
	return { inputs, keys: [...distinctKeys.values()], positionOf: (key) => positions.get(textOf(key)) ?? -1 };
}

/**
 * Returns what is read for an aggregate of a query; null for coverage of months and years: their periods have no one length, and so no
 * count of slots.
 */
export function spanAggregateOf(aggregate: HistoryAggregate, query: Query): SpanAggregate | null {
	if (aggregate === 'own') return query.calc_type_period;
	if (aggregate === 'coverage') return periodOf(query).months === undefined ? 'slots' : null;
	return aggregate;
}

/**
 * Returns the spans that are read of a variable. Where it has none of the aggregates that are asked for, its own aggregate is read, because the
 * answer needs its quality.
 */
function spanInputsOf(
	variable: Variable,
	aggregates: readonly HistoryAggregate[],
	bounds: readonly number[],
): readonly SpanInput[] {
	const available = availableTo(variable);
	return [...variable.varsTsdb].map(([name, query]) => {
		// A formula is evaluated over the own aggregates of its inputs, whatever was asked for.
		const requested: readonly HistoryAggregate[] = variable.calc ? ['own'] : aggregates.filter((each) => available.has(each));
		const needed = new Set(requested.map((aggregate) => spanAggregateOf(aggregate, query)));
		const read = spanAggregates.filter((aggregate) => needed.has(aggregate));
		const slots = needed.has('slots') ? { slotMs: periodOf(query).ms } : {};
		const readAggregates = read.length === 0 ? [query.calc_type_period] : read;
		return { name, query, key: { ...seriesOfQuery(query), bounds, aggregates: readAggregates, ...slots } };
	});
}

/** Returns a text that is equal for equal spans of one request. Bounds are left out: all spans have the same. */
function textOf({ aggregates, slotMs, ...series }: SpanKey): string {
	return JSON.stringify([seriesKeyOf(series), aggregates, slotMs]);
}
