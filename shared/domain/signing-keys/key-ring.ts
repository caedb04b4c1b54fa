import * as v from 'valibot';
import { DomainError } from '../errors.ts';
import { minuteMs } from '../milliseconds.ts';
import type { PublicKey } from '../ports/token-signer.ts';
import { rsaPublicKeyEntries } from './rsa-key.ts';

/** A warm function uses a key ring for at most this long after it read it. */
export const keyRingMaxAgeMs = 5 * minuteMs;

/** The longest value of a standard SSM parameter, in characters. */
export const maxKeyRingLength = 4096;

/** The name of a signing key in the settings of an environment. It is part of the key's alias in KMS. */
export const signingKeyName = /^[a-z0-9-]{1,30}$/;

/** A time: ISO-8601 in the parameter, epoch milliseconds here. */
const timestamp = v.pipe(
	v.string(),
	v.isoTimestamp(),
	v.transform((text) => Date.parse(text)),
	v.finite(),
);

const ringKeySchema = v.strictObject({
	/** The id of the KMS key. A key that is created again under an old name has another id. */
	kid: v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,64}$/)),
	name: v.pipe(v.string(), v.regex(signingKeyName)),
	...rsaPublicKeyEntries,
	publishedAt: timestamp,
	/** When the key stopped signing; undefined while it signs, and for a key that never signed. */
	signedUntil: v.exactOptional(timestamp),
});

/** A public key of the ring. */
export type RingKey = v.InferOutput<typeof ringKeySchema>;

const keyRingSchema = v.pipe(
	v.strictObject({ active: v.nullable(v.string()), keys: v.pipe(v.array(ringKeySchema), v.readonly()) }),
	v.check(({ keys }) => new Set(keys.map(({ kid }) => kid)).size === keys.length, 'A key is listed twice.'),
	v.check(({ active, keys }) => active === null || keys.some(({ kid }) => kid === active), 'The active key is not listed.'),
	v.check(
		({ active, keys }) => keys.every(({ kid, signedUntil }) => kid !== active || signedUntil === undefined),
		'The active key has stopped signing.',
	),
	v.readonly(),
);

/** The published keys, oldest first, and the id of the active key, which signs: null only before the first activation. */
export type KeyRing = v.InferOutput<typeof keyRingSchema>;

/** The key ring before the first key is published. */
export const emptyKeyRing: KeyRing = { active: null, keys: [] };

/**
 * Parses a key ring from the text that `serializeKeyRing` wrote.
 * @throws DomainError `dependency_failed` (signing key) for any other text
 */
export function parseKeyRing(text: string): KeyRing {
	const result = v.safeParse(v.pipe(v.string(), v.parseJson(), keyRingSchema), text);
	if (result.success) return result.output;
	const [issue] = result.issues;
	const cause = `the key ring is invalid: ${v.getDotPath(issue) ?? 'the whole text'}: ${issue.message}`;
	throw new DomainError('dependency_failed', { dependency: 'signingKey', cause });
}

/** Returns a key ring as JSON, with times in ISO-8601 UTC. */
export function serializeKeyRing(ring: KeyRing): string {
	// Every number in a ring is a time.
	return JSON.stringify(ring, (_, value: unknown) => (typeof value === 'number' ? new Date(value).toISOString() : value));
}

/** Returns a key of the ring as a JWK for verifiers. */
export function publicKeyOf({ kid, n, e }: RingKey): PublicKey {
	return { kid, kty: 'RSA', alg: 'RS256', use: 'sig', n, e };
}

/** Returns the active key; undefined before the first activation. */
export function activeKeyOf({ active, keys }: KeyRing): RingKey | undefined {
	return keys.find(({ kid }) => kid === active);
}

/** Returns the keys with this id or name. Several keys have the same name when a key was created again under an old name. */
export function findKeys({ keys }: KeyRing, nameOrKid: string): readonly RingKey[] {
	return keys.filter(({ kid, name }) => kid === nameOrKid || name === nameOrKid);
}
