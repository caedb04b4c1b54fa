import { GetParameterCommand, ParameterNotFound, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import type { PublicKeys } from '#domain/ports/token-signer.ts';
import { emptyKeyRing, type KeyRing, parseKeyRing, publicKeyOf, serializeKeyRing } from '#domain/signing-keys/key-ring.ts';
import { type AwsSettings, type ClientLimits, clientSettings } from './aws-client.ts';
import { awsFault } from './aws-fault.ts';
import { type CachedKeyRing, cacheKeyRing } from './cached-key-ring.ts';

/** Short limits: API Gateway waits 1.5 s for the keys, including a cold start. */
const limits: ClientLimits = { connectTimeoutMs: 500, requestTimeoutMs: 1000, maxAttempts: 2 };
/** Time limit of a read, for all attempts, including the body of the response. */
const readMs = 1200;

/** A key ring and the version of the SSM parameter that holds it. */
export interface StoredKeyRing {
	readonly ring: KeyRing;
	/** SSM counts the writes of a parameter from 1; 0 when it does not exist. */
	readonly version: number;
}

/** The parameter that holds the key ring, and how to reach SSM. */
export interface SsmKeyRingSettings extends AwsSettings {
	/** The parameter's name: `resourceNames(environment).keyRing`. */
	readonly parameter: string;
	/** Returns epoch milliseconds; by default of the wall clock. */
	readonly now?: () => number;
}

/**
 * Reads the key ring; an empty one when the parameter does not exist.
 * @throws DomainError `dependency_failed` when the parameter is not a key ring; otherwise the error of the SDK
 */
export async function readKeyRing(
	ssm: SSMClient,
	parameter: string,
	options: { readonly abortSignal?: AbortSignal } = {},
): Promise<StoredKeyRing> {
	try {
		const { Parameter: stored } = await ssm.send(new GetParameterCommand({ Name: parameter }), options);
		return { ring: parseKeyRing(stored?.Value ?? ''), version: stored?.Version ?? 0 };
	} catch (error) {
		if (error instanceof ParameterNotFound) return { ring: emptyKeyRing, version: 0 };
		throw error;
	}
}

/**
 * Writes the key ring over the version that was read. SSM has no conditional writes, so it also overwrites a later version. The returned
 * version shows whether it did. A new parameter never overwrites one that was created meanwhile.
 * @param stored the new ring and the version that was read
 * @returns the version written: `version + 1`, unless someone else wrote in between
 * @throws ParameterAlreadyExists when the version is 0 and the parameter exists; otherwise the error of the SDK
 */
export async function writeKeyRing(ssm: SSMClient, parameter: string, { ring, version }: StoredKeyRing): Promise<number> {
	const { Version: written } = await ssm.send(
		new PutParameterCommand({
			Name: parameter,
			Value: serializeKeyRing(ring),
			Type: 'String',
			Description: 'Public keys of service tokens, and which of them signs. Written by npm run key.',
			Overwrite: version > 0,
		}),
	);
	return written ?? 0;
}

/** Caches the key ring of a parameter. Its methods throw DomainError `dependency_failed` or `dependency_slow` (signing key). */
export function cacheSsmKeyRing({ parameter, now = Date.now, ...aws }: SsmKeyRingSettings): CachedKeyRing {
	const ssm = new SSMClient(clientSettings(aws, limits));
	return cacheKeyRing(async () => {
		const abortSignal = AbortSignal.timeout(readMs);
		try {
			return (await readKeyRing(ssm, parameter, { abortSignal })).ring;
		} catch (error) {
			throw awsFault('signingKey', `SSM GetParameter ${parameter}`, error, abortSignal);
		}
	}, now);
}

/** Creates the `PublicKeys` of a parameter. There are none when the parameter does not exist. */
export function createSsmPublicKeys(settings: SsmKeyRingSettings): PublicKeys {
	const keyRing = cacheSsmKeyRing(settings);
	return { published: async () => (await keyRing.current()).keys.map(publicKeyOf) };
}
