import { GetParameterCommand, ParameterNotFound, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import type { PublicKeys } from '#domain/ports/token-signer.ts';
import { emptyKeyRing, type KeyRing, keyRingText, parseKeyRing, publicKeyOf } from '#domain/signing-keys/key-ring.ts';
import { type AwsSettings, type ClientLimits, clientSettings } from './aws-client.ts';
import { type CachedKeyRing, cacheKeyRing } from './cached-key-ring.ts';
import { signingKeyFault } from './signing-key-fault.ts';

/** API Gateway waits 1.5 s for the keys, a cold start and all. */
const limits: ClientLimits = { connectTimeoutMs: 500, requestTimeoutMs: 1000, maxAttempts: 2 };

/** For all attempts, with the answer's whole body. */
const readMs = 1200;

/** The ring as a parameter of SSM holds it. */
export interface StoredKeyRing {
	readonly ring: KeyRing;
	/** SSM counts what was written to a parameter from 1; 0: there is none. */
	readonly version: number;
}

/** Which parameter, and where SSM is. */
export interface SsmKeyRingSettings extends AwsSettings {
	/** Its name, as `namesIn(environment).keyRing` gives it. */
	readonly parameter: string;
	/** Epoch milliseconds; the wall clock unless told. */
	readonly now?: () => number;
}

/** Reads the ring; an empty one where there is no parameter. Rejects as the SDK does, or with `dependency_failed` where it is garbled. */
export async function readKeyRing(ssm: SSMClient, parameter: string, abortSignal?: AbortSignal): Promise<StoredKeyRing> {
	try {
		const { Parameter: stored } = await ssm.send(
			new GetParameterCommand({ Name: parameter }),
			abortSignal === undefined ? {} : { abortSignal },
		);
		return { ring: parseKeyRing(stored?.Value ?? ''), version: stored?.Version ?? 0 };
	} catch (error) {
		if (error instanceof ParameterNotFound) return { ring: emptyKeyRing, version: 0 };
		throw error;
	}
}

/**
 * Writes the ring in the place of the one that was read. SSM has no condition for that: whoever wrote since is overwritten, which
 * shows in the version. Where there was none, nothing that is made meanwhile is overwritten.
 * @param version the one that was read
 * @returns the version that this became: `version + 1`, unless someone else wrote since
 * Rejects as the SDK does: with ParameterAlreadyExists where there was none and now there is.
 */
export async function writeKeyRing(ssm: SSMClient, parameter: string, { ring, version }: StoredKeyRing): Promise<number> {
	const { Version: written } = await ssm.send(
		new PutParameterCommand({
			Name: parameter,
			Value: keyRingText(ring),
			Type: 'String',
			Description: 'Public keys of service tokens, and which of them signs. Written by npm run key.',
			Overwrite: version > 0,
		}),
	);
	return written ?? 0;
}

/** The ring of a parameter, kept while a function is warm. Rejects with `dependency_failed` or `dependency_slow` (signing key). */
export function cacheSsmKeyRing({ parameter, now = Date.now, ...aws }: SsmKeyRingSettings): CachedKeyRing {
	const ssm = new SSMClient(clientSettings(aws, limits));
	return cacheKeyRing(async () => {
		const deadline = AbortSignal.timeout(readMs);
		try {
			return (await readKeyRing(ssm, parameter, deadline)).ring;
		} catch (error) {
			throw signingKeyFault(`SSM GetParameter ${parameter}`, error, deadline);
		}
	}, now);
}

/** `PublicKeys` of a parameter: none where there is no parameter. */
export function createSsmPublicKeys(settings: SsmKeyRingSettings): PublicKeys {
	const keyRing = cacheSsmKeyRing(settings);
	return { published: async () => (await keyRing.current()).keys.map(publicKeyOf) };
}
