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

/** The present reading of an input. */
export interface InputReading {
	readonly shown: Shown | null;
	/** Whether it was read recently. An older value is never shown as current. */
	readonly isFresh: boolean;
}

/** How much later than the interval an input may have been read. */
const graceMs = 2000;

/**
 * Returns the readings of a formula's inputs, each with its own quality. If a stored variable reads the same query, its reading is taken
 * from the poll of the screen. Any other input is tried as a variable of its own, after it was typed and with the polls; each poll tries
 * a few of them.
 */
export function useInputReadings(inputs: readonly InputDraft[]): ReadonlyMap<string, InputReading> {
	const probes = useMemo(() => createProbes(sendTrial, currentTime), []);
	const ids = idsByQuery.value;
	// The component is rendered every second for the ages, but the split into stored and tried inputs changes only with the inputs and the
	// variables.
	const read = useMemo(
		() => inputs.map((input) => ({ name: input.name, id: ids.get(queryKey(input.query)), probe: probeOf(input) })),
		[inputs, ids],
	);
	useReadings(read.flatMap(({ id }) => id ?? []));
	useEffect(() => {
		const tried = read.flatMap(({ id, probe }) => (id === undefined ? probe : []));
		// Only people who may save may send a dry run.
		probes.keep(may('engineer') ? tried.filter((probe) => problemsOf(probe).size === 0) : []);
	}, [read]);
	useEffect(() => probes.stop, []);
	useSignalEffect(() => {
		if (succeededAt.value !== null) probes.repeatSome();
	});
	return new Map(
		read.map(({ name, id, probe }): [string, InputReading] => {
			if (id !== undefined) {
				const reading = readingOf(id).value;
				return [name, { shown: reading === undefined ? null : shownOf(reading), isFresh: true }];
			}
			const state = probes.stateOf(probe);
			const isFresh =
				state?.phase === 'answered' && state.triedAt !== null && now.value - state.triedAt <= interval.value * 1000 + graceMs;
			const answer = state?.phase === 'answered' ? state.answer : null;
			return [name, { shown: answer === null ? null : shownOf(answer.reading), isFresh }];
		}),
	);
}
