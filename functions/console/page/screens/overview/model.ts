import { type MarkedState, type Severity, severityOrder, urgentFirst } from '#page/core/alarm-state.ts';
import type { Variable } from '#page/core/definitions.ts';
import { folded, wordSearch } from '#page/parts/matching-options.ts';

/** A part of the plant with its variables. */
export interface Process {
	readonly name: string;
	readonly ids: readonly number[];
}

/** Groups variables by process. Processes stand in the order of their first ids. */
export function processesOf(variables: Iterable<Variable>): readonly Process[] {
	const byName = Map.groupBy(variables, ({ process }) => process);
	return [...byName].map(([name, rows]) => ({ name, ids: rows.map(({ id }) => id) }));
}

/**
 * Returns the order in which a process shows its variables: worst first, then by id. While `isHeld` (pointer or focus is there)
 * nothing moves; only new variables are added at the end.
 */
export function orderOf(
	ids: readonly number[],
	rank: (id: number) => number,
	{ previous, isHeld }: { readonly previous: readonly number[]; readonly isHeld: boolean },
): readonly number[] {
	if (isHeld) return [...previous.filter((id) => ids.includes(id)), ...ids.filter((id) => !previous.includes(id))];
	const byRank = new Map(ids.map((id) => [id, rank(id)]));
	return ids.toSorted((a, b) => (byRank.get(a) ?? 0) - (byRank.get(b) ?? 0) || a - b);
}

/** Whether a variable has every word of a search in its name, process or unit, whatever their case and accents. */
export function matches({ name, process, unit }: Variable, search: string): boolean {
	return wordSearch(search)(folded(`${name} ${process} ${unit}`));
}

/** A line of the list of a large plant: the heading of a process, or some variables of that process, at most one for each column. */
export type Line =
	| { readonly kind: 'process'; readonly process: Process }
	| { readonly kind: 'cells'; readonly ids: readonly number[] };

/** Returns the lines of processes: the heading of each, and below it its variables, `columns` to a line. */
export function linesOf(processes: readonly Process[], columns: number): readonly Line[] {
	return processes.flatMap((process): Line[] => [
		{ kind: 'process', process },
		...Array.from(
			{ length: Math.ceil(process.ids.length / columns) },
			(_, index): Line => ({ kind: 'cells', ids: process.ids.slice(index * columns, (index + 1) * columns) }),
		),
	]);
}

/** The alarms of one severity in a process, as its heading counts them. `state` is the most urgent one. */
export interface CountedAlarms {
	readonly severity: Severity;
	readonly state: MarkedState;
	readonly count: number;
}

/**
 * Counts alarms by severity, worst severity first. Severities without alarms are left out.
 * @param alarms the worst open alarm of each variable of a process; null for a variable without one
 */
export function countedAlarms(
	alarms: readonly ({ readonly severity: Severity; readonly state: MarkedState } | null)[],
): readonly CountedAlarms[] {
	return severityOrder.flatMap((severity) => {
		const found = alarms.filter((alarm) => alarm?.severity === severity);
		const state = urgentFirst.find((each) => found.some((alarm) => alarm?.state === each));
		return state === undefined ? [] : [{ severity, state, count: found.length }];
	});
}
