/** A failed sign-in: when (epoch milliseconds) and from which source address. */
export interface SignInFailure {
	readonly at: number;
	readonly source: string;
}

/** Failed sign-ins, by e-mail whatever its case. Kept at least for the window that limits look at, then forgotten. */
export interface SignInFailures {
	record(email: string, failure: SignInFailure): Promise<void>;
	/** Those of `email` at or after `since`, newest first, at most `limit`. */
	recent(email: string, since: number, limit: number): Promise<readonly SignInFailure[]>;
}
