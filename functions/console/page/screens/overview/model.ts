import type { Variable } from '#page/core/definitions.ts';
import type { Quality } from '#page/core/readings.ts';
import type { Severity } from '#page/core/severity.ts';
import { isStateUnit } from '#page/core/shown.ts';
import type { ShapeKind } from '#page/parts/state-shape.tsx';
import type { TileAlarm } from './tile-alarm.ts';

/** How a variable is shown: as a number, as a state that is on or off, or as a byte of named bits. */
export type TileKind = 'number' | 'state' | 'byte';

/** A part of the plant with its variables. */
export interface Process {
	readonly name: string;
	readonly ids: readonly number[];
}

/** The qualities that are not good, in the order in which chips and headings count them. */
export const faults = ['bad', 'missing_reference', 'no_data', 'stale', 'skipped'] as const satisfies readonly Quality[];

/** Returns how a variable is shown. */
export function tileKindOf(variable: Variable): TileKind {
	if (variable.binary_compressed) return 'byte';
	return isStateUnit(variable.unit) ? 'state' : 'number';
}

/** Returns the shape of a state, by the words of its name. */
export function shapeOf(name: string): ShapeKind {
	if (/\b(pump|bomba)\b/i.test(name)) return 'pump';
	return /\b(valve|válvula)(?!\p{L})/iu.test(name) ? 'valve' : 'state';
}

/** Groups variables by process. Processes stand in the order of their first ids. */
export function processesOf(variables: Iterable<Variable>): readonly Process[] {
	const byName = new Map<string, number[]>();
	for (const { id, process } of variables) byName.set(process, [...(byName.get(process) ?? []), id]);
	return [...byName].map(([name, ids]) => ({ name, ids }));
}

/** The ranks of what is wrong with a variable, worst first: alarms of severity 1 and 2, faults of the data, info, nothing. */
const ranks = [
	'critical new',
	'warning new',
	'critical',
	'warning',
	'bad',
	'missing_reference',
	'no_data',
	'stale',
	'skipped',
	'info new',
	'info',
	'good',
] satisfies (Quality | `${Severity}${'' | ' new'}`)[];

/** Returns how bad a variable is, 0 the worst. Without a reading it is not known to be bad. */
export function rankOf(quality: Quality | undefined, alarm: Pick<TileAlarm, 'severity' | 'state'> | null): number {
	const byQuality = ranks.indexOf(quality ?? 'good');
	if (alarm === null) return byQuality;
	// What was not evaluated yet nobody could acknowledge.
	const isNew = alarm.state !== 'active_acknowledged';
	return Math.min(byQuality, ranks.indexOf(`${alarm.severity}${isNew ? ' new' : ''}`));
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
	const text = plain(`${name} ${process} ${unit}`);
	return plain(search)
		.split(/\s+/)
		.every((word) => text.includes(word));
}

/** How a list of a plant begins its lines: with the name of a process, or with some of its variables. */
export type Line =
	| { readonly kind: 'process'; readonly process: Process }
	| { readonly kind: 'cells'; readonly ids: readonly number[] };

/** Breaks processes into lines of at most `columns` variables. */
export function linesOf(processes: readonly Process[], columns: number): readonly Line[] {
	return processes.flatMap((process): Line[] => [
		{ kind: 'process', process },
		...Array.from(
			{ length: Math.ceil(process.ids.length / columns) },
			(_, index): Line => ({ kind: 'cells', ids: process.ids.slice(index * columns, (index + 1) * columns) }),
		),
	]);
}

function plain(text: string): string {
	return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
