import { compactVerify, createLocalJWKSet } from 'jose';
import type { PublicKey } from '#domain/ports/token-signer.ts';

/** HTTP APIs accept RSA signatures only. */
const algorithms = ['RS256', 'RS384', 'RS512'];

/** Three parts in base64url without padding (RFC 7515 sections 2 and 7.1). jose would accept padding. */
const compactJws = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Verifies a compact JWS (RFC 7515) with the published key that `kid` in its header names.
 * @returns the payload; null when the token is malformed, names no published key, or has another algorithm or a wrong signature
 * @example
 * const payload = await verifySignature(token, await keys.published());
 */
export async function verifySignature(token: string, keys: readonly PublicKey[]): Promise<Uint8Array | null> {
	if (!compactJws.test(token)) return null;
	const keySet = createLocalJWKSet({ keys: keys.map((key) => ({ ...key })) });
	const verified = await compactVerify(token, keySet, { algorithms }).catch(() => null);
	// Without `kid`, jose would take the only key that fits. API Gateway refuses such a token.
	return verified?.protectedHeader.kid === undefined ? null : verified.payload;
}
