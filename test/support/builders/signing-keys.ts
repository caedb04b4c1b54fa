import { createPublicKey, randomUUID } from 'node:crypto';
import {
	CreateAliasCommand,
	CreateKeyCommand,
	type CreateKeyCommandInput,
	DisableKeyCommand,
	GetPublicKeyCommand,
	KMSClient,
	ScheduleKeyDeletionCommand,
} from '@aws-sdk/client-kms';
import { PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { readKeyRing, writeKeyRing } from '#adapters/aws/ssm-key-ring.ts';
import type { KeyRing } from '#domain/signing-keys/key-ring.ts';
import type { NewKey } from '#domain/signing-keys/rotation.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { awsSettings } from '../servers/aws.ts';

const rsa: CreateKeyCommandInput = { KeySpec: 'RSA_2048', KeyUsage: 'SIGN_VERIFY' };

/** Opens a new environment on the emulator, with its keys in KMS and its key ring in SSM. */
export function openKeys() {
	const kms = new KMSClient(awsSettings());
	const ssm = new SSMClient(awsSettings());
	const environment = `t${randomUUID().replaceAll('-', '').slice(0, 15)}`;
	const names = resourceNames(environment);
	const read = () => readKeyRing(ssm, names.keyRing);
	/** Creates a key with its alias, as the issuer stack does. Returns its id. */
	const makeAlias = async (name: string, input: CreateKeyCommandInput): Promise<string> => {
		const { KeyMetadata } = await kms.send(new CreateKeyCommand(input));
		const KeyId = KeyMetadata?.KeyId ?? '';
		await kms.send(new CreateAliasCommand({ AliasName: names.signingKey(name), TargetKeyId: KeyId }));
		return KeyId;
	};
	return {
		environment,
		parameter: names.keyRing,
		makeAlias,
		/** Creates an RSA key with its alias. Returns its public key. */
		makeKey: async (name: string): Promise<NewKey> => {
			const kid = await makeAlias(name, rsa);
			const { PublicKey } = await kms.send(new GetPublicKeyCommand({ KeyId: kid }));
			const key = createPublicKey({ key: Buffer.from(PublicKey ?? []), format: 'der', type: 'spki' });
			const { n = '', e = '' } = key.export({ format: 'jwk' });
			return { kid, name, n, e };
		},
		disable: (kid: string) => kms.send(new DisableKeyCommand({ KeyId: kid })),
		scheduleDeletion: (kid: string) => kms.send(new ScheduleKeyDeletionCommand({ KeyId: kid, PendingWindowInDays: 7 })),
		read,
		/** Replaces the key ring. */
		put: async (ring: KeyRing) => writeKeyRing(ssm, names.keyRing, { ring, version: (await read()).version }),
		/** Replaces the value of the parameter with any text. */
		putText: (text: string) =>
			ssm.send(new PutParameterCommand({ Name: names.keyRing, Value: text, Type: 'String', Overwrite: true })),
	};
}

/** The keys of a test environment. */
export type Keys = ReturnType<typeof openKeys>;
