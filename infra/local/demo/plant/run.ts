import { setImmediate, setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { boundaryAt, cadenceMs, stepsBetween } from './backfill.ts';
import { step } from './model.ts';
import { type PlantSample, samplesOf } from './sensors.ts';
import { initialState, plantStateSchema } from './state.ts';

/** Samples that are written together while the past is filled. */
const samplesPerWrite = 5000;

/** If the clock is further behind the plant than this, it was set back. The plant then continues from the time of the clock. */
const clockSetBackMs = 60_000;

const savedPlantSchema = v.object({
	/** The time of `state`, epoch milliseconds. Every sample up to it is written. */
	timeMs: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.multipleOf(cadenceMs)),
	state: plantStateSchema,
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
	/** Called when a live write fails, once until a write succeeds again. The plant retries with the next sample. */
	readonly onWriteFailed: (error: unknown) => void;
	/** Resolves after `ms` or when the signal is aborted. Default: a timer. */
	readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A simulated plant. */
export interface Plant {
	/**
	 * Writes the samples up to now, then one set every 5 s. The first start writes the samples of the last `pastMs`. Later calls return
	 * the promise of the first. Resolves when the past is written; rejects with the error of `write`, `loadState` or `saveState`.
	 */
	start(): Promise<void>;
	/** Stops after the current write. The next plant continues from there. */
	stop(): Promise<void>;
}

/** Creates a plant that continues from its saved state. It does nothing before `start`. */
export function createPlant({ write, loadState, saveState, now, pastMs, onWriteFailed, pause = pauseOnTimer }: PlantDeps): Plant {
	const stopping = new AbortController();
	const { signal } = stopping;
	/** What is written; undefined before the state is loaded. */
	let written: SavedPlant | undefined;
	/** The result of `start`, and that of the live run that follows. */
	let started: Promise<void> | undefined;
	let liveRun: Promise<void> | undefined;

	const load = async (): Promise<SavedPlant> => {
		const saved = v.safeParse(savedPlantSchema, await loadState());
		return saved.success ? saved.output : { timeMs: boundaryAt(now() - pastMs), state: initialState };
	};

	/** Writes the samples before the state: after a crash in between, the next start writes the same samples again. */
	const save = async (samples: readonly PlantSample[], plant: SavedPlant): Promise<void> => {
		await write(samples);
		await saveState(plant);
		written = plant;
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

	const startOnce = async (): Promise<void> => {
		await fillUpTo(boundaryAt(now()));
		liveRun = runLive();
	};

	return {
		start: () => {
			started ??= startOnce();
			return started;
		},
		stop: async () => {
			stopping.abort();
			await started?.catch(() => undefined);
			await liveRun;
		},
	};
}

/** Yields the samples from the time of `saved` up to a later time, in batches. Each has the plant as it is at the end of the batch. */
function* batchesUpTo(toMs: number, saved: SavedPlant) {
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
