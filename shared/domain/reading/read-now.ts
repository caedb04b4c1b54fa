import { type CompiledEquation, compileEquation } from '../equation/compile.ts';
import type { Token } from '../equation/token.ts';
import { createLruCache } from '../lru-cache.ts';
import { bitOf, isByte } from '../variable/byte.ts';
import type { BitCompressedVariable, SimpleVariable, Variable } from '../variable/variable.ts';
import { evaluateCalculated } from './calculated.ts';
import type { DefinitionCache } from './definition-cache.ts';
import { type InputResult, newestPointOf } from './input.ts';
import { planOf } from './plan.ts';
import { bad, worstOf } from './quality.ts';
import type { Evaluation, HistoryPoint, Reading, ReadingContent } from './reading.ts';
import type { SeriesReader } from './shared-reads.ts';
import { skippedVariable } from './skipped.ts';

/** The dependencies of reading variables: their definitions and the time series. */
export interface ReadingDeps {
	readonly definitions: DefinitionCache;
	readonly timeSeries: SeriesReader;
}

/** The time-series database of the tenant, and the time of the reading in whole epoch milliseconds. All reads of a request have the same `now`. */
export interface ReadContext {
	readonly database: string;
	readonly now: number;
	/** Whether to read even if another request has just read the same series (shared/domain/reading/README.md#shared-reads). */
	readonly anew?: boolean;
}

/** Most compiled equations that a process keeps. */
const maxCompiledEquations = 2000;

const compile = createCompiler();

/**
 * Reads variables at one moment, in their order. All their distinct series are read in one call. A variable that does not fit into
 * what one request may read is skipped, and its reading says why (shared/domain/reading/README.md#budgets).
 * @throws DomainError the errors of `TimeSeries.read`
 */
export async function readNow(
	timeSeries: SeriesReader,
	{ database, now: requestedAt, anew }: ReadContext,
	variables: readonly Variable[],
): Promise<readonly Reading[]> {
	const plan = planOf(variables);
	const noSeries = { now: requestedAt, results: [] };
	const { now, results } = plan.keys.length === 0 ? noSeries : await timeSeries.read(database, plan.keys, requestedAt, anew);
	return variables.map((variable, index) => {
		const { inputs, shortage } = plan.variables[index] ?? { inputs: [], shortage: null };
		if (shortage !== null) return skippedVariable(variable, shortage);
		const read = inputs.map((input): InputResult => {
			const result = results[plan.positions.get(input.seriesId) ?? -1];
			if (result === undefined) throw new RangeError('The time series returned fewer results than the keys it was given.');
			return { ...input, result };
		});
		const { id, name, unit, type } = variable;
		return { id, name, unit, type, ...evaluate(variable, read, now) };
	});
}

/** Creates a compiler that keeps the most recently used equations, by their tokens. */
export function createCompiler(): (tokens: readonly Token[]) => CompiledEquation {
	const cache = createLruCache<string, CompiledEquation>(maxCompiledEquations);
	return (tokens) => {
		const text = JSON.stringify(tokens.map(({ type, value }) => [type, value]));
		const cached = cache.get(text);
		if (cached !== undefined) return cached;
		const compiled = compileEquation(tokens);
		cache.set(text, compiled);
		return compiled;
	};
}

function evaluate(variable: Variable, inputs: readonly InputResult[], now: number): Evaluation {
	if (variable.calc) return evaluateCalculated(variable, inputs, compile(variable.equation), now);
	const [input] = inputs;
	if (input === undefined) throw new RangeError(`Variable ${variable.id} has no query.`);
	return evaluateSingle(variable, input, now);
}

/**
 * Evaluates a variable with one query. A value of a bit-compressed variable that is not a byte becomes null; if it is the newest
 * value, the quality is `bad` with the code `not_a_byte`.
 */
function evaluateSingle(variable: SimpleVariable | BitCompressedVariable, input: InputResult, now: number): Evaluation {
	const isValid = variable.binary_compressed ? isByte : () => true;
	const newest = newestPointOf(input, now);
	const isInvalid = newest.value !== null && !isValid(newest.value);
	const value = isInvalid ? null : newest.value;
	const { quality, reason } = worstOf([isInvalid ? { ...newest, ...bad('not_a_byte') } : newest]);
	const bits = variable.binary_compressed
		? variable.bits.map(({ id, name, bit }) => ({ id, name, bit, value: value === null ? null : bitOf(value, bit) }))
		: null;
	const content: ReadingContent =
		variable.type === 'last' ? { type: 'last', value, time: newest.time } : { type: 'history', series: pointsOf(input, isValid) };
	return { content, quality, reason, bits, inputTimes: null };
}

/** Returns the points of a history. A value that is not valid becomes null. */
function pointsOf({ result }: InputResult, isValid: (value: number) => boolean): readonly HistoryPoint[] {
	if ('fault' in result) return [];
	return result.times.map((time, index) => {
		const value = result.values[index] ?? null;
		return [time, value !== null && isValid(value) ? value : null];
	});
}
