import type { ChangeEntry, ChangeOrigin, SessionRefusal } from './change-entry.ts';

/** Within this time equal entries of sessions are one. */
export const mergedMs = 900_000;

/** A sign-in, or a refusal of one. */
export interface SessionEvent {
	/** Who signed in; of a refusal, who was named. */
	readonly actor: ChangeOrigin['actor'];
	/** The network address that it came from. */
	readonly source: string;
	/** Null: the sign-in succeeded. */
	readonly refusal: SessionRefusal | null;
	/** Epoch milliseconds. */
	readonly at: number;
}

/** Returns the entry of a session for the journal of changes. Sessions have no versions: their time in seconds takes that place. */
export function sessionEntry({ actor, source, refusal, at }: SessionEvent, by: Omit<ChangeOrigin, 'actor'>): ChangeEntry {
	return {
		kind: 'session',
		itemId: actor.id,
		rowVersion: Math.floor(at / 1000),
		actor,
		...by,
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
 * Returns whether an entry is told by earlier ones of the same session already: refusals, and sign-ins of machines, which may come with each
 * request.
 * @param earlier the entries of its actor within `mergedMs` before it
 */
export function isTold(entry: ChangeEntry, earlier: readonly ChangeEntry[]): boolean {
	if (entry.action === 'signedIn' && entry.actor.kind === 'person') return false;
	return earlier.some(
		({ action, source, reason }) => action === entry.action && source === entry.source && reason === entry.reason,
	);
}
