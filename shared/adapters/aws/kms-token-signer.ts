import { createHash } from 'node:crypto';
import { KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { base64url, compactVerify } from 'jose';
import { DomainError } from '#domain/errors.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { TokenClaims, TokenSigner } from '#domain/ports/token-signer.ts';
import { activeKeyOf, type KeyRing, publicKeyOf } from '#domain/signing-keys/key-ring.ts';
import { type ClientLimits, clientSettings } from './aws-client.ts';
import { awsFault } from './aws-fault.ts';
import { cacheSsmKeyRing, type SsmKeyRingSettings } from './ssm-key-ring.ts';

const algorithm = 'RS256';
const limits: ClientLimits = { connectTimeoutMs: 1000, requestTimeoutMs: 2000, maxAttempts: 3 };
/** The longest time that signing a token takes: reading the key ring and all requests to KMS. */
export const signMs = 3000;

/** KMS errors that mean the key cannot sign, perhaps never again. Another key may be active meanwhile. */
const unusableKeyErrors: ReadonlySet<string> = new Set([
	'AccessDeniedException',
	'DisabledException',
	'InvalidKeyUsageException',
	'KMSInvalidStateException',
	'NotFoundException',
]);

/** The key ring has no active key. */
class NoActiveKeyError extends Error {
	override readonly name = 'NoActiveKeyError';
}

/** The settings of `createKmsTokenSigner`. */
export interface KmsTokenSignerSettings extends SsmKeyRingSettings {
	readonly metrics: Pick<Metrics, 'count'>;
}

/**
 * Creates a `TokenSigner` that signs with the active KMS key of the key ring. It verifies each token with the published public key
 * before it returns it. Failures count as `SigningFailures`, successes as 0.
 * `sign` throws DomainError `dependency_failed` or `dependency_slow` (signing key).
 */
export function createKmsTokenSigner({ metrics, ...settings }: KmsTokenSignerSettings): TokenSigner {
	const kms = new KMSClient(clientSettings(settings, limits));
	const keyRing = cacheSsmKeyRing(settings);

	const signWith = async (ring: KeyRing, claims: TokenClaims, abortSignal: AbortSignal): Promise<string> => {
		const key = activeKeyOf(ring);
		if (key === undefined) throw new NoActiveKeyError('no key is active: npm run key -- publish NAME, then activate NAME');
		const content = `${encode({ alg: algorithm, kid: key.kid, typ: 'JWT' })}.${encode(claims)}`;
		const { Signature: signature = new Uint8Array() } = await kms.send(
			new SignCommand({
				KeyId: key.kid,
				Message: createHash('sha256').update(content).digest(),
				MessageType: 'DIGEST',
				SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256',
			}),
			{ abortSignal },
		);
		const token = `${content}.${base64url.encode(signature)}`;
		await compactVerify(token, publicKeyOf(key), { algorithms: [algorithm] }).catch((error: unknown) => {
			const cause = `the signature of KMS key ${key.kid} does not verify with the public key published for it (${key.name})`;
			throw new DomainError('dependency_failed', { dependency: 'signingKey', cause }, { cause: error });
		});
		return token;
	};

	return {
		sign: async (claims) => {
			const deadline = AbortSignal.timeout(signMs);
			try {
				const ring = await keyRing.current();
				const token = await signWith(ring, claims, deadline).catch(async (error: unknown) => {
					if (!isUnusableKey(error)) throw error;
					// Another key may be active since the ring was read.
					const current = await keyRing.refresh(ring);
					if (current.active === ring.active) throw error;
					return signWith(current, claims, deadline);
				});
				// Counted as 0, so that the alarm knows of how many attempts a share failed.
				metrics.count('SigningFailures', 0);
				return token;
			} catch (error) {
				metrics.count('SigningFailures');
				// A DomainError stays as it is.
				throw awsFault('signingKey', 'KMS Sign', error, deadline);
			}
		},
	};
}

const encode = (part: object): string => base64url.encode(JSON.stringify(part));

/** Whether an error means that another key has to sign. */
const isUnusableKey = (error: unknown): boolean =>
	error instanceof NoActiveKeyError || (error instanceof Error && unusableKeyErrors.has(error.name));
