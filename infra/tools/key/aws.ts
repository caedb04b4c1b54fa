import { createPublicKey } from 'node:crypto';
import {
	DescribeKeyCommand,
	GetPublicKeyCommand,
	type KeyMetadata,
	KMSClient,
	NotFoundException,
	paginateListAliases,
} from '@aws-sdk/client-kms';
import { SSMClient } from '@aws-sdk/client-ssm';
import { type ClientLimits, clientSettings } from '#adapters/aws/aws-client.ts';
import { resourceNames } from '#shared/resource-names.ts';

/** A person waits; and nothing is written twice by repeating, which SSM would count as another's writing. */
const limits: ClientLimits = { connectTimeoutMs: 3000, requestTimeoutMs: 10_000, maxAttempts: 3 };

/** KMS and SSM, with credentials, region and address as the SDK finds them by itself. */
export interface Aws {
	readonly kms: KMSClient;
	/** For reading. */
	readonly ssm: SSMClient;
	/** For writing: asks once. */
	readonly writingSsm: SSMClient;
	/** AWS's clock, as its last answer told it: epoch milliseconds. */
	now(): number;
}

export function openAws(): Aws {
	const ssm = new SSMClient(clientSettings({}, limits));
	return {
		kms: new KMSClient(clientSettings({}, limits)),
		ssm,
		writingSsm: new SSMClient(clientSettings({}, { ...limits, maxAttempts: 1 })),
		now: () => Date.now() + ssm.config.systemClockOffset,
	};
}

/** A key as KMS has it. */
export interface KmsKey {
	readonly kid: string;
	/** `Enabled`, or what keeps it from signing: `Disabled`, `PendingDeletion`, … */
	readonly state: string;
	/** Whether tokens can be signed with it: an RSA key for signing. */
	readonly signsTokens: boolean;
}

/** A key of KMS by its id or alias; null where there is none. */
export async function findKey({ kms }: Aws, idOrAlias: string): Promise<KmsKey | null> {
	try {
		const { KeyMetadata } = await kms.send(new DescribeKeyCommand({ KeyId: idOrAlias }));
		return KeyMetadata === undefined ? null : keyOf(KeyMetadata);
	} catch (error) {
		if (error instanceof NotFoundException) return null;
		throw error;
	}
}

/** The state of a key with which functions may sign. */
export const canSign = 'Enabled';

/**
 * Whether functions of an environment can sign with a published key: `Enabled`, or why not; null where KMS has no such key. A key
 * that the environment's alias of that name does not point to is not its own any more: nothing is granted on it.
 */
export async function signingStateOf(
	aws: Aws,
	environment: string,
	{ kid, name }: { readonly kid: string; readonly name: string },
): Promise<string | null> {
	const [key, own] = await Promise.all([findKey(aws, kid), findKey(aws, resourceNames(environment).signingKey(name))]);
	if (key === null) return null;
	return key.state === canSign && own?.kid !== kid ? 'replaced' : key.state;
}

/** The modulus and exponent of an RSA key of KMS, as a JWK has them. */
export async function publicPartOf({ kms }: Aws, kid: string): Promise<{ readonly n: string; readonly e: string }> {
	const { PublicKey: der = new Uint8Array() } = await kms.send(new GetPublicKeyCommand({ KeyId: kid }));
	const { n = '', e = '' } = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' }).export({ format: 'jwk' });
	return { n, e };
}

/** The signing keys that an environment has in KMS, by name. */
export async function aliasedKeys(
	{ kms }: Aws,
	environment: string,
): Promise<readonly { readonly name: string; readonly kid: string }[]> {
	const prefix = resourceNames(environment).signingKey('');
	const found: { name: string; kid: string }[] = [];
	for await (const { Aliases: page = [] } of paginateListAliases({ client: kms }, {}))
		for (const { AliasName: alias = '', TargetKeyId: kid } of page)
			if (alias.startsWith(prefix) && kid !== undefined) found.push({ name: alias.slice(prefix.length), kid });
	return found.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

const keyOf = ({ KeyId, KeyState, KeySpec, KeyUsage }: KeyMetadata): KmsKey => ({
	kid: KeyId ?? '',
	state: KeyState ?? 'unknown',
	signsTokens: KeySpec?.startsWith('RSA_') === true && KeyUsage === 'SIGN_VERIFY',
});
