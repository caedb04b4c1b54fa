/** The claims of a person's token (shared/domain/use-cases/README.md#tokens). Times are in seconds since the epoch (RFC 7519). */
export interface PersonTokenClaims {
	readonly iss: string;
	readonly aud: string;
	readonly sub: string;
	readonly email: string;
	readonly schema: string;
	/** The tenant's time-series database. */
	readonly tsdb: string;
	/** The user's client, to which the schema and the database belong. Tokens of earlier versions have none. */
	readonly client: string;
	readonly scope: string;
	readonly iat: number;
	readonly exp: number;
	/** When the person signed in (OpenID Connect Core, section 2). Tokens of earlier versions have none. */
	readonly auth_time: number;
	/** When renewing ends. For clients: the service computes it from `auth_time`. */
	readonly session_exp: number;
	/** The id of the token: no other one has it. */
	readonly jti: string;
}

/** The claims of a machine's token. It has no session: a machine signs in again. */
export interface MachineTokenClaims extends Omit<PersonTokenClaims, 'email' | 'auth_time' | 'session_exp'> {
	/** The name of the machine, which journals show. */
	readonly name: string;
}

/** The claims of the token of a person who signed in with an OpenID provider: without an e-mail, which another person may have here. */
export interface OpenIdTokenClaims extends Omit<PersonTokenClaims, 'email'> {
	/** The name under which the person is shown. */
	readonly name: string;
	/** The secret of the session: its row is stored under the hash of it. */
	readonly sid: string;
}

/** The claims of a service token. */
export type TokenClaims = PersonTokenClaims | MachineTokenClaims | OpenIdTokenClaims;

/** Signs service tokens with the active key. */
export interface TokenSigner {
	/** Returns a compact JWS (RS256) with the key's `kid` in its header (RFC 7515). */
	sign(claims: TokenClaims): Promise<string>;
}

/** An RSA public key as a JWK (RFC 7517). */
export interface PublicKey {
	readonly kid: string;
	readonly kty: 'RSA';
	readonly alg: 'RS256';
	readonly use: 'sig';
	readonly n: string;
	readonly e: string;
}

/** The public keys of every key that may have signed a token which is still valid. */
export interface PublicKeys {
	/** Returns them, oldest first. */
	published(): Promise<readonly PublicKey[]>;
}
