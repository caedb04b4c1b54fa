import type { SeriesKey } from '../ports/time-series.ts';
import type { Duration } from '../variable/duration.ts';
import { lookbackOf, periodOf, type Query } from '../variable/query.ts';
import type { Variable } from '../variable/variable.ts';
import { windowCount } from '../variable/window.ts';

/** A query of a variable with the series that it reads. */
export interface Input {
	/** The query's name in varsTsdb. */
	readonly name: string;
	readonly key: SeriesKey;
	/** Age beyond which the newest sample is stale: twice the period, at least 60 s (DESIGN.md section 5.5). */
	readonly staleAfterMs: number;
}

/** The inputs and the distinct series of a batch. A series that several inputs share is read once. */
export interface Plan {
	/** Each variable's inputs, in the batch's order. */
	readonly inputs: readonly (readonly Input[])[];
	readonly keys: readonly SeriesKey[];
	/** Returns the position in `keys` of an input's series. */
	readonly positionOf: (key: SeriesKey) => number;
	/** Number of windows to read or to answer, whichever is larger. */
	readonly windows: number;
}

/**
 * Plans the reading of a batch of variables (DESIGN.md section 5.6).
 * @example
 * const { keys, windows } = planOf([flow, sameFlowInAnotherUnit]); // keys has one series
 */
export function planOf(variables: readonly Variable[]): Plan {
	const inputs = variables.map(inputsOf);
	const positions = new Map<string, number>();
	const keys: SeriesKey[] = [];
	for (const { key } of inputs.flat()) {
		const text = textOf(key);
		if (positions.has(text)) continue;
		positions.set(text, keys.length);
		keys.push(key);
	}
	const read = keys.reduce((sum, key) => sum + windowsToRead(key), 0);
	const answered = inputs.reduce((sum, each) => sum + windowsToAnswer(each), 0);
	return { inputs, keys, positionOf: (key) => positions.get(textOf(key)) ?? -1, windows: Math.max(read, answered) };
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
	return queries.map(([name, query]) =>
		inputOf(name, query, variable.type, lookback ?? lookbackOf(query), period ?? periodOf(query)),
	);
}

const longest = (durations: readonly Duration[]): Duration | undefined => durations.toSorted((a, b) => b.ms - a.ms)[0];

const minStaleAfterMs = 60_000;

function inputOf(name: string, query: Query, type: Variable['type'], lookback: Duration, period: Duration): Input {
	const { calc_topic: topic, calc_field: field, calc_type_period: aggregate } = query;
	const key: SeriesKey =
		type === 'last' && aggregate === 'last'
			? { read: 'newest', topic, field, lookback }
			: { read: type === 'last' ? 'trailing' : 'history', topic, field, lookback, period, aggregate };
	return { name, key, staleAfterMs: Math.max(minStaleAfterMs, 2 * period.ms) };
}

/** A text that is equal for equal series. Only `inputOf` creates keys, so their properties are always in the same order. */
const textOf = (key: SeriesKey): string => JSON.stringify(key);

/** The number of windows of a series, as counted against the limit; calendar periods may have up to a fifth more, plus 2. */
const windowsToRead = (key: SeriesKey): number => (key.read === 'newest' ? 1 : windowCount(key.lookback, key.period));

/** The number of points that a variable answers with, counted in the same way. The inputs of a calculated history share their windows. */
const windowsToAnswer = (inputs: readonly Input[]): number =>
	Math.max(1, ...inputs.map(({ key }) => (key.read === 'history' ? windowsToRead(key) : 1)));
