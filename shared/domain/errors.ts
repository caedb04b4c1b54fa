/** One thing wrong with what a client sent. `path` is the field as the wire names it (`equation.3`), or `request`. */
export interface ValidationIssue {
	readonly path: string;
	readonly message: string;
}

/** The external systems whose failure a client is told of, by the key that the answer uses. */
export type Dependency = 'tsdb' | 'identityProvider' | 'signingKey';

/** Something that refers to a variable, as a person would look for it. The panel, one a schema, has id 0. */
export interface Usage {
	readonly kind: 'chart' | 'diagram' | 'alarm' | 'panel';
	readonly id: number;
	readonly name: string;
}

/** Every way in which the domain refuses, with what each carries. Adding one is a row here and one in the HTTP table. */
export interface ErrorPayloads {
	/** The input breaks a rule; all offences at once. */
	invalid: { readonly offences: readonly ValidationIssue[] };
	/** What the request names does not exist. */
	not_found: { readonly field: string; readonly message: string };
	/** More than a limit allows; `field` is what is too much. */
	too_large: { readonly field: string; readonly what: string; readonly actual: number; readonly limit: number };
	/** The change would break what refers to the variable. */
	in_use: { readonly field: string; readonly message: string; readonly usages: readonly Usage[] };
	/** The client changes another version than the stored one; null: nothing is stored. */
	version_mismatch: { readonly stored: number | null };
	/** An idempotency key whose first request still runs, or that came with another request. */
	key_in_use: { readonly why: 'running' | 'other_request' };
	/** Sign-in refused, for whatever reason: the payload is empty so that no answer can tell which. */
	credentials_refused: Record<string, never>;
	/** Too many failed sign-ins for this e-mail. */
	sign_in_blocked: { readonly retryAfterMs: number };
	/** Too many writes to one schema at once. Nothing was written. */
	write_contention: { readonly retryAfterMs: number };
	/** The store did not say whether it wrote. `cause` is for the log, never for the client. */
	outcome_unknown: { readonly cause: string };
	/** The store failed, and nothing was written. `cause` is for the log, never for the client. */
	store_failed: { readonly cause: string };
	/** A dependency answered with a fault, or not at all. `cause` is for the log, never for the client. */
	dependency_failed: { readonly dependency: Dependency; readonly cause: string };
	/** A dependency did not answer within its deadline. */
	dependency_slow: { readonly dependency: Dependency; readonly cause: string };
}

export type ErrorCode = keyof ErrorPayloads;

/** The domain's only error: a literal code and the payload that belongs to that code. Knows nothing of HTTP. */
export class DomainError<Code extends ErrorCode = ErrorCode> extends Error {
	override readonly name = 'DomainError';
	readonly code: Code;
	readonly payload: ErrorPayloads[Code];

	constructor(code: Code, payload: ErrorPayloads[Code], options?: ErrorOptions) {
		super(`${code}: ${JSON.stringify(payload)}`, options);
		this.code = code;
		this.payload = payload;
	}
}

/** Returns the message of an error, or the text of any other thrown value. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
