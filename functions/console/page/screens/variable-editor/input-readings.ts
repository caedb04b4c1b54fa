import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { currentTime, now } from '#page/core/clock.ts';
import { succeededAt } from '#page/core/poll.ts';
import { interval } from '#page/core/preferences.ts';
import { readingOf, useReadings } from '#page/core/readings.ts';
import { type Shown, shownOf } from '#page/core/shown.ts';
import { type InputDraft, probeOf, type QueryDraft } from './draft.ts';
import { problemsOf } from './draft-problems.ts';
import { querySources } from './known-variables.ts';
import { createProbes } from './probes.ts';
import { sendTrial } from './send-trial.ts';

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
	const probes = useRef(createProbes(sendTrial, currentTime)).current;
	const variableIds = new Map(querySources.value.map(({ id, query }) => [queryKey(query), id]));
	const idOf = ({ query }: InputDraft): number | undefined => variableIds.get(queryKey(query));
	useReadings(inputs.flatMap((input) => idOf(input) ?? []));
	const tried = inputs
		.filter((input) => idOf(input) === undefined)
		.map(probeOf)
		.filter((body) => problemsOf(body).size === 0);
	const content = JSON.stringify(tried);
	useEffect(() => probes.keep(tried), [content]);
	useEffect(() => probes.stop, []);
	useSignalEffect(() => {
		if (succeededAt.value !== null) probes.repeatSome();
	});
	return new Map(
		inputs.map((input): [string, InputReading] => {
			const id = idOf(input);
			if (id !== undefined) {
				const reading = readingOf(id).value;
				return [input.name, { shown: reading === undefined ? null : shownOf(reading), isFresh: true }];
			}
			const state = probes.stateOf(probeOf(input));
			const isFresh =
				state?.phase === 'answered' && state.triedAt !== null && now.value - state.triedAt <= interval.value * 1000 + graceMs;
			const answer = state?.phase === 'answered' ? state.answer : null;
			return [input.name, { shown: answer === null ? null : shownOf(answer.reading), isFresh }];
		}),
	);
}

/** Two queries of one key read the same. */
function queryKey({ topic, field, lookback, lookbackUnit, period, periodUnit, aggregate }: QueryDraft): string {
	return JSON.stringify([topic, field, lookback, lookbackUnit, period, periodUnit, aggregate]);
}
