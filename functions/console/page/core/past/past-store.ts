import { batch, type ReadonlySignal, type Signal, signal, useSignalEffect } from '@preact/signals';
import { minuteMs } from '#domain/milliseconds.ts';
import { maxHistoryIds } from '#domain/validation/input-limits.ts';
import type { Failure, Schemas } from '../api.ts';
import { now } from '../clock.ts';
import { connection, succeededAt } from '../poll.ts';
import { onTenantChange } from '../session.ts';
import { readHistory } from './read-history.ts';

/** Says which part of a variable's history a store reads, and what it keeps of it. */
export interface PastKind<Past> {
	/** How far back it reads, in milliseconds. */
	readonly spanMs: number;
	/** The most windows of one history. */
	readonly points: number;
	readonly aggregates: NonNullable<Schemas['HistoryRequest']['aggregates']>;
	/** How long it is kept before it is read again, in milliseconds. */
	readonly renewMs: number;
	/** Returns what the store keeps of the history of one variable. */
	readonly pastOf: (history: Schemas['VariableHistory'], bounds: readonly number[]) => Past;
}

/** Keeps the recent past of each variable that a component has asked for. */
export interface PastStore<Past> {
	/** Returns the past of a variable: undefined until it was read. */
	of(id: number): ReadonlySignal<Past | undefined>;
	/** Whether the last reading of a variable's past failed. What was read before stays. */
	hasFailed(id: number): boolean;
	/**
	 * Reads the pasts that were never read, are older than `renewMs`, or failed. One request reads at most 50 variables, and fewer after an
	 * answer was too large. While a refresh runs, another one does nothing. `nowMs` is epoch milliseconds.
	 */
	refresh(ids: readonly number[], nowMs: number): Promise<void>;
}

/** Creates an empty store of pasts. It forgets them when the tenant changes, because ids are the same in each tenant. */
export function createPastStore<Past>({ spanMs, points, aggregates, renewMs, pastOf }: PastKind<Past>): PastStore<Past> {
	const pasts = new Map<number, Signal<Past | undefined>>();
	/** When the past of a variable was last requested, in epoch milliseconds. */
	const askedAt = new Map<number, number>();
	/** The variables whose last request failed. */
	const failed = signal<ReadonlySet<number>>(new Set());
	let idsPerRequest = maxHistoryIds;
	let isReading = false;
	let tenantChanges = 0;

	const signalOf = (id: number): Signal<Past | undefined> => {
		const past = pasts.get(id) ?? signal(undefined);
		pasts.set(id, past);
		return past;
	};
	/** Requests the pasts of variables. Returns the failure, or null. */
	const read = async (ids: readonly number[], nowMs: number): Promise<Failure | null> => {
		const tenantChangesBefore = tenantChanges;
		for (const id of ids) askedAt.set(id, nowMs);
		const result = await readHistory({ ids: [...ids], start: nowMs - spanMs, end: nowMs, points, aggregates: [...aggregates] });
		// The answer belongs to the former tenant, whose variables have the same ids.
		if (tenantChanges !== tenantChangesBefore) return null;
		if (!result.ok) return result.failure;
		const { variables, bounds } = result.data.data;
		batch(() => {
			for (const history of variables) signalOf(history.id).value = pastOf(history, bounds);
		});
		return null;
	};
	onTenantChange(() => {
		tenantChanges += 1;
		askedAt.clear();
		failed.value = new Set();
		for (const past of pasts.values()) past.value = undefined;
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
			const tenantChangesBefore = tenantChanges;
			for (let from = 0; from < due.length; ) {
				const some = due.slice(from, from + idsPerRequest);
				const failure = await read(some, nowMs);
				// The remaining ids are those of the former tenant.
				if (tenantChanges !== tenantChangesBefore) break;
				if (failure?.status === 413 && some.length > 1) {
					// The answer was too large. These variables are requested again, and from now on with fewer ids per request.
					idsPerRequest = Math.ceil(some.length / 2);
					continue;
				}
				mark(failed, some, { isIn: failure !== null });
				if (failure !== null) break;
				from += some.length;
			}
			isReading = false;
		},
	};
}

/**
 * Calls `refresh` every second with the time in epoch milliseconds, while the component is on the screen, the tab is visible and the
 * service answers. While polling is paused, `refresh` is called only after a poll that the person starts. `refresh` itself decides which
 * pasts are due.
 */
export function useWhileLive(refresh: (nowMs: number) => void): void {
	useSignalEffect(() => {
		const nowMs = now.value;
		// Equal times mean that a poll has just succeeded, even one that the person started while polling is paused.
		if ((connection.value === 'live' || succeededAt.value === nowMs) && !document.hidden) refresh(nowMs);
	});
}

/** The last request for something: when it was sent, in epoch milliseconds, and whether it failed. */
interface Asked {
	readonly askedAt: number;
	readonly hasFailed: boolean;
}

/**
 * Whether a past must be read again: `renewMs` have passed since the last request, that request failed and a poll has succeeded since, or
 * its time turned out to be ahead of the service's. `nowMs` is as old as the last tick, which is no such case.
 */
export function isDue({ askedAt, hasFailed }: Asked, renewMs: number, nowMs: number): boolean {
	const passedMs = nowMs - askedAt;
	return passedMs >= renewMs || passedMs < -minuteMs || (hasFailed && (succeededAt.value ?? 0) > askedAt);
}

/** Adds ids to a set (`isIn`), or removes them. The signal changes only if the set does. */
function mark(set: Signal<ReadonlySet<number>>, ids: readonly number[], { isIn }: { readonly isIn: boolean }): void {
	const before = set.peek();
	const others = [...before].filter((id) => !ids.includes(id));
	const after = new Set(isIn ? [...others, ...ids] : others);
	if (after.size !== before.size) set.value = after;
}
