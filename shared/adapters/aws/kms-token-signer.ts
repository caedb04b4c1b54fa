import { createHash } from 'node:crypto';
import { KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { base64url, compactVerify } from 'jose';
import { DomainError } from '#domain/errors.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { TokenClaims, TokenSigner } from '#domain/ports/token-signer.ts';
import { activeKeyOf, type KeyRing, publicKeyOf } from '#domain/signing-keys/key-ring.ts';
import { type ClientLimits, clientSettings } from './aws-client.ts';
import { signingKeyFault } from './signing-key-fault.ts';
import { cacheSsmKeyRing, type SsmKeyRingSettings } from './ssm-key-ring.ts';

const algorithm = 'RS256';

const limits: ClientLimits = { connectTimeoutMs: 1000, requestTimeoutMs: 2000, maxAttempts: 3 };

/** For a token: all requests to KMS, and the reading of the ring before the first of them. */
const signMs = 3000;

/** The names by which KMS says that a key cannot sign, now and perhaps ever: another may be active meanwhile. */
const deadKeyErrors: ReadonlySet<string> = new Set([
	'AccessDeniedException',
	'DisabledException',
	'InvalidKeyUsageException',
	'KMSInvalidStateException',
	'NotFoundException',
]);

/** No key of a ring can sign. */
class NoSignature extends Error {
	override readonly name = 'NoSignature';
}

/** What the signer is made of. */
export interface KmsTokenSignerSettings extends SsmKeyRingSettings {
	readonly metrics: Pick<Metrics, 'count'>;
}

/**
 * `TokenSigner` with the key of KMS that the ring says is active. A token is handed out only where the ring's public key verifies
 * it: nothing that an authorizer would refuse. Every failure is counted as SigningFailures and thrown as `dependency_failed` or
 * `dependency_slow` (signing key).
 */
export function createKmsTokenSigner({ metrics, ...settings }: KmsTokenSignerSettings): TokenSigner {
	const kms = new KMSClient(clientSettings(settings, limits));
	const keyRing = cacheSsmKeyRing(settings);

	const signedWith = async (ring: KeyRing, claims: TokenClaims, abortSignal: AbortSignal): Promise<string> => {
		const key = activeKeyOf(ring);
		if (key === undefined) throw new NoSignature('no key is active: npm run key -- publish NAME, then activate NAME');
		const content = `${encoded({ alg: algorithm, kid: key.kid, typ: 'JWT' })}.${encoded(claims)}`;
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
		await compactVerify(token, publicKeyOf(key), { algorithms: [algorithm] }).catch((cause: unknown) => {
			const words = `what KMS signed with ${key.kid} does not verify with the public key that is published for it (${key.name})`;
			throw new DomainError('dependency_failed', { dependency: 'signingKey', cause: words }, { cause });
		});
		return token;
	};

	/** Signs; where the key cannot, once more with the ring as it is now. */
	const signed = async (claims: TokenClaims, deadline: AbortSignal): Promise<string> => {
		const ring = await keyRing.current();
		try {
			return await signedWith(ring, claims, deadline);
		} catch (error) {
			if (!isDeadKey(error)) throw error;
			const renewed = await keyRing.renewed(ring);
			if (renewed.active === ring.active) throw error;
			return signedWith(renewed, claims, deadline);
		}
	};

	return {
		sign: async (claims) => {
			const deadline = AbortSignal.timeout(signMs);
			try {
				return await signed(claims, deadline);
			} catch (error) {
				metrics.count('SigningFailures');
				throw signingKeyFault('KMS Sign', error, deadline);
			}
		},
	};
}

const encoded = (part: object): string => base64url.encode(JSON.stringify(part));

const isDeadKey = (error: unknown): boolean =>
	error instanceof NoSignature || (error instanceof Error && deadKeyErrors.has(error.name));
