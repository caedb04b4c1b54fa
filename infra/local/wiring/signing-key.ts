import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import * as v from 'valibot';
import { type PrivateJwk, privateJwkSchema, tokenAlgorithm } from '../adapters/jwk-token-signer.ts';
import type { KeyValueStore } from './state.ts';

const note = 'signing-key';

/** The key that signs tokens on this machine: made on first use, then kept with the state. */
export async function signingKeyOf(notes: KeyValueStore): Promise<PrivateJwk> {
	const kept = notes.get(note);
	if (kept !== undefined) return v.parse(privateJwkSchema, kept);
	const { privateKey } = await generateKeyPair(tokenAlgorithm, { extractable: true, modulusLength: 2048 });
	const key = v.parse(privateJwkSchema, { ...(await exportJWK(privateKey)), kid: randomUUID() });
	notes.set(note, key);
	return key;
}
