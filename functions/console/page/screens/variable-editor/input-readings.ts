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

/** What an input shows now. */
export interface InputReading {
	readonly shown: Shown | null;
	/** Whether it was read lately; an older value never looks current. */
	readonly isFresh: boolean;
}

/** How much later than the interval an input may have been read. */
const graceMs = 2000;

/**
 * Reads the inputs of a formula one by one, each with its own quality. An input that is read exactly as a stored variable takes that
 * variable's reading from the poll of the screen, which costs nothing; any other is tried as a variable of its own, when it is typed
 * and with the polls, at most a few of them in each.
 */
export function useInputReadings(inputs: readonly InputDraft[]): ReadonlyMap<string, InputReading> {
	const probes = useMemo(() => createProbes(sendTrial, currentTime), []);
	const ids = idsByQuery.value;
	// Each second renders this anew, for the ages; what is read changes with the inputs and the variables only.
	const read = useMemo(
		() => inputs.map((input) => ({ name: input.name, id: ids.get(queryKey(input.query)), probe: probeOf(input) })),
		[inputs, ids],
	);
	useReadings(read.flatMap(({ id }) => id ?? []));
	useEffect(() => {
		const tried = read.flatMap(({ id, probe }) => (id === undefined ? probe : []));
		// A dry run is for those who may save.
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
