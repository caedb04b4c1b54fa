/** Failed sign-ins are counted over this time (DESIGN.md section 7.5). */
export const failureWindowMs = 15 * 60_000;

/** A failed sign-in: its time in epoch milliseconds, and the client's network address. */
export interface SignInFailure {
	readonly at: number;
	readonly source: string;
}

/** Failed sign-ins by e-mail, without regard to case. A failure is kept at least for `failureWindowMs`. */
export interface SignInFailures {
	record(email: string, failure: SignInFailure): Promise<void>;
	/** Returns the failures for `email` at or after `since`, newest first, at most `limit`. */
	recent(email: string, since: number, limit: number): Promise<readonly SignInFailure[]>;
}
