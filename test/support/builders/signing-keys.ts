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

/** An environment of its own on the emulator, with its keys in KMS and its ring in SSM. */
export const openKeys = () => {
	const kms = new KMSClient(awsSettings());
	const ssm = new SSMClient(awsSettings());
	const environment = `t${randomUUID().replaceAll('-', '').slice(0, 15)}`;
	const names = resourceNames(environment);
	const read = () => readKeyRing(ssm, names.keyRing);
	/** A key under its alias, as the issuer's stack makes it. */
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
		/** An RSA key under its alias, with its public part. */
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
		/** Puts a ring in the place of the one that is there. */
		put: async (ring: KeyRing) => writeKeyRing(ssm, names.keyRing, { ring, version: (await read()).version }),
		/** Puts any text in its place. */
		putText: (text: string) =>
			ssm.send(new PutParameterCommand({ Name: names.keyRing, Value: text, Type: 'String', Overwrite: true })),
	};
};

export type Keys = ReturnType<typeof openKeys>;
