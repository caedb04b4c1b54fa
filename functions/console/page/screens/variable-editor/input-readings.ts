import { useSignalEffect } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { currentTime, now } from '#page/core/clock.ts';
import { succeededAt } from '#page/core/poll.ts';
import { interval } from '#page/core/preferences.ts';
import { readingOf, useReadings } from '#page/core/readings.ts';
import { may } from '#page/core/session.ts';
import { type Shown, shownOf } from '#page/core/shown.ts';
import { type InputDraft, probeOf, problemsOf } from './draft.ts';
import { idsByQuery, queryKey } from './known-variables.ts';
import { createProbes } from './probes.ts';
import { sendTrial } from './variable-requests.ts';
import type { VariableTrialState } from './variable-trial.ts';

/** The present reading of an input. */
export interface InputReading {
	readonly shown: Shown | null;
	/** Whether it was read recently. An older value is never shown as current. */
	readonly isFresh: boolean;
}

/** How much later than the interval an input may have been read, in milliseconds. */
const graceMs = 2000;

/**
 * Returns the readings of a formula's inputs, each with its own quality. If a stored variable reads the same query, its reading is taken
 * from the poll of the screen. Any other input is tried as a variable of its own, after it was typed and with the polls; each poll tries
 * a few of them.
 */
export function useInputReadings(inputs: readonly InputDraft[]): ReadonlyMap<string, InputReading> {
	const probes = useMemo(() => createProbes(sendTrial, currentTime), []);
	const ids = idsByQuery.value;
	/**
	 * The inputs with the id of a variable that reads the same; undefined without one. The component is rendered every second for the ages,
	 * but this list changes only with the inputs and the variables.
	 */
	const sources = useMemo(
		() => inputs.map((input) => ({ name: input.name, id: ids.get(queryKey(input.query)), probe: probeOf(input) })),
		[inputs, ids],
	);
	useReadings(sources.flatMap(({ id }) => id ?? []));
	useEffect(() => {
		const tried = sources.flatMap(({ id, probe }) => (id === undefined ? probe : []));
		// Only people who may save may send a dry run.
		probes.keep(may('engineer') ? tried.filter((probe) => problemsOf(probe).size === 0) : []);
	}, [sources]);
	useEffect(() => probes.stop, []);
	useSignalEffect(() => {
		if (succeededAt.value !== null) probes.repeatSome();
	});
	return new Map(
		sources.map(({ name, id, probe }) => [name, id === undefined ? triedReading(probes.stateOf(probe)) : polledReading(id)]),
	);
}

/** Returns the reading of an input that a stored variable reads, too. Every poll reads it, so it counts as fresh. */
function polledReading(id: number): InputReading {
	const reading = readingOf(id).value;
	return { shown: reading === undefined ? null : shownOf(reading), isFresh: true };
}

/** Returns the reading of an input that is tried as a variable of its own. */
function triedReading(state: VariableTrialState | undefined): InputReading {
	if (state?.phase !== 'answered') return { shown: null, isFresh: false };
	const { answer, triedAt } = state;
	return {
		shown: answer === null ? null : shownOf(answer.reading),
		isFresh: triedAt !== null && now.value - triedAt <= interval.value * 1000 + graceMs,
	};
}
