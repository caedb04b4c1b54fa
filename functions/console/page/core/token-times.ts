/** Times of a token, in epoch milliseconds of the service (shared/domain/use-cases/README.md#renewing). */
export interface TokenTimes {
	readonly issuedAt: number;
	readonly expiresAt: number;
	/** The time after which the token can no longer be renewed. */
	readonly sessionEndsAt: number;
}

/**
 * Returns the times of a token; null for a token of an earlier version of the service, which cannot be renewed. The token is not verified
 * here; the service does that.
 */
export function timesOf(token: string): TokenTimes | null {
	const claims = claimsIn(token);
	const millisecondsOf = (name: string): number => {
		const claim: unknown = Object.getOwnPropertyDescriptor(claims, name)?.value;
		return typeof claim === 'number' ? claim * 1000 : Number.NaN;
	};
	const times = {
		issuedAt: millisecondsOf('iat'),
		expiresAt: millisecondsOf('exp'),
		sessionEndsAt: millisecondsOf('session_exp'),
	};
	return Object.values(times).every(Number.isFinite) ? times : null;
}

/** Returns the claims of a JWT. */
export function claimsIn(token: string): object {
	// JWTs use base64url, and `atob` takes base64.
	const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
	try {
		// `atob` returns bytes, and claims are UTF-8.
		const bytes = Uint8Array.from(atob(payload), (byte) => byte.charCodeAt(0));
		const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
		return typeof claims === 'object' && claims !== null ? claims : {};
	} catch {
		return {};
	}
}
