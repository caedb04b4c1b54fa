import { signal } from '@preact/signals';
import type { Schemas } from '#page/core/api.ts';
import { createTrial } from '#page/core/trial.ts';
import type { SendVariableTrial, VariableTrial, VariableTrialState } from './variable-trial.ts';

/** Dry runs of several bodies at the same time. */
export interface Probes {
	/** Tries bodies that were not tried yet, and forgets those that are not in the list any more. */
	keep(bodies: readonly Schemas['VariableInput'][]): void;
	/** Tries a few bodies again: those whose last try is longest ago. */
	repeatSome(): void;
	/** Returns the state of a body's dry run; undefined if it is not being tried. */
	stateOf(body: Schemas['VariableInput']): VariableTrialState | undefined;
	stop(): void;
}

/** The most bodies that are tried again by one call: a formula may have 128 inputs. */
const mostRepeats = 8;

/** Creates probes. Equal bodies are tried only once. */
export function createProbes(send: SendVariableTrial, now: () => number): Probes {
	const trials = signal<ReadonlyMap<string, VariableTrial>>(new Map());
	return {
		keep: (bodies) => {
			const before = trials.peek();
			const kept = new Map<string, VariableTrial>();
			for (const body of bodies) {
				const key = JSON.stringify(body);
				if (kept.has(key)) continue;
				const trial = before.get(key) ?? createTrial(send, now);
				trial.change(body);
				kept.set(key, trial);
			}
			for (const [key, trial] of before) if (!kept.has(key)) trial.stop();
			trials.value = kept;
		},
		repeatSome: () => {
			const due = [...trials.peek().values()]
				.filter(({ state }) => state.peek().triedAt !== null)
				.toSorted((a, b) => (a.state.peek().triedAt ?? 0) - (b.state.peek().triedAt ?? 0));
			for (const trial of due.slice(0, mostRepeats)) trial.repeat();
		},
		stateOf: (body) => trials.value.get(JSON.stringify(body))?.state.value,
		stop: () => {
			for (const trial of trials.peek().values()) trial.stop();
		},
	};
}
