import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import * as v from 'valibot';
import { ConfigError } from '#shared/config.ts';
import { type PrivateJwk, privateJwkSchema, tokenAlgorithm } from '../adapters/jwk-token-signer.ts';
import type { KeyValueStore } from './state.ts';

/** The length of RSA keys that KMS has for the service on AWS, too. */
const modulusBits = 2048;

/** The name under which the key is stored. */
const keyName = 'signing-key';

/**
 * Loads the key that signs tokens on this machine. The first call creates and stores it.
 * @throws ConfigError when the stored key cannot be used
 */
export async function loadSigningKey(keyValues: KeyValueStore): Promise<PrivateJwk> {
	const stored = await keyValues.get(keyName);
	if (stored !== undefined) return parseStored(stored);
	const { privateKey } = await generateKeyPair(tokenAlgorithm, { extractable: true, modulusLength: modulusBits });
	const key = v.parse(privateJwkSchema, { ...(await exportJWK(privateKey)), kid: randomUUID() });
	await keyValues.set(keyName, key);
	return key;
}

function parseStored(stored: unknown): PrivateJwk {
	const result = v.safeParse(privateJwkSchema, stored);
	if (result.success) return result.output;
	const [issue] = result.issues;
	const reason = `${v.getDotPath(issue) ?? 'the whole key'}: ${issue.message}`;
	const remedy = `Take another STATE_DIR, or delete the row ${keyName} of the table note in caudal.db: the next start creates a key.`;
	throw new ConfigError(`The signing key in STATE_DIR cannot be used (${reason}). ${remedy}`);
}
