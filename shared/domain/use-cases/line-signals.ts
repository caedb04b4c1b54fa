import type { Correction } from '../board/correction.ts';
import type { RawSamples, SampleKey, SampleReader, SamplesResult } from '../ports/sample-reader.ts';
import { createCompiler } from '../reading/read-now.ts';
import { applyCorrections, correctedSpans } from '../totals/apply-corrections.ts';
import type { LineSource } from '../totals/fold-lines.ts';
import type { SamplePlan, VariableLine } from '../totals/sample-plan.ts';
import { countBefore, newestNumberBefore } from '../totals/signal.ts';
import { signalOfVariable } from '../totals/variable-signal.ts';

/** The most times that an older base of a counter is read because the base before it lies under a correction. */
const maxOlderBases = 20;

const compile = createCompiler();

/** The data from which the signals of lines are made. */
interface SignalParts {
	readonly reader: SampleReader;
	readonly database: string;
	readonly plan: SamplePlan;
	/** The samples of each key of the plan. */
	readonly results: readonly SamplesResult[];
	readonly corrections: ReadonlyMap<number, readonly Correction[]>;
	/** The beginning of the range, epoch milliseconds. */
	readonly start: number;
}

/** Returns a function that returns the signal of a line. Lines that read a variable in the same way share it. */
export function createSources(parts: SignalParts): (each: VariableLine) => Promise<LineSource> {
	const signals = new Map<string, Promise<LineSource>>();
	return (each) => {
		const { varId, bit, holdMs } = each.line;
		const name = JSON.stringify([varId, bit, holdMs, isCounter(each), hasBase(each)]);
		const source = signals.get(name) ?? correctedSource(each, parts);
		signals.set(name, source);
		return source;
	};
}

/**
 * Returns the corrected signal of a line. If the line counts differences, and corrections cover every sample before the range, older
 * samples are read: the first difference begins at the newest valid sample.
 */
async function correctedSource(each: VariableLine, parts: SignalParts): Promise<LineSource> {
	const { plan, results, corrections, start } = parts;
	const own = corrections.get(each.line.varId) ?? [];
	const [query] = each.variable.varsTsdb.values();
	const position = query === undefined ? -1 : plan.positionOf(query);
	const key = plan.keys[position];
	// A formula has several series, and older samples are read of one.
	const mayNeedOlder = own.length > 0 && hasBase(each) && !each.variable.calc;
	let resultAt = (index: number): SamplesResult | undefined => results[index];
	for (let round = 1; ; round += 1) {
		const source = signalSource(each, plan, resultAt, own);
		if (!mayNeedOlder || key === undefined || !('signal' in source)) return source;
		const { times, values } = source.signal;
		// Windows of an increase are (a, b], so a reading at the start is a base, too. Those of starts are [a, b).
		const next = countBefore(times, isCounter(each) ? start + 1 : start);
		const baseAt = times[newestNumberBefore(values, next)] ?? Number.NEGATIVE_INFINITY;
		const samples = resultAt(position);
		if (round > maxOlderBases || samples === undefined || 'fault' in samples) return source;
		const older = await olderSamples(parts, key, samples, own, baseAt);
		if (older === null) return source;
		resultAt = () => older;
	}
}

/**
 * Returns the samples together with an older one, from before the corrections that cover the oldest of them. Null when there is no older
 * sample, or when it would not be the newest valid one before the range.
 * @param baseAt the time of the newest valid reading before the range. A correction may have set that reading; then a sample that was not
 * read yet may be newer.
 */
async function olderSamples(
	{ reader, database }: SignalParts,
	key: SampleKey,
	{ times, values }: RawSamples,
	corrections: readonly Correction[],
	baseAt: number,
): Promise<RawSamples | null> {
	const oldest = times.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);
	// No sample before the range was read, so there is none.
	if (oldest >= key.from) return null;
	const spans = correctedSpans(corrections);
	let covering = spans.findIndex(({ start, stop }) => start <= oldest && oldest < stop);
	if (covering < 0) return null;
	// Spans that meet cover the oldest sample together.
	while (spans[covering - 1]?.stop === spans[covering]?.start) covering -= 1;
	const from = spans[covering]?.start ?? oldest;
	if (key.baseFrom === undefined || from <= Math.max(key.baseFrom, baseAt)) return null;
	// Reads the samples at `from`, and the newest one before it (`SampleKey.baseFrom`).
	const [found] = await reader.readSamples(database, [{ ...key, from, to: from }]);
	if (found === undefined || 'fault' in found || !found.times.some((time) => time < oldest)) return null;
	return {
		times: Float64Array.of(...found.times, ...times),
		values: Float64Array.of(...found.values, ...values),
	};
}

/** Whether a line counts differences of samples. The first difference begins at a sample before the range. */
const hasBase = ({ line }: VariableLine): boolean => isCounter({ line }) || line.asked.function === 'starts';

/** Whether a line reads its variable as a counter. */
export const isCounter = ({ line }: Pick<VariableLine, 'line'>): boolean => line.asked.function === 'increase';

function signalSource(
	{ line, variable }: VariableLine,
	plan: SamplePlan,
	resultAt: (position: number) => SamplesResult | undefined,
	corrections: readonly Correction[],
): LineSource {
	const inputs = [];
	for (const [name, query] of variable.varsTsdb) {
		const samples = resultAt(plan.positionOf(query));
		if (samples === undefined) throw new RangeError('The reader returned fewer results than the keys it was given.');
		if ('fault' in samples) return samples;
		inputs.push({ name, query, samples });
	}
	const signal = signalOfVariable(inputs, {
		holdMs: line.holdMs,
		equation: variable.calc ? compile(variable.equation) : undefined,
		bit: line.bit,
		rewrite: (whole) => applyCorrections(whole, corrections, { isCounter: isCounter({ line }) }),
	});
	return { signal };
}
