import { importJWK, SignJWT } from 'jose';
import * as v from 'valibot';
import type { PublicKey, PublicKeys, TokenSigner } from '#domain/ports/token-signer.ts';
import { rsaPublicKeyEntries } from '#domain/signing-keys/rsa-key.ts';

/** The algorithm of every service token (shared/domain/use-cases/README.md#tokens). */
export const tokenAlgorithm = 'RS256';

const parameterSchema = v.pipe(v.string(), v.nonEmpty());

/** A private RSA key as a JWK (RFC 7517, RFC 7518 section 6.3). Weak keys are rejected. */
export const privateJwkSchema = v.object({
	kty: v.literal('RSA'),
	...rsaPublicKeyEntries,
	...v.entriesFromList(['kid', 'd', 'p', 'q', 'dp', 'dq', 'qi'], parameterSchema),
});

/** A parsed private RSA key. */
export type PrivateJwk = v.InferOutput<typeof privateJwkSchema>;

/** Signs tokens with a private key in memory and publishes its public key. For one machine; on AWS the key never leaves KMS. */
export function createJwkTokenSigner(key: PrivateJwk): TokenSigner & PublicKeys {
	const { kty, kid, n, e } = key;
	const signingKey = importJWK(key, tokenAlgorithm);
	const published: PublicKey = { kty, kid, alg: tokenAlgorithm, use: 'sig', n, e };
	return {
		sign: async (claims) =>
			new SignJWT({ ...claims }).setProtectedHeader({ alg: tokenAlgorithm, kid, typ: 'JWT' }).sign(await signingKey),
		published: async () => [published],
	};
}
