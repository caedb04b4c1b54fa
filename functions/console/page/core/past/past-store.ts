import { batch, type ReadonlySignal, type Signal, signal, useSignalEffect } from '@preact/signals';
import type { Failure, Schemas } from '../api.ts';
import { now } from '../clock.ts';
import { connection, succeededAt } from '../poll.ts';
import { onTenantChange } from '../session.ts';
import { maxHistoryIds, readHistory } from './read-history.ts';

/** What a store keeps of the history of variables. */
export interface PastKind<Past> {
	/** How far back it reaches, in milliseconds. */
	readonly spanMs: number;
	/** The most windows. */
	readonly points: number;
	readonly aggregates: NonNullable<Schemas['HistoryRequest']['aggregates']>;
	/** How long it is kept before it is read again, in milliseconds. */
	readonly renewMs: number;
	/** Returns what is kept of an answer. */
	readonly pastOf: (history: Schemas['VariableHistory'], bounds: readonly number[]) => Past;
}

/** The pasts of the variables in view. */
export interface PastStore<Past> {
	/** Returns the past of a variable: undefined until it was read. */
	of(id: number): ReadonlySignal<Past | undefined>;
	/** Whether the last reading of a variable's past failed. What was read before stays. */
	hasFailed(id: number): boolean;
	/** Reads what is not kept yet or has been kept for too long, in one request for each 50 variables, or fewer after an answer was too large. `nowMs` is epoch milliseconds. */
	refresh(ids: readonly number[], nowMs: number): Promise<void>;
}

/** Creates an empty store of pasts, which forgets them when another tenant begins: ids are the same in each. */
export function createPastStore<Past>({ spanMs, points, aggregates, renewMs, pastOf }: PastKind<Past>): PastStore<Past> {
	const pasts = new Map<number, Signal<Past | undefined>>();
	const askedAt = new Map<number, number>();
	const failed = signal<ReadonlySet<number>>(new Set());
	let idsPerRequest = maxHistoryIds;
	let isReading = false;
	let generation = 0;

	const signalOf = (id: number): Signal<Past | undefined> => {
		const found = pasts.get(id) ?? signal(undefined);
		pasts.set(id, found);
		return found;
	};
	const read = async (ids: readonly number[], nowMs: number): Promise<Failure | null> => {
		const begun = generation;
		for (const id of ids) askedAt.set(id, nowMs);
		const result = await readHistory({ ids: [...ids], start: nowMs - spanMs, end: nowMs, points, aggregates: [...aggregates] });
		// Another tenant's variables may have the same ids.
		if (begun !== generation) return null;
		if (!result.ok) return result.failure;
		const { variables, bounds } = result.data.data;
		batch(() => {
			for (const history of variables) signalOf(history.id).value = pastOf(history, bounds);
		});
		return null;
	};
	onTenantChange(() => {
		generation += 1;
		askedAt.clear();
		failed.value = new Set();
		for (const each of pasts.values()) each.value = undefined;
	});
	return {
		of: signalOf,
		hasFailed: (id) => failed.value.has(id),
		refresh: async (ids, nowMs) => {
			if (isReading) return;
			const due = ids.filter((id) =>
				isDue({ askedAt: askedAt.get(id) ?? Number.NEGATIVE_INFINITY, hasFailed: failed.value.has(id) }, renewMs, nowMs),
			);
			isReading = true;
			for (let from = 0; from < due.length; ) {
				const some = due.slice(from, from + idsPerRequest);
				const failure = await read(some, nowMs);
				const isTooMuch = failure?.status === 413 && some.length > 1;
				// Some variables have far more samples than others: fewer of them are asked for at once from now on.
				if (isTooMuch) idsPerRequest = Math.ceil(some.length / 2);
				else {
					from += some.length;
					mark(failed, some, failure !== null);
				}
				if (failure !== null && !isTooMuch) break;
			}
			isReading = false;
		},
	};
}

/**
 * Has a past read again while the component is on the screen: with the clock, every second, while the service answers and somebody
 * looks; also when a person who stopped the polling has polled once. `refresh` decides what is due, and gets the time in epoch
 * milliseconds.
 */
export function useWhileLive(refresh: (nowMs: number) => void): void {
	useSignalEffect(() => {
		const nowMs = now.value;
		// A poll that succeeds sets both to the same time, also one by hand while polling is stopped.
		if ((connection.value === 'live' || succeededAt.value === nowMs) && !document.hidden) refresh(nowMs);
	});
}

/** What decides whether something is read again: when it was asked for, in epoch milliseconds, and whether that failed. */
interface Asked {
	readonly askedAt: number;
	readonly hasFailed: boolean;
}

/** Whether something is due: it was kept for `renewMs`, or it failed and a poll has succeeded since. */
export function isDue({ askedAt, hasFailed }: Asked, renewMs: number, nowMs: number): boolean {
	return nowMs - askedAt >= renewMs || (hasFailed && (succeededAt.value ?? 0) > askedAt);
}

/** Takes ids into a set or out of it. The signal changes only where the set does. */
function mark(set: Signal<ReadonlySet<number>>, ids: readonly number[], isIn: boolean): void {
	const before = set.peek();
	const others = [...before].filter((id) => !ids.includes(id));
	const after = new Set(isIn ? [...others, ...ids] : others);
	if (after.size !== before.size) set.value = after;
}
