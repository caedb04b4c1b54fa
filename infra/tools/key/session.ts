import type { KMSClient } from '@aws-sdk/client-kms';
import { readKeyRing, type StoredKeyRing, writeKeyRing } from '#adapters/aws/ssm-key-ring.ts';
import { requestFaultOf } from '#adapters/dynamo/fault.ts';
import { DomainError, messageOf } from '#domain/errors.ts';
import type { KeyRing } from '#domain/signing-keys/key-ring.ts';
import { ConfigError } from '#shared/config.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { keyStateOf, listAliases, openKms, openSsm } from './aws.ts';
import { commandLine, historyCommand, type KmsKey, type MessageContext } from './messages.ts';

/** One run of the tool: the key ring as it was read, the time on the clock of AWS, and every key, published or only in KMS. */
export interface KeySession extends StoredKeyRing, MessageContext {
	readonly kms: KMSClient;
	/** Published keys first, in the order of the ring. */
	readonly keys: readonly KmsKey[];
	/** The id of the key that the environment's alias of this name points to. The functions may sign with no other key. */
	readonly aliases: ReadonlyMap<string, string>;
}

/**
 * Reads the key ring of an environment and the state of its keys.
 * @throws ConfigError when the parameter does not hold a key ring
 */
export async function openSession(environment: string, tokenLifetimeMs: number): Promise<KeySession> {
	const [kms, ssm] = [openKms(), openSsm()];
	const { keyRing: parameter, signingKey } = resourceNames(environment);
	const stored = await readKeyRing(ssm, parameter).catch((error: unknown) => {
		if (!(error instanceof DomainError)) throw error;
		const cause = 'cause' in error.payload ? error.payload.cause : error.message;
		const history = historyCommand(environment);
		throw new ConfigError(`${parameter} was changed by hand (${cause}). Restore its previous value: ${history}`);
	});
	// Only after the first answer: SSM's client has learned the offset of this clock from it.
	const now = Date.now() + ssm.config.systemClockOffset;
	const aliasPrefix = signingKey('');
	const aliases = await listAliases(kms, aliasPrefix);
	const published = stored.ring.keys;
	const unpublished = [...aliases]
		.map(([name, kid]) => ({ name, kid }))
		.filter(({ kid }) => published.every((key) => key.kid !== kid));
	const keys = await Promise.all(
		[...published, ...unpublished].map(async ({ name, kid }) => {
			const state = await keyStateOf(kms, kid);
			const isReplaced = state === 'Enabled' && aliases.get(name) !== kid;
			return { name, kid, state: isReplaced ? 'replaced' : state };
		}),
	);
	return { kms, environment, tokenLifetimeMs, now, ...stored, keys, aliases };
}

/**
 * Replaces the key ring that the session read. Returns the session with the new ring.
 * @throws ConfigError when somebody else wrote at the same time, or when it is unknown whether the ring was written
 */
export async function saveKeyRing(session: KeySession, ring: KeyRing): Promise<KeySession> {
	const { environment, version } = session;
	const check = `Check ${commandLine(environment, 'list')}, then`;
	// A single attempt: SSM would count a retried write as a write of somebody else.
	const ssm = openSsm({ maxAttempts: 1 });
	const written = await writeKeyRing(ssm, resourceNames(environment).keyRing, { ring, version }).catch((cause: unknown) => {
		if (cause instanceof Error && cause.name === 'ParameterAlreadyExists')
			throw new ConfigError(
				`Somebody else published a first key at the same time. Nothing was written. ${check} run this again.`,
			);
		if (requestFaultOf(cause) !== 'uncertain') throw cause;
		const unknown = `It is unknown whether the key ring was written (${messageOf(cause)}).`;
		throw new ConfigError(`${unknown} ${check} run this again: repeating it is safe.`, { cause });
	});
	if (written === version + 1) return { ...session, ring, version: written };
	const versions = `This write became version ${written} instead of ${version + 1} and replaced theirs.`;
	throw new ConfigError(
		`SOMEBODY ELSE CHANGED THE KEY RING AT THE SAME TIME. ${versions} Tell that person which version was overwritten. ${check} repeat the lost step.`,
	);
}
