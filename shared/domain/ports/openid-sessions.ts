import type { GrantedTenant, RecordedClaims } from '../identity/granted-tenants.ts';

/** A session of a person who signed in with an OpenID provider, or of a token that was exchanged (shared/domain/identity/README.md#sessions). */
export interface OpenIdSession {
	/** SHA-256 of the `sid` of its tokens, in base64url. */
	readonly id: string;
	/** The id of the person or the program. */
	readonly person: string;
	/** The name under which the person is shown. */
	readonly name: string;
	/** The name of the provider in the settings. */
	readonly provider: string;
	readonly issuer: string;
	/** The subject at the provider. */
	readonly subject: string;
	/** The id of the session at the provider (`sid`); null: it names none. */
	readonly providerSession: string | null;
	/** When the provider issued the token that began the session, in seconds since the epoch by its clock. */
	readonly issuedAt: number;
	readonly tenants: readonly GrantedTenant[];
	/** The values of the claims that grants looked at. */
	readonly claims: RecordedClaims;
	/**
	 * Those of the ID token of which the userinfo endpoint said nothing. They stay where a renewal gets no new one but asks that endpoint,
	 * until it says something of them.
	 */
	readonly idTokenClaims: RecordedClaims;
	/** Epoch milliseconds: of the sign-in, of the last check of the grants, and of the end. */
	readonly createdAt: number;
	readonly checkedAt: number;
	readonly endsAt: number;
	/** Counts what renewals stored. A lease does not count. */
	readonly version: number;
}

/** A logout that a provider told (OpenID Connect Back-Channel Logout 1.0). */
export interface ProviderLogout {
	/** The id of the person. */
	readonly person: string;
	/** The name of the provider in the settings. */
	readonly provider: string;
	/** The session at the provider that is over; null: every session of the person with this provider. */
	readonly providerSession: string | null;
	/** When the provider issued the logout token, in seconds since the epoch by its clock. */
	readonly issuedAt: number;
}

/** What each renewal finds anew. */
export type FoundInRenewal = Pick<OpenIdSession, 'tenants' | 'claims' | 'idTokenClaims' | 'name' | 'checkedAt'>;

/** What is kept of a provider's tokens, for renewing and for signing out. */
export interface SessionTokens {
	/** Null: the session ends with its token. */
	readonly refreshToken: string | null;
	readonly idToken: string | null;
}

/** A claim on the right to ask the provider for a session, until a time (epoch milliseconds). `by` is unique. */
export interface Lease {
	readonly by: string;
	readonly until: number;
}

/**
 * The sessions of people who signed in with OpenID providers. Reads by id are strongly consistent.
 * @throws DomainError `store_failed`
 */
export interface OpenIdSessions {
	/** Returns a session; null: there is none, or it is over at `now` (epoch milliseconds). */
	find(id: string, now: number): Promise<OpenIdSession | null>;
	/** Stores a new session. */
	create(session: OpenIdSession): Promise<void>;
	/**
	 * Takes the lease of a session that nobody else holds at `now`; whoever holds it already takes it again.
	 * @returns the session; `held`: somebody else has the lease; null: there is no session any more
	 */
	lease(id: string, lease: Lease, now: number): Promise<OpenIdSession | 'held' | null>;
	/** Gives the lease back. Does nothing where another has it. */
	release(id: string, by: string): Promise<void>;
	/**
	 * Stores what a renewal found, and gives the lease back.
	 * @returns whether it was stored: not where the session is gone, or another has the lease
	 */
	update(id: string, by: string, found: FoundInRenewal): Promise<boolean>;
	/** Ends a session. Does nothing where there is none. */
	remove(id: string): Promise<void>;
	/** Keeps a logout, unless a later one is kept. @param until when it may be forgotten, in epoch milliseconds */
	noteLogout(logout: ProviderLogout, until: number): Promise<void>;
	/** Returns whether a kept logout ends a session (`endsSession`). Strongly consistent: a session that was just stored is asked about. */
	isLoggedOut(session: OpenIdSession): Promise<boolean>;
	/** Returns the sessions of a person as they are stored now. It may lack one that began in the last second or so. */
	listOf(person: string): Promise<readonly OpenIdSession[]>;
	/** Returns every session. Reads every row, so it is for operators' tools only. */
	list(): Promise<readonly OpenIdSession[]>;
}

/**
 * The tokens of sessions, encrypted under the `sid` of the session's tokens: neither a table, nor a backup, nor a function without that
 * token can read them.
 * @throws DomainError `store_failed`
 */
export interface OpenIdSessionTokens {
	/** Returns null where nothing is stored, or where `sid` is not the session's. */
	find(sid: string): Promise<SessionTokens | null>;
	/** @param endsAt when the row may go, in epoch milliseconds */
	put(sid: string, tokens: SessionTokens, endsAt: number): Promise<void>;
	remove(id: string): Promise<void>;
}

/** The ids of sessions, and what is random in them. */
export interface SessionIds {
	/** Returns 32 random bytes in base64url: the `sid` of a session. */
	newSid(): string;
	/** Returns the id under which the session with that `sid` is stored: its SHA-256 in base64url. */
	idOf(sid: string): string;
}
