import { setImmediate, setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { boundaryAt, cadenceMs, fineMs, stepsBetween } from './backfill.ts';
import { step } from './model.ts';
import { type Sample, samplesOf } from './series.ts';
import { initialState, plantStateSchema } from './state.ts';

/** Steps of one write: some 5,000 samples. */
const stepsPerWrite = 250;

/** A clock that is further behind the plant than this was set back: the plant goes on from the clock's time. */
const clockSetBackMs = 60_000;

const savedPlantSchema = v.object({
	/** The time that `state` stands for, epoch milliseconds. Everything up to it is written. */
	timeMs: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.multipleOf(cadenceMs)),
	state: plantStateSchema,
});

/** What a plant keeps over a restart. JSON holds it as it is. */
export type SavedPlant = v.InferOutput<typeof savedPlantSchema>;

/** What a plant needs of its surroundings. */
export interface PlantDeps {
	/** Stores samples; the same series and time again overwrite. */
	readonly write: (samples: readonly Sample[]) => Promise<void>;
	/** What `saveState` last took, or anything else where there is none or it cannot be read: the plant begins anew then. */
	readonly loadState: () => unknown;
	readonly saveState: (saved: SavedPlant) => void | Promise<void>;
	/** Epoch milliseconds. */
	readonly now: () => number;
	/** Is told when live writing fails, once until it succeeds again. The plant tries again at the next sample. */
	readonly failed: (error: unknown) => void;
	/** Resolves after `ms`, or as soon as the signal is aborted. Timers by default. */
	readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A plant that runs beside the service. */
export interface Plant {
	/**
	 * Fills the time up to now (the last 24 h at the first start), then goes on live. Called again, it is the same start.
	 * Resolves when the past is filled; rejects with what `write`, `loadState` or `saveState` threw until then.
	 */
	start(): Promise<void>;
	/** Stops for good after the write under way. The next plant goes on where this one stopped. */
	stop(): Promise<void>;
}

/** The simulated plant, going on from what was saved. Nothing happens before `start`. */
export function createPlant({ write, loadState, saveState, now, failed, pause = pauseOnTimers }: PlantDeps): Plant {
	const stopping = new AbortController();
	const { signal } = stopping;
	let current: SavedPlant | undefined;
	let starting: Promise<void> | undefined;
	let living: Promise<void> | undefined;

	const load = async (): Promise<SavedPlant> => {
		const saved = v.safeParse(savedPlantSchema, await loadState());
		return saved.success ? saved.output : { timeMs: boundaryAt(now()) - fineMs, state: initialState };
	};

	/** Samples first, then the state: whatever is cut off in between is written again, and the same. */
	const keep = async (samples: readonly Sample[], plant: SavedPlant): Promise<void> => {
		await write(samples);
		await saveState(plant);
		current = plant;
	};

	const fillUpTo = async (toMs: number): Promise<void> => {
		current ??= await load();
		if (current.timeMs > toMs + clockSetBackMs) current = { ...current, timeMs: toMs };
		let { state, timeMs } = current;
		let samples: Sample[] = [];
		let steps = 0;
		for (const { fromMs, dtMs } of stepsBetween(timeMs, toMs)) {
			state = step(state, fromMs, dtMs);
			timeMs = fromMs + dtMs;
			samples.push(...samplesOf(state, timeMs));
			steps += 1;
			if (steps % stepsPerWrite !== 0) continue;
			await keep(samples, { state, timeMs });
			samples = [];
			// A store may write without ever waiting: requests get their turn here.
			await setImmediate();
			if (signal.aborted) return;
		}
		if (samples.length > 0) await keep(samples, { state, timeMs });
	};

	const live = async (): Promise<void> => {
		let failing = false;
		while (!signal.aborted) {
			const nowMs = now();
			await pause(boundaryAt(nowMs) + cadenceMs - nowMs, signal);
			if (signal.aborted) return;
			try {
				await fillUpTo(boundaryAt(now()));
				failing = false;
			} catch (error) {
				if (!failing) failed(error);
				failing = true;
			}
		}
	};

	const begin = async (): Promise<void> => {
		await fillUpTo(boundaryAt(now()));
		living = live();
	};

	return {
		start: () => {
			starting ??= begin();
			return starting;
		},
		stop: async () => {
			stopping.abort();
			await starting?.catch(() => undefined);
			await living;
		},
	};
}

async function pauseOnTimers(ms: number, signal: AbortSignal): Promise<void> {
	try {
		await setTimeout(ms, undefined, { signal });
	} catch (error) {
		if (!signal.aborted) throw error;
	}
}
