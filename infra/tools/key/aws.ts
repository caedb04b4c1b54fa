import { createPublicKey } from 'node:crypto';
import { DescribeKeyCommand, GetPublicKeyCommand, KMSClient, NotFoundException, paginateListAliases } from '@aws-sdk/client-kms';
import { SSMClient } from '@aws-sdk/client-ssm';
import { type ClientLimits, clientSettings } from '#adapters/aws/aws-client.ts';

const limits: ClientLimits = { connectTimeoutMs: 3000, requestTimeoutMs: 10_000, maxAttempts: 3 };

/** Opens a client of KMS. The SDK finds credentials, region and address by itself. */
export function openKms(): KMSClient {
	return new KMSClient(clientSettings({}, limits));
}

/** Opens a client of SSM that sends a request at most `maxAttempts` times. */
export function openSsm({ maxAttempts }: Pick<ClientLimits, 'maxAttempts'> = limits): SSMClient {
	return new SSMClient(clientSettings({}, { ...limits, maxAttempts }));
}

/** Lists the keys whose alias in KMS begins with `prefix`: the id of each key by the rest of its alias, in the order of the names. */
export async function listAliases(kms: KMSClient, prefix: string): Promise<ReadonlyMap<string, string>> {
	const keys: { name: string; kid: string }[] = [];
	for await (const { Aliases: page = [] } of paginateListAliases({ client: kms }, {}))
		for (const { AliasName: alias = '', TargetKeyId: kid } of page)
			if (alias.startsWith(prefix) && kid !== undefined) keys.push({ name: alias.slice(prefix.length), kid });
	const byName = keys.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
	return new Map(byName.map(({ name, kid }) => [name, kid]));
}

/**
 * Returns the state of a key in KMS (`Enabled`, `Disabled`, `PendingDeletion`, …), `missing` when KMS has no such key, or
 * `unsuitable` when it is not an RSA key for signing.
 */
export async function keyStateOf(kms: KMSClient, kid: string): Promise<string> {
	try {
		const { KeyMetadata: key } = await kms.send(new DescribeKeyCommand({ KeyId: kid }));
		const isSuitable = key?.KeySpec?.startsWith('RSA_') === true && key.KeyUsage === 'SIGN_VERIFY';
		return isSuitable ? (key.KeyState ?? 'unknown') : 'unsuitable';
	} catch (error) {
		if (error instanceof NotFoundException) return 'missing';
		throw error;
	}
}

/** Returns the modulus and exponent of an RSA key in KMS, base64url-encoded as in a JWK. */
export async function publicKeyParts(kms: KMSClient, kid: string): Promise<{ readonly n: string; readonly e: string }> {
	const { PublicKey: der = new Uint8Array() } = await kms.send(new GetPublicKeyCommand({ KeyId: kid }));
	const { n = '', e = '' } = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' }).export({ format: 'jwk' });
	return { n, e };
}
