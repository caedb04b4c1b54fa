import { importJWK, SignJWT } from 'jose';
import * as v from 'valibot';
import type { PublicKey, PublicKeys, TokenSigner } from '#domain/ports/token-signer.ts';

/** The algorithm of every service token (design section 7). */
export const tokenAlgorithm = 'RS256';

const part = v.pipe(v.string(), v.nonEmpty());

/** A private RSA key as a JWK (RFC 7517, RFC 7518 section 6.3). */
export const privateJwkSchema = v.object({
	kty: v.literal('RSA'),
	kid: part,
	n: part,
	e: part,
	d: part,
	p: part,
	q: part,
	dp: part,
	dq: part,
	qi: part,
});

export type PrivateJwk = v.InferOutput<typeof privateJwkSchema>;

/** Signs with, and publishes, a key that is at hand: for one machine. In the cloud the key never leaves its vault. */
export function createJwkTokenSigner(key: PrivateJwk): TokenSigner & PublicKeys {
	const { kty, kid, n, e } = key;
	const imported = importJWK(key, tokenAlgorithm);
	const published: PublicKey = { kty, kid, alg: tokenAlgorithm, use: 'sig', n, e };
	return {
		sign: async (claims) =>
			new SignJWT({ ...claims }).setProtectedHeader({ alg: tokenAlgorithm, kid, typ: 'JWT' }).sign(await imported),
		published: async () => [published],
	};
}
