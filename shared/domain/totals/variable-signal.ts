import type { CompiledEquation } from '../equation/compile.ts';
import type { RawSamples } from '../ports/sample-reader.ts';
import { periodOf, type Query } from '../variable/query.ts';
import { mergeSignals } from './combine-signals.ts';
import { type JoinedSignal, joinSources } from './join-sources.ts';
import { bitSignal, type Signal } from './signal.ts';

/** The shortest hold that follows from a query, in milliseconds. */
const minHoldMs = 60_000;

/** The samples that one query of a variable read. */
export interface QuerySamples {
	/** The query's name in varsTsdb. */
	readonly name: string;
	readonly query: Query;
	readonly samples: RawSamples;
	/** From when on all samples were read, epoch milliseconds. Before it, the newest one of each source was read at most. */
	readonly from: number;
}

/** How the samples of a variable become its signal. */
export interface SignalReading {
	/** How long a sample holds, in milliseconds; undefined: `ownHoldMs` of the query. */
	readonly holdMs?: number | undefined;
	/** The formula of a calculated variable. */
	readonly equation?: CompiledEquation | undefined;
	/** The position of the bit that is read of a byte. */
	readonly bit?: number | undefined;
	/** Changes the variable's signal before its bit is taken: corrections of a byte apply to all its bits. */
	readonly rewrite?: ((signal: Signal) => Signal) | undefined;
}

/**
 * Returns how long a sample of a query holds: two own periods, and a minute at least (shared/domain/totals/README.md#signals).
 * @returns milliseconds; null where the query aggregates windows, which do not say how often the source reports
 */
export function ownHoldMs(query: Query): number | null {
	return query.calc_type_period === 'last' ? Math.max(minHoldMs, 2 * periodOf(query).ms) : null;
}

/**
 * Returns the signal of a variable, with the times in which several sources of one of its queries are known.
 * @param querySamples the samples of every query of the variable, each query once
 * @throws RangeError when a query has no hold, or the formula has a name that was not read
 */
export function signalOfVariable(
	querySamples: readonly QuerySamples[],
	{ holdMs, equation, bit, rewrite = (signal) => signal }: SignalReading,
): JoinedSignal {
	const inputs = new Map(
		querySamples.map(({ name, query, samples, from }) => {
			const hold = holdMs ?? ownHoldMs(query);
			if (hold === null) throw new RangeError('A query of windows needs a hold.');
			return [name, joinSources(samples, from, hold)];
		}),
	);
	const signals = new Map([...inputs].map(([name, { signal }]) => [name, signal]));
	const own = equation === undefined ? onlyOf(signals) : calculated(equation, signals);
	// A formula makes new samples: the sources of its inputs changed all the same.
	const handovers = Float64Array.from([...signals.values()].flatMap((input) => [...(input.handovers ?? [])])).sort();
	const whole = rewrite(handovers.length === 0 ? own : { ...own, handovers });
	return {
		signal: bit === undefined ? whole : bitSignal(whole, bit),
		overlaps: [...inputs.values()].flatMap(({ overlaps }) => overlaps),
	};
}

function onlyOf(signals: ReadonlyMap<string, Signal>): Signal {
	const [signal] = signals.values();
	if (signal === undefined) throw new RangeError('A variable without a query has no signal.');
	return signal;
}

function calculated(equation: CompiledEquation, signals: ReadonlyMap<string, Signal>): Signal {
	const inputs = equation.names.map((name) => {
		const input = signals.get(name);
		if (input === undefined) throw new RangeError('An input of the formula was not read.');
		return input;
	});
	const slots = equation.createSlots();
	const change = (slot: number, value: number): void => {
		slots[slot] = value;
	};
	// An input that is not known is NaN. The formula has a value all the same where it does not need that input.
	return mergeSignals(inputs, change, () => equation.evaluate(slots));
}
