import { dayMs, minuteMs } from '../milliseconds.ts';

/** Attempts to sign in are counted over this time (shared/domain/access/README.md#limits-on-sign-in). */
export const attemptWindowMs = 15 * minuteMs;

/** A source is the network of an address (`networkOf`). It stays known for an e-mail for this time after its last sign-in with it. */
export const knownSourceMs = 30 * dayMs;

/** What attempts are counted for: one source with one e-mail, an e-mail from every source, or a source with every e-mail. */
export type AttemptScope =
	| { readonly email: string; readonly source: string }
	| { readonly email: string; readonly source: null }
	| { readonly email: null; readonly source: string };

/** An attempt to sign in; `id` is unique, `at` its time in epoch milliseconds. */
export interface CountedAttempt {
	readonly id: string;
	readonly at: number;
}

/**
 * Attempts to sign in, and the sources that signed in with an e-mail. E-mails are normalized (`normalizeEmail`).
 * @throws DomainError `store_failed`
 */
export interface SignInAttempts {
	/**
	 * Counts an attempt, unless `limit` attempts of its window are counted for the scope already. Of any number of parallel calls no
	 * more are counted than the limit allows.
	 * @returns the times of the attempts that fill the limit, newest first; empty when this attempt was counted
	 */
	count(scope: AttemptScope, attempt: CountedAttempt, limit: number): Promise<readonly number[]>;
	/** Withdraws an attempt, so that it no longer counts. Does nothing when it was not counted. */
	withdraw(scope: AttemptScope, attempt: CountedAttempt): Promise<void>;
	/** Remembers that a source signed in with an e-mail. */
	remember(email: string, source: string, at: number): Promise<void>;
	/** Whether a source signed in with an e-mail within `knownSourceMs` before `now`. */
	isKnown(email: string, source: string, now: number): Promise<boolean>;
}
