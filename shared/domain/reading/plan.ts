import type { SeriesKey } from '../ports/time-series.ts';
import { aggregates } from '../variable/aggregates.ts';
import type { Duration } from '../variable/duration.ts';
import { lookbackOf, periodOf, type Query } from '../variable/query.ts';
import { seriesOfQuery } from '../variable/series-of-query.ts';
import type { Variable } from '../variable/variable.ts';
import { type Budget, createBudget, type Shortage, windowsOf } from './budget.ts';
import { maxAgeOf } from './quality.ts';

/** A query of a variable with the series that it reads. */
export interface Input {
	/** The query's name in varsTsdb. */
	readonly name: string;
	readonly key: SeriesKey;
	/** A text that is equal for equal series. */
	readonly seriesId: string;
	/** The query's own lookback. The inputs of a calculated history are read over the longest one. */
	readonly lookback: Duration;
	/** Age beyond which the newest sample is stale, by the query's own period (shared/domain/reading/README.md#qualities). */
	readonly staleAfterMs: number;
}

/** A variable of a batch: the inputs that it reads, or the shortage because of which it is skipped. */
export interface PlannedVariable {
	readonly inputs: readonly Input[];
	/** null when the variable is read. */
	readonly shortage: Shortage | null;
}

/** The distinct series that a batch reads. A series that several inputs share is read once. */
export interface Plan {
	/** In the batch's order. */
	readonly variables: readonly PlannedVariable[];
	readonly keys: readonly SeriesKey[];
	/** The positions in `keys`, by `seriesId`. */
	readonly positions: ReadonlyMap<string, number>;
}

/**
 * Plans the reading of a batch of variables within the limits of one request (shared/domain/reading/README.md#budgets). Variables that read
 * newest values only are served first, then the others in the batch's order, each that fits in what is left.
 * @example
 * const { keys } = planOf([flow, sameFlowInAnotherUnit]); // one series
 */
export function planOf(variables: readonly Variable[]): Plan {
	const batch = variables.map(inputsOf);
	const servingOrder = [...batch.filter(isNewest), ...batch.filter((inputs) => !isNewest(inputs))];
	const budget = createBudget();
	const positions = new Map<string, number>();
	const keys: SeriesKey[] = [];
	const planned = new Map<readonly Input[], PlannedVariable>();
	for (const inputs of servingOrder) {
		const unread = distinctOf(inputs).filter(({ seriesId }) => !positions.has(seriesId));
		// Whether a variable that is too large is read must not depend on the others, which may read some of its series already.
		const sharesSeries = unread.length < inputs.length;
		const shortage = (sharesSeries ? shortageAlone(inputs) : null) ?? take(budget, unread, inputs);
		planned.set(inputs, { inputs, shortage });
		if (shortage !== null) continue;
		for (const { seriesId, key } of unread) positions.set(seriesId, keys.push(key) - 1);
	}
	return { variables: batch.flatMap((inputs) => planned.get(inputs) ?? []), keys, positions };
}

/** Returns what a variable would lack even if nothing else were read, so that it could never be read; null when it fits. */
export function shortageOf(variable: Variable): Shortage | null {
	return shortageAlone(inputsOf(variable));
}

/**
 * The inputs of a calculated history share the longest lookback and the longest period, so that their windows are the same; each
 * keeps its own aggregate.
 */
function inputsOf(variable: Variable): readonly Input[] {
	const queries = [...variable.varsTsdb];
	const isShared = variable.calc && variable.type === 'history';
	const lookback = isShared ? longest(queries.map(([, query]) => lookbackOf(query))) : undefined;
	const period = isShared ? longest(queries.map(([, query]) => periodOf(query))) : undefined;
	return queries.map(([name, query]) => {
		const [ownLookback, ownPeriod] = [lookbackOf(query), periodOf(query)];
		const key = keyOf(query, variable.type, lookback ?? ownLookback, period ?? ownPeriod);
		// The properties of a key are always in the same order, so equal keys have equal texts.
		return { name, key, seriesId: JSON.stringify(key), lookback: ownLookback, staleAfterMs: maxAgeOf(ownPeriod) };
	});
}

const longest = (durations: readonly Duration[]): Duration | undefined => durations.toSorted((a, b) => b.ms - a.ms)[0];

/** Returns the series that a query reads: the newest sample, the newest window, or all windows. */
function keyOf(query: Query, type: Variable['type'], lookback: Duration, period: Duration): SeriesKey {
	const { calc_type_period: aggregate } = query;
	const series = seriesOfQuery(query);
	if (type === 'last' && aggregates[aggregate].ofQuery === 'newest') return { read: 'newest', ...series, lookback };
	return { read: type === 'last' ? 'trailing' : 'history', ...series, lookback, period, aggregate };
}

/** Whether a variable reads newest samples only, also where it has no inputs. */
const isNewest = (inputs: readonly Input[]): boolean => inputs.every(({ key }) => key.read === 'newest');

const distinctOf = (inputs: readonly Input[]): readonly Input[] =>
	inputs.length === 1 ? inputs : [...new Map(inputs.map((input) => [input.seriesId, input])).values()];

const shortageAlone = (inputs: readonly Input[]): Shortage | null => take(createBudget(), distinctOf(inputs), inputs);

/**
 * Subtracts the needs of a variable from the budget. Returns the shortage, and subtracts nothing, when it does not fit.
 * @param unread those of its distinct series that no variable served before reads
 */
function take(budget: Budget, unread: readonly Input[], inputs: readonly Input[]): Shortage | null {
	return budget.take(
		unread.map(({ key }) => key),
		pointsOf(inputs),
	);
}

/** The number of points that a variable answers with. The inputs of a calculated history share their windows. */
const pointsOf = (inputs: readonly Input[]): number =>
	Math.max(1, ...inputs.map(({ key }) => (key.read === 'history' ? windowsOf(key) : 1)));
