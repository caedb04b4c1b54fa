import { setImmediate, setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { boundaryAt, cadenceMs, stepsBetween } from './backfill.ts';
import { step } from './model.ts';
import { type PlantSample, samplesOf } from './sensors.ts';
import { initialState, plantStateSchema } from './state.ts';

/** Samples that are written together while the past is filled. */
const samplesPerWrite = 5000;

/** Length of the past that is written before the first start resolves. Everything older is written behind it. */
const recentMs = 60 * 60_000;

/** If the clock is further behind the plant than this, it was set back. The plant then continues from the time of the clock. */
const clockSetBackMs = 60_000;

const boundarySchema = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.multipleOf(cadenceMs));

const savedPlantSchema = v.object({
	/** The time of `state`, epoch milliseconds. Every sample up to it is written, except those of `past`. */
	timeMs: boundarySchema,
	state: plantStateSchema,
	/** The time before the first start whose samples are not all written, epoch milliseconds. It begins with the initial state. */
	past: v.exactOptional(v.object({ fromMs: boundarySchema, toMs: boundarySchema })),
});

/** The part of a plant that outlives a restart, as plain JSON. */
export type SavedPlant = v.InferOutput<typeof savedPlantSchema>;

/** What a plant needs from the service. */
export interface PlantDeps {
	/** Stores samples. A sample replaces an earlier one of the same series and time. */
	readonly write: (samples: readonly PlantSample[]) => Promise<void>;
	/** Returns the state that `saveState` received last. The plant starts anew when the result is not such a state. */
	readonly loadState: () => unknown;
	readonly saveState: (saved: SavedPlant) => void | Promise<void>;
	/** Epoch milliseconds. */
	readonly now: () => number;
	/** How much of the past is filled at the first start, in milliseconds. */
	readonly pastMs: number;
	/**
	 * Called when a write fails after the start, once until one succeeds again. The plant retries with the next sample, and fills the past
	 * from its beginning.
	 */
	readonly onWriteFailed: (error: unknown) => void;
	/** Resolves after `ms` or when the signal is aborted. Default: a timer. */
	readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A simulated plant. */
export interface Plant {
	/**
	 * Writes the samples up to now, then one set every 5 s. The first start writes the samples of the last hour, and those of the last
	 * `pastMs` behind it. Later calls return the promise of the first. Resolves when the samples up to now are written, but for that past;
	 * rejects with the error of `write`, `loadState` or `saveState`.
	 */
	start(): Promise<void>;
	/** Resolves when the past of the first start is written, or the plant stops. */
	filled(): Promise<void>;
	/** Stops after the current write. The next plant continues from there. */
	stop(): Promise<void>;
}

/** Creates a plant that continues from its saved state. It does nothing before `start`. */
export function createPlant({ write, loadState, saveState, now, pastMs, onWriteFailed, pause = pauseOnTimer }: PlantDeps): Plant {
	const stopping = new AbortController();
	const { signal } = stopping;
	/** What is written; undefined before the state is loaded. */
	let written: SavedPlant | undefined;
	/** The result of `start`, and those of the live run and of the filling that follow. */
	let started: Promise<void> | undefined;
	let liveRun: Promise<void> | undefined;
	let filling: Promise<void> | undefined;

	const load = async (): Promise<SavedPlant> => {
		const saved = v.safeParse(savedPlantSchema, await loadState());
		return saved.success ? saved.output : firstPlant(boundaryAt(now() - pastMs), boundaryAt(now() - recentMs));
	};

	/** Writes the samples before the state: after a crash in between, the next start writes the same samples again. */
	const save = async (samples: readonly PlantSample[], plant: Pick<SavedPlant, 'state' | 'timeMs'>): Promise<void> => {
		await write(samples);
		const saved = { ...written, ...plant };
		await saveState(saved);
		written = saved;
	};

	const fillUpTo = async (toMs: number): Promise<void> => {
		written ??= await load();
		if (written.timeMs > toMs + clockSetBackMs) written = { ...written, timeMs: toMs };
		for (const { samples, plant } of batchesUpTo(toMs, written)) {
			await save(samples, plant);
			// Lets requests run in between, because a store may write synchronously.
			await setImmediate();
			if (signal.aborted) return;
		}
	};

	const runLive = async (): Promise<void> => {
		let isFailing = false;
		while (!signal.aborted) {
			const nowMs = now();
			await pause(boundaryAt(nowMs) + cadenceMs - nowMs, signal);
			if (signal.aborted) return;
			try {
				await fillUpTo(boundaryAt(now()));
				isFailing = false;
			} catch (error) {
				if (!isFailing) onWriteFailed(error);
				isFailing = true;
			}
		}
	};

	const fillPast = async (): Promise<void> => {
		let isFailing = false;
		while (written?.past !== undefined && !signal.aborted)
			try {
				const { fromMs, toMs } = written.past;
				for (const { samples } of batchesUpTo(toMs, { timeMs: fromMs, state: initialState })) {
					await write(samples);
					await setImmediate();
					if (signal.aborted) return;
				}
				const { past: _, ...filled } = written;
				written = filled;
				await saveState(filled);
			} catch (error) {
				if (!isFailing) onWriteFailed(error);
				isFailing = true;
				await pause(cadenceMs, signal);
			}
	};

	const startOnce = async (): Promise<void> => {
		await fillUpTo(boundaryAt(now()));
		liveRun = runLive();
		filling = fillPast();
	};

	return {
		start: () => {
			started ??= startOnce();
			return started;
		},
		filled: async () => {
			await started;
			await filling;
		},
		stop: async () => {
			stopping.abort();
			await started?.catch(() => undefined);
			await Promise.all([liveRun, filling]);
		},
	};
}

/** Returns a plant that is as old as `fromMs`, as it is at `toMs`, with that time as its past. */
function firstPlant(fromMs: number, toMs: number): SavedPlant {
	if (fromMs >= toMs) return { timeMs: fromMs, state: initialState };
	let state = initialState;
	for (const each of stepsBetween(fromMs, toMs)) state = step(state, each.fromMs, each.dtMs);
	return { timeMs: toMs, state, past: { fromMs, toMs } };
}

/** Yields the samples from the time of `saved` up to a later time, in batches. Each has the plant as it is at the end of the batch. */
function* batchesUpTo(toMs: number, saved: Pick<SavedPlant, 'state' | 'timeMs'>) {
	let { state, timeMs } = saved;
	let samples: PlantSample[] = [];
	for (const { fromMs, dtMs } of stepsBetween(timeMs, toMs)) {
		state = step(state, fromMs, dtMs);
		timeMs = fromMs + dtMs;
		samples.push(...samplesOf(state, timeMs));
		if (samples.length < samplesPerWrite) continue;
		yield { samples, plant: { state, timeMs } };
		samples = [];
	}
	if (samples.length > 0) yield { samples, plant: { state, timeMs } };
}

async function pauseOnTimer(ms: number, signal: AbortSignal): Promise<void> {
	try {
		await setTimeout(ms, undefined, { signal });
	} catch (error) {
		// An aborted timer rejects. The pause is over then, too.
		if (!signal.aborted) throw error;
	}
}
