/** The claims of a service token (design section 7); times are seconds since the epoch, as RFC 7519 has them. */
export interface TokenClaims {
	readonly iss: string;
	readonly aud: string;
	readonly sub: string;
	readonly email: string;
	readonly schema: string;
	readonly tsdb: string;
	readonly scope: string;
	readonly iat: number;
	readonly exp: number;
	readonly jti: string;
}

/** Signs service tokens with the key that is active. */
export interface TokenSigner {
	/** A compact JWS, RS256, with the key's `kid` in its header (RFC 7515). */
	sign(claims: TokenClaims): Promise<string>;
}

/** An RSA public key as published (RFC 7517). */
export interface PublicKey {
	readonly kid: string;
	readonly kty: 'RSA';
	readonly alg: 'RS256';
	readonly use: 'sig';
	readonly n: string;
	readonly e: string;
}

/** The keys that tokens may be signed with now or were until lately. */
export interface PublicKeys {
	published(): Promise<readonly PublicKey[]>;
}
