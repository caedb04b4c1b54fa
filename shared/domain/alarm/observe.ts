import type { Alarm } from '../board/alarm.ts';
import { emptySeries, type SeriesResult } from '../ports/time-series.ts';
import { createCompiler } from '../reading/read-now.ts';
import { bitOf, isByte } from '../variable/byte.ts';
import type { CalculatedVariable, Variable } from '../variable/variable.ts';
import { type ObservedInput, observedInputsOf, type Piece, type PieceReads, type PieceSeries, sourcesOf } from './piece.ts';

/** The value of an alarm's variable at one instant. Times are epoch milliseconds. */
export interface Observation {
	readonly at: number;
	/** Null: not usable. */
	readonly value: number | null;
	/** When the oldest input was sampled: the end of the step of its sample. Has a meaning only for a usable value. */
	readonly sampledAt: number;
	/** `good`: usable. `no_data`: no sample of an input is known. `bad`: a sample or the result is no number. */
	readonly quality: 'good' | 'no_data' | 'bad';
	/** Names of inputs. If the value is unusable: those that make it so. If it is usable: those with the oldest sample. */
	readonly inputs: readonly string[];
	/** Of an unusable value: names of those inputs of which several sources are known. Left out where there are none. */
	readonly several?: readonly string[];
}

/**
 * Observes the value of an alarm over a piece, as the listing of alarms would show it: always with type last and aggregate last, and with
 * stale values. There is an observation at `from`, at the end of each step with a sample of any input, and where a sample is no longer
 * known (shared/domain/alarm/README.md#observations). They come in ascending order. A formula without variables is observed at each step.
 */
export function* observe(
	{ bit }: Pick<Alarm, 'bit'>,
	variable: Variable,
	reads: PieceReads,
	piece: Piece,
): Generator<Observation, void> {
	const inputs = observedInputsOf(variable).map((input) => createInput(input, reads(input), piece));
	const tracks = inputs.flatMap((input) => input.tracks);
	const evaluator = evaluatorOf(variable, bit, inputs);
	for (let at = piece.from; at <= piece.to; at = nextInstant(tracks, at, piece.stepMs)) {
		for (const track of tracks) moveTo(track, at);
		for (const input of inputs) input.known = knownOf(input);
		yield observationAt(at, inputs, evaluator);
	}
}

/** A sample, known from `at` until the next one or until `endsAt`. A faulted sample has no value. */
interface KnownSample {
	readonly at: number;
	readonly value: number | null;
	readonly endsAt: number;
	/** There is no value because several sources have one. */
	readonly isOfSeveral?: true;
}

/** An input with its sources, and the sample that is known of them together. */
interface TrackedInput {
	readonly name: string;
	readonly tracks: readonly Track[];
	known: KnownSample | null;
}

/** A source with its samples in ascending order, and the one that is known at the present instant. */
interface Track {
	readonly samples: readonly KnownSample[];
	/** Position of the first sample after the present instant. */
	next: number;
	known: KnownSample | null;
}

/** Creates an input with the track of each of its sources. */
function createInput(input: ObservedInput, { newest, history }: PieceSeries, piece: Piece): TrackedInput {
	const names = sourcesOf({ newest, history });
	const ofSource = (result: SeriesResult, name: string): SeriesResult =>
		'fault' in result || result.sources === undefined ? result : (result.sources.get(name) ?? emptySeries);
	const sources =
		names.length === 0
			? [{ newest, history }]
			: names.map((name) => ({ newest: ofSource(newest, name), history: ofSource(history, name) }));
	return { name: input.name, tracks: sources.map((source) => createTrack(input, source, piece)), known: null };
}

/**
 * Returns the sample that is known of all sources (shared/domain/totals/README.md#sources): where several have a usable value, it has none.
 */
function knownOf({ tracks }: TrackedInput): KnownSample | null {
	const known = tracks.flatMap((track) => track.known ?? []);
	const [only, ...others] = known.filter(({ value }) => value !== null);
	if (only === undefined) return known[0] ?? null;
	return others.length === 0 ? only : { ...only, value: null, isOfSeveral: true };
}

/** Creates the track of a source. When its history has a fault, it has no value from the first step of the piece to the end. */
function createTrack({ lookbackMs }: ObservedInput, { newest, history }: PieceSeries, piece: Piece): Track {
	const before = samplesOf(newest, piece.from, lookbackMs, piece.stepMs);
	const within =
		'fault' in history
			? [{ at: piece.from + piece.stepMs, value: null, endsAt: Number.POSITIVE_INFINITY }]
			: samplesOf(history, piece.from, lookbackMs, piece.stepMs);
	return { samples: [...before, ...within], next: 0, known: null };
}

/**
 * Returns the samples of a result; for a fault, one faulted sample at `from`. A time up to `from` belongs to the newest sample before the piece, which counts from the end of its
 * step. A time after `from` is the end of a window and so the end of a step.
 */
function samplesOf(result: SeriesResult, from: number, lookbackMs: number, stepMs: number): readonly KnownSample[] {
	if ('fault' in result) return [{ at: from, value: null, endsAt: from + lookbackMs }];
	return result.times.map((time, index) => {
		const at = time > from ? time : Math.min(from, (Math.floor(time / stepMs) + 1) * stepMs);
		return { at, value: result.values[index] ?? null, endsAt: at + lookbackMs };
	});
}

/** Moves a track to a later instant: takes its samples until then, and drops one that is no longer known. */
function moveTo(track: Track, at: number): void {
	for (let sample = track.samples[track.next]; sample !== undefined && sample.at <= at; sample = track.samples[track.next]) {
		track.known = sample;
		track.next += 1;
	}
	if (track.known !== null && track.known.endsAt <= at) track.known = null;
}

/** Returns when the value can change next: at the next sample of any input, or when a sample is no longer known. Infinity: never. */
function nextInstant(tracks: readonly Track[], at: number, stepMs: number): number {
	if (tracks.length === 0) return at + stepMs;
	let next = Number.POSITIVE_INFINITY;
	for (const { samples, next: position, known } of tracks)
		next = Math.min(next, samples[position]?.at ?? next, known?.endsAt ?? next);
	return next;
}

/** How the value follows from the operands, in the order of the inputs. An operand that is not known is NaN. */
interface Evaluator {
	/** Returns the inputs that the value depends on. */
	readonly needed: (operands: readonly number[]) => readonly TrackedInput[];
	/** Returns the value where all needed operands are known, or why there is none. */
	readonly evaluate: (operands: readonly number[]) => number | Pick<Observation, 'quality' | 'inputs'>;
}

/** Returns the observation of what is known of all inputs. Without a usable value its `sampledAt` has no meaning. */
function observationAt(at: number, inputs: readonly TrackedInput[], { needed, evaluate }: Evaluator): Observation {
	const operands = inputs.map(({ known }) => known?.value ?? Number.NaN);
	const neededInputs = needed(operands);
	let sampledAt = at;
	for (const { known } of neededInputs) {
		if (known === null || known.value === null) return { at, value: null, sampledAt: at, ...causeIn(neededInputs) };
		sampledAt = Math.min(sampledAt, known.at);
	}
	const value = evaluate(operands);
	if (typeof value !== 'number') return { at, value: null, sampledAt: at, ...value };
	return { at, value, sampledAt, quality: 'good', inputs: namesOf(neededInputs, ({ known }) => known?.at === sampledAt) };
}

/** Returns why there is no value. Inputs whose sample has no number are named rather than inputs without a sample. */
function causeIn(inputs: readonly TrackedInput[]): Pick<Observation, 'quality' | 'inputs' | 'several'> {
	const faulted = namesOf(inputs, ({ known }) => known !== null && known.value === null);
	const several = namesOf(inputs, ({ known }) => known?.isOfSeveral === true);
	if (faulted.length > 0) return { quality: 'bad', inputs: faulted, ...(several.length === 0 ? {} : { several }) };
	return { quality: 'no_data', inputs: namesOf(inputs, ({ known }) => known === null) };
}

const namesOf = (inputs: readonly TrackedInput[], isNamed: (input: TrackedInput) => boolean): readonly string[] =>
	inputs.filter(isNamed).map(({ name }) => name);

/** Returns how the value follows from the inputs: by a formula, of a byte or one of its bits, or as the input itself. */
function evaluatorOf(variable: Variable, bit: number | undefined, inputs: readonly TrackedInput[]): Evaluator {
	const bad = { quality: 'bad', inputs: inputs.map(({ name }) => name) } as const;
	const needed = () => inputs;
	// A variable that is no longer bit-compressed has no such bit.
	if (bit !== undefined && !variable.binary_compressed) return { needed, evaluate: () => bad };
	if (variable.calc) return formulaOf(variable, inputs);
	if (!variable.binary_compressed) return { needed, evaluate: ([value]) => value ?? bad };
	return {
		needed,
		evaluate: ([byte]) => {
			if (byte === undefined || !isByte(byte)) return bad;
			return bit === undefined ? byte : bitOf(byte, bit);
		},
	};
}

const compile = createCompiler();

function formulaOf({ equation }: CalculatedVariable, inputs: readonly TrackedInput[]): Evaluator {
	const { names, createSlots, evaluate, reached, diagnose } = compile(equation);
	const positions = names.map((name) => inputs.findIndex((input) => input.name === name));
	const slots = createSlots();
	const fill = (operands: readonly number[]): void => {
		for (const [slot, position] of positions.entries()) slots[slot] = operands[position] ?? Number.NaN;
	};
	return {
		needed: (operands) => {
			fill(operands);
			const found = new Set(reached(slots).map((slot) => positions[slot]));
			return inputs.filter((_, position) => found.has(position));
		},
		evaluate: (operands) => {
			fill(operands);
			const value = evaluate(slots);
			return Number.isFinite(value) ? value : { quality: 'bad', inputs: diagnose(slots).names };
		},
	};
}
