import type { ChangeEntry, ChangeOrigin, SessionRefusal } from './change-entry.ts';

/** Entries of sessions that differ in nothing but their time are stored once within this time, in milliseconds. */
export const mergedMs = 900_000;

/**
 * Number of entries of one actor since the time within which equal ones are merged, oldest first, that are searched for an equal one. Only
 * an actor with many addresses or sign-ins has more.
 */
export const maxEarlierEntries = 100;

/** A sign-in, or a refusal of one. */
export interface SessionEvent {
	/** Who signed in or, where it was refused, who tried to. */
	readonly actor: ChangeOrigin['actor'];
	/** The network address that it came from. */
	readonly source: string;
	/** Null: the sign-in succeeded. */
	readonly refusal: SessionRefusal | null;
	/** Epoch milliseconds. */
	readonly at: number;
}

/**
 * Returns the entry of a session for the journal of changes. A session has no row, so its version is 0, and its row version is its time in
 * seconds: a row version has ten digits in the key of an entry, too few for milliseconds. Entries of one second differ by `at`, which is in
 * the key, too.
 * @param route the way by which the request came, and its id
 */
export function sessionEntry({ actor, source, refusal, at }: SessionEvent, route: Omit<ChangeOrigin, 'actor'>): ChangeEntry {
	return {
		kind: 'session',
		itemId: actor.id,
		rowVersion: Math.floor(at / 1000),
		actor,
		...route,
		at,
		action: refusal === null ? 'signedIn' : 'refused',
		name: actor.name,
		version: 0,
		replaced: null,
		fields: [],
		source,
		...(refusal === null ? {} : { reason: refusal }),
	};
}

/**
 * Returns whether an earlier entry says the same, so that this one is not stored. That concerns refusals, and sign-ins of machines, which may
 * sign in for each request. Each sign-in of a person is stored.
 * @param earlier the entries of the same actor in the last `mergedMs`
 */
export function isRepeatedEntry(entry: ChangeEntry, earlier: readonly ChangeEntry[]): boolean {
	if (entry.action === 'signedIn' && entry.actor.kind === 'person') return false;
	return earlier.some(
		({ action, source, reason }) => action === entry.action && source === entry.source && reason === entry.reason,
	);
}
