import type { Correction } from '../board/correction.ts';
import type { RawSamples, SampleKey, SampleReader, SamplesResult } from '../ports/sample-reader.ts';
import { createCompiler } from '../reading/read-now.ts';
import { applyCorrections, correctedSpans, effectiveCorrections } from './apply-corrections.ts';
import type { LineSource } from './fold-lines.ts';
import { joinParts, nameOfSource, overlapsOutside } from './join-sources.ts';
import type { SamplePlan, VariableLine } from './sample-plan.ts';
import { countBefore, newestNumberBefore } from './signal.ts';
import { signalOfVariable } from './variable-signal.ts';

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
		const name = signalName(each);
		const source = signals.get(name) ?? correctedSource(each, parts);
		signals.set(name, source);
		return source;
	};
}

/** Returns a name of the signal of a line. Lines that read a variable in the same way have the same. */
export function signalName(each: VariableLine): string {
	const { varId, bit, holdMs } = each.line;
	return JSON.stringify([varId, bit, holdMs, isCounter(each), hasBase(each)]);
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
	const result = results[position];
	let read = result === undefined || 'fault' in result || key === undefined ? null : { samples: result, from: key.from };
	for (let round = 1; ; round += 1) {
		const source = signalSource(each, parts, own, mayNeedOlder ? read : null);
		if (!mayNeedOlder || key === undefined || read === null || !('signal' in source)) return source;
		const { times, values } = source.signal;
		// Windows of an increase are (a, b], so a reading at the start is a base, too. Those of starts are [a, b).
		const next = countBefore(times, isCounter(each) ? start + 1 : start);
		const baseAt = times[newestNumberBefore(values, next)] ?? Number.NEGATIVE_INFINITY;
		if (round > maxOlderBases) return source;
		const older = await olderSamples(parts, key, read, own, baseAt);
		if (older === null) return source;
		read = older;
	}
}

/** The samples of a series. From `from` on all of them were read, and before it the newest one of each source. */
interface ReadSamples {
	readonly samples: RawSamples;
	readonly from: number;
}

/**
 * Returns the samples together with an older one of each source, from before the corrections that cover the oldest of them. Null when there
 * is no older sample, or when it would not be the newest valid one before the range.
 * @param baseAt the time of the newest valid reading before the range. A correction may have set that reading; then a sample that was not
 * read yet may be newer.
 */
async function olderSamples(
	{ reader, database }: SignalParts,
	key: SampleKey,
	{ samples, from: readFrom }: ReadSamples,
	corrections: readonly Correction[],
	baseAt: number,
): Promise<ReadSamples | null> {
	// Of several sources the newest base counts (`joinSources`).
	const bases = samples.flatMap(({ times: [first = readFrom] }) => (first < readFrom ? [first] : []));
	const oldest = Math.max(...bases);
	// No sample before the range was read, so there is none.
	if (bases.length === 0) return null;
	const spans = correctedSpans(corrections);
	let covering = spans.findIndex(({ start, stop }) => start <= oldest && oldest < stop);
	if (covering < 0) return null;
	// Spans that meet cover the oldest sample together.
	while (spans[covering - 1]?.stop === spans[covering]?.start) covering -= 1;
	const from = spans[covering]?.start ?? oldest;
	if (key.baseFrom === undefined || from <= Math.max(key.baseFrom, baseAt)) return null;
	// Reads the samples at `from`, and the newest one of each source before it (`SampleKey.baseFrom`).
	const [found] = await reader.readSamples(database, [{ ...key, from, to: from }]);
	if (found === undefined || 'fault' in found || !found.some(({ times }) => times.some((time) => time < oldest))) return null;
	// A sample that was read already counts once.
	const readTimes = new Map(samples.map((source) => [nameOfSource(source), source.times[0] ?? Number.POSITIVE_INFINITY]));
	const older = found.map(({ tags, times, values }) => {
		const count = countBefore(times, readTimes.get(nameOfSource({ tags })) ?? Number.POSITIVE_INFINITY);
		return { tags, times: times.subarray(0, count), values: values.subarray(0, count) };
	});
	return { samples: joinParts([...older, ...samples]), from };
}

/** Whether a line counts differences of samples. The first difference begins at a sample before the range. */
const hasBase = ({ line }: VariableLine): boolean => isCounter({ line }) || line.asked.function === 'starts';

/** Whether a line reads its variable as a counter. */
export const isCounter = ({ line }: Pick<VariableLine, 'line'>): boolean => line.asked.function === 'increase';

/**
 * Returns the corrected signal of a line. An input of a formula that cannot be read is unknown; its fault is that of the line where the formula
 * has no value at any time.
 * @param read what is taken in place of the samples of its only query; null: nothing
 */
function signalSource(
	{ line, variable }: VariableLine,
	{ plan, results }: SignalParts,
	corrections: readonly Correction[],
	read: ReadSamples | null,
): LineSource {
	const inputs = [];
	let faulted: Extract<SamplesResult, { readonly fault: unknown }> | undefined;
	for (const [name, query] of variable.varsTsdb) {
		const position = plan.positionOf(query);
		const [samples, key] = [results[position], plan.keys[position]];
		if (samples === undefined || key === undefined)
			throw new RangeError('The reader returned fewer results than the keys it was given.');
		const isFaulted = 'fault' in samples;
		if (isFaulted) faulted ??= samples;
		inputs.push({ name, query, ...(read ?? { samples: isFaulted ? [] : samples, from: key.from }) });
	}
	if (faulted !== undefined && !variable.calc) return faulted;
	const use = { isCounter: isCounter({ line }) };
	const { signal, overlaps } = signalOfVariable(inputs, {
		holdMs: line.holdMs,
		equation: variable.calc ? compile(variable.equation) : undefined,
		bit: line.bit,
		rewrite: (whole) => applyCorrections(whole, corrections, use),
	});
	if (faulted !== undefined && !signal.values.some(Number.isFinite)) return faulted;
	return { signal, overlaps: overlapsOutside(overlaps, correctedSpans(effectiveCorrections(corrections, use))) };
}
