import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import * as v from 'valibot';
import { type PrivateJwk, privateJwkSchema, tokenAlgorithm } from '../adapters/jwk-token-signer.ts';
import type { KeyValueStore } from './state.ts';

/** The name under which the key is stored. */
const keyName = 'signing-key';

/** Loads the key that signs tokens on this machine. The first call creates and stores it. */
export async function loadSigningKey(keyValues: KeyValueStore): Promise<PrivateJwk> {
	const stored = keyValues.get(keyName);
	if (stored !== undefined) return v.parse(privateJwkSchema, stored);
	const { privateKey } = await generateKeyPair(tokenAlgorithm, { extractable: true, modulusLength: 2048 });
	const key = v.parse(privateJwkSchema, { ...(await exportJWK(privateKey)), kid: randomUUID() });
	keyValues.set(keyName, key);
	return key;
}
