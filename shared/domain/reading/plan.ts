import type { SeriesKey } from '../ports/time-series.ts';
import type { Duration } from '../variable/duration.ts';
import { lookbackOf, periodOf, type Query } from '../variable/query.ts';
import type { Variable } from '../variable/variable.ts';
import { windowCount } from '../variable/window.ts';

/** One query of a variable, as it is to be read. */
export interface Input {
	/** The query's name in varsTsdb. */
	readonly name: string;
	readonly key: SeriesKey;
	/** A newest sample older than this is stale: twice the period, at least 60 s (design section 3). */
	readonly staleAfterMs: number;
}

const minStaleAfterMs = 60_000;

/**
 * The queries that a variable is read by (design section 5). The inputs of a calculated history share the longest lookback
 * and the longest period, so that their windows meet; each keeps its own aggregate.
 */
export function inputsOf(variable: Variable): readonly Input[] {
	const queries = [...variable.varsTsdb];
	const shared = variable.calc && variable.type === 'history';
	const lookback = shared ? longest(queries.map(([, query]) => lookbackOf(query))) : undefined;
	const period = shared ? longest(queries.map(([, query]) => periodOf(query))) : undefined;
	return queries.map(([name, query]) =>
		inputOf(name, query, variable.type, lookback ?? lookbackOf(query), period ?? periodOf(query)),
	);
}

/** The distinct series of a batch: what is asked for twice is read once. */
export interface Plan {
	/** Each variable's inputs, in the batch's order. */
	readonly inputs: readonly (readonly Input[])[];
	readonly keys: readonly SeriesKey[];
	/** The position in `keys` of an input's series. */
	readonly positionOf: (key: SeriesKey) => number;
	/** The windows that will be read or answered, whichever are more. */
	readonly windows: number;
}

/** Plans the reading of a batch of variables. */
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

const longest = (durations: readonly Duration[]): Duration | undefined =>
	durations.reduce<Duration | undefined>((best, each) => (best === undefined || each.ms > best.ms ? each : best), undefined);

function inputOf(name: string, query: Query, read: 'last' | 'history', lookback: Duration, period: Duration): Input {
	const { calc_topic: topic, calc_field: field, calc_type_period: aggregate } = query;
	const key: SeriesKey =
		read === 'last' && aggregate === 'last'
			? { read: 'newest', topic, field, lookback }
			: { read: read === 'last' ? 'trailing' : 'history', topic, field, lookback, period, aggregate };
	return { name, key, staleAfterMs: Math.max(minStaleAfterMs, 2 * period.ms) };
}

const textOf = (key: SeriesKey): string =>
	JSON.stringify(
		key.read === 'newest'
			? [key.topic, key.field, durationText(key.lookback)]
			: [key.topic, key.field, durationText(key.lookback), durationText(key.period), key.aggregate, key.read],
	);

/** How many windows reading a series may take, known before it is read. */
const windowsToRead = (key: SeriesKey): number => (key.read === 'newest' ? 1 : windowCount(key.lookback, key.period));

/** How many points a variable may answer with: all inputs of a calculated one share their windows. */
const windowsToAnswer = (inputs: readonly Input[]): number =>
	Math.max(1, ...inputs.map(({ key }) => (key.read === 'history' ? windowsToRead(key) : 1)));

const durationText = ({ ms, months }: Duration): string => (months === undefined ? `${ms}` : `${months}mo`);
