import type { Claims } from '../identity/claims.ts';
import type { InteractiveProvider, OpenIdProvider } from '../identity/provider-settings.ts';

/** What a provider says of itself (OpenID Connect Discovery 1.0), as far as the page needs it. */
export interface AuthorizationSettings {
	readonly authorizationEndpoint: string;
	/** Whether the provider names itself in its answer (RFC 9207). */
	readonly requiresIssuer: boolean;
}

/** What a provider's token endpoint gave. Nothing of it is verified. */
export interface ProviderTokens {
	/** Null: a refreshed session without a new ID token. */
	readonly idToken: string | null;
	readonly accessToken: string;
	/** Null: the provider gave none, and a held one stays valid. */
	readonly refreshToken: string | null;
}

/** The provider refused the code or the refresh token (RFC 6749, section 5.2, `invalid_grant`). */
export type GrantRefusal = 'invalid_grant';

/** What an ID token must say beside its signature: the nonce of the sign-in, or the person of the session. */
export type ExpectedIdToken = { readonly nonce: string } | { readonly issuer: string; readonly subject: string };

/** The claims of a verified logout token (OpenID Connect Back-Channel Logout 1.0). */
export interface LogoutClaims {
	readonly issuer: string;
	readonly subject: string;
	/** The session at the provider; null: every session of the person. */
	readonly session: string | null;
	/** In seconds since the epoch. */
	readonly issuedAt: number;
}

/**
 * The OpenID providers (shared/domain/identity/README.md). Nothing is asked twice with one code or one refresh token.
 * @throws DomainError `dependency_failed`, `dependency_slow`; the functions that verify also `sign_in_refused`
 */
export interface OpenIdProviders {
	/** The providers of the settings, in their order. */
	readonly providers: readonly OpenIdProvider[];
	/** Returns what the page needs to send a person to the provider. */
	authorization(provider: InteractiveProvider): Promise<AuthorizationSettings>;
	/** Exchanges a code (RFC 6749, section 4.1.3; RFC 7636). Asks once. */
	redeem(
		provider: InteractiveProvider,
		sent: { readonly code: string; readonly codeVerifier: string; readonly redirectUri: string },
	): Promise<ProviderTokens | GrantRefusal>;
	/** Exchanges a refresh token of a person (RFC 6749, section 6). Asks once, and seldom while the provider is down. */
	refresh(provider: InteractiveProvider, refreshToken: string, person: string): Promise<ProviderTokens | GrantRefusal>;
	/** Returns the claims of an ID token (OpenID Connect Core, section 3.1.3.7), after a key was found, be it by asking again. */
	verifyIdToken(provider: InteractiveProvider, idToken: string, expected: ExpectedIdToken): Promise<VerifiedClaims>;
	/** Returns the claims of the userinfo endpoint, which must be those of the subject. */
	userinfo(provider: InteractiveProvider, accessToken: string, subject: string): Promise<Claims>;
	/** Revokes a refresh token (RFC 7009). Never throws: whoever signs out is signed out here. */
	revoke(provider: InteractiveProvider, refreshToken: string): Promise<void>;
	/** Returns the address that ends the session at the provider; null: it has none, or does not answer. */
	endSessionEndpoint(provider: InteractiveProvider): Promise<string | null>;
	/** Returns the claims of a logout token, and the provider whose it is. */
	verifyLogoutToken(token: string): Promise<{ readonly provider: InteractiveProvider; readonly claims: LogoutClaims }>;
	/** Returns the claims of an access token or a JWT of another program, and the provider whose it is (shared/domain/identity/README.md#exchange). */
	verifyForeign(token: string): Promise<{ readonly provider: OpenIdProvider; readonly claims: VerifiedClaims }>;
}

/** The claims of a verified token: those that every token must have are there. */
export interface VerifiedClaims extends Claims {
	readonly iss: string;
	readonly sub: string;
	/** In seconds since the epoch. */
	readonly iat: number;
	readonly exp: number;
}
