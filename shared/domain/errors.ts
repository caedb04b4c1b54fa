import type { MachineRefusal } from './access/machine.ts';
import type { Role } from './access/role.ts';
import type { BoardKind } from './board/board-kinds.ts';
import type { CountedThing } from './validation/counted.ts';
import type { Problem } from './validation/problem.ts';

/** One problem of a client's input. `path` is the field as it is sent (`equation.3`), or `request` for the whole body. */
export interface ValidationIssue extends Problem {
	readonly path: string;
}

/** An external system. The error response for its failure is keyed by this name. */
export type Dependency = 'tsdb' | 'identityProvider' | 'openIdProvider' | 'signingKey' | 'notifier';

/** A board or panel that refers to a variable, with the name that a user sees. The panel has id 0: a schema has only one. */
export interface Usage {
	readonly kind: BoardKind | 'panel';
	readonly id: number;
	readonly name: string;
}

/** The payload of every error code. Every `cause` is for the log and is not shown to the client. */
export interface ErrorPayloads {
	/** The input is invalid. Holds all issues, not only the first. */
	invalid: { readonly issues: readonly ValidationIssue[] };
	/**
	 * The requested row does not exist. `id` is null for the panel: a schema has only one. `remedy` says what to do, as the end of a
	 * sentence; left out: to make a new one.
	 */
	not_found: { readonly kind: Usage['kind'] | 'variable'; readonly id: number | null; readonly remedy?: string };
	/** The journal of changes has no such entry. */
	no_such_change: { readonly kind: string; readonly itemId: number | string; readonly rowVersion: number };
	/** Only what is deleted can be restored, from the entry of its deletion, which must be its last one. */
	not_deleted: { readonly kind: Usage['kind'] | 'variable'; readonly id: number };
	/** A limit is exceeded. */
	too_large: {
		/** The request field at fault. */
		readonly field: string;
		/** The thing of which there is too much. */
		readonly counted: CountedThing;
		/** The id of the variable whose boards are too many, for `boards_of_variable`. */
		readonly variable?: number;
		readonly actual: number;
		readonly limit: number;
		/** A sentence that says what to do; left out: to ask for less in one request. */
		readonly remedy?: string;
	};
	/** Boards or the panel refer to bits that the change would remove. `bits` are the positions of those that are referred to, ascending. */
	in_use: { readonly field: string; readonly bits: readonly number[]; readonly usages: readonly Usage[] };
	/** The client expects another version than the stored one; `stored` is null when nothing is stored. */
	version_mismatch: { readonly stored: number | null };
	/** The idempotency key belongs to a request that is still running, or to a different request. */
	key_in_use: { readonly reason: 'running' | 'other_request' | 'changed_since' };
	/** The caller's role may not do this. `has` is null where the role was taken away during the request. */
	role_too_low: { readonly needs: Role; readonly has: Role | null };
	/** The caller is a machine that was deleted, has expired, or whose secrets were taken away. */
	machine_refused: { readonly reason: MachineRefusal };
	/** The schema has no machine with this client id. */
	no_such_machine: { readonly clientId: string };
	/** A machine has as many secrets as it may have: one has to go before another comes. */
	secrets_full: { readonly limit: number };
	/** Nobody changes their own role. */
	own_role: Record<string, never>;
	/** No public key is published yet, so no token can be verified. */
	no_published_key: Record<string, never>;
	/** Sign-in is refused. The payload is empty so that a response cannot reveal the reason. */
	credentials_refused: Record<string, never>;
	/** An account's e-mail or password is wrong, or the account may not be used. The payload is empty, as for `credentials_refused`. */
	password_refused: Record<string, never>;
	/** The password is right, and the account has a second factor, whose code was not sent. */
	code_required: Record<string, never>;
	/** The code of a second factor is wrong, or was used. */
	code_refused: Record<string, never>;
	/** The service requires a second factor, and the account has none. */
	second_factor_required: Record<string, never>;
	/** The account has a second factor already. */
	second_factor_set: Record<string, never>;
	/** A second factor is required, and its password is not new any more. */
	second_factor_late: Record<string, never>;
	/** A link to set a password is unknown, was used, is over, or is of an account that is disabled. */
	link_ended: Record<string, never>;
	/** Too many failed sign-ins with the e-mail address, or from the network of the client. */
	sign_in_blocked: { readonly retryAfterMs: number };
	/** The session has lasted as long as it may, or was ended. */
	session_ended: Record<string, never>;
	/** The token is not renewed: its user, product or tenant is no longer allowed. The payload is empty, as for `credentials_refused`. */
	renewal_refused: Record<string, never>;
	/** An OpenID provider refused a code, or what it gave does not pass the checks. `cause` is for the log. */
	sign_in_refused: { readonly cause: string };
	/** No grant lets the person in. `claims`: those that grants look at, with the person's own values. */
	no_grant: { readonly provider: string; readonly claims: Readonly<Record<string, readonly string[]>> };
	/** No grant lets the person in, and the provider left out a claim that grants look at, because it has too many values. */
	groups_not_in_token: { readonly provider: string };
	/** The settings have no provider with this name that people sign in with. */
	no_such_provider: Record<string, never>;
	/** Another request of the session asks the provider now. */
	renewal_under_way: { readonly retryAfterMs: number };
	/** The schema has no such person: people of OpenID providers have a row from their first sign-in. */
	no_such_person: Record<string, never>;
	/** The provider's grants give this role, and nobody can lower it here. */
	role_from_provider: { readonly role: Role };
	/** The schema has as many requests under way in this process as it may. `setting`: the name of the limit. */
	schema_busy: { readonly setting: 'REQUESTS_PER_SCHEMA'; readonly limit: number; readonly retryAfterMs: number };
	/** Too many concurrent writes to the schema. The failed commit changed nothing; a deletion may have made earlier commits. */
	write_contention: { readonly retryAfterMs: number };
	/** The store did not report whether the write succeeded. */
	outcome_unknown: { readonly cause: string };
	/**
	 * The store failed. The failed commit changed nothing; a deletion may have made earlier commits. A write outside commits (an
	 * idempotency claim, a user, a sign-in failure, a counter) may have happened when its outcome is uncertain.
	 */
	store_failed: { readonly cause: string };
	/**
	 * A dependency failed or was unreachable. `remedy` says what to do, as the end of a sentence, where it is known. `isDown`: it gave no answer
	 * that says anything (`isOutage`).
	 */
	dependency_failed: {
		readonly dependency: Dependency;
		readonly cause: string;
		readonly remedy?: string;
		readonly isDown?: boolean;
	};
	/**
	 * A dependency did not respond within its deadline, or was not asked because it did not respond before; then `retryAfterMs` says when
	 * to ask again. `remedy` says what to do, as the end of a sentence; left out: to try again.
	 */
	dependency_slow: {
		readonly dependency: Dependency;
		readonly cause: string;
		readonly retryAfterMs?: number;
		readonly remedy?: string;
	};
}

/** The code of a domain error. */
export type ErrorCode = keyof ErrorPayloads;

/** The error that the domain throws: a code with its payload. The HTTP layer maps each code to a response. */
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
