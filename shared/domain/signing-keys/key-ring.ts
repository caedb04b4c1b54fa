import * as v from 'valibot';
import { DomainError } from '../errors.ts';
import type { PublicKey } from '../ports/token-signer.ts';

/** A warm function goes on with a ring that it read so long ago at most. */
export const keyRingMaxAgeMs = 5 * 60_000;

/** What SSM takes as the value of a standard parameter. */
export const maxKeyRingLength = 4096;

/** A signing key's name in an environment's settings; it is part of an alias in KMS. */
export const signingKeyName = /^[a-z0-9-]{1,30}$/;

/** An instant: ISO-8601 as it is kept, epoch milliseconds here. */
const instant = v.pipe(
	v.string(),
	v.isoTimestamp(),
	v.transform((text) => Date.parse(text)),
	v.finite(),
);

const base64url = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]+$/));

const ringKeySchema = v.strictObject({
	/** The KMS key's own id: a key made anew under an old name has another. */
	kid: v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,64}$/)),
	name: v.pipe(v.string(), v.regex(signingKeyName)),
	/** Modulus and exponent, as RFC 7518 section 6.3.1 has them; at least 2048 bits (section 3.3). */
	n: v.pipe(base64url, v.minLength(342)),
	e: base64url,
	publishedAt: instant,
	/** When it stopped signing; absent while it signs, and where it never did. */
	signedUntil: v.exactOptional(instant),
});

/** A public key of the ring. */
export type RingKey = v.InferOutput<typeof ringKeySchema>;

/** The published keys, oldest first, and which of them signs: none before the first activation, one ever after. */
const keyRingSchema = v.pipe(
	v.strictObject({ active: v.nullable(v.string()), keys: v.pipe(v.array(ringKeySchema), v.readonly()) }),
	v.check(({ keys }) => new Set(keys.map(({ kid }) => kid)).size === keys.length, 'A key is there twice.'),
	v.check(({ active, keys }) => active === null || keys.some(({ kid }) => kid === active), 'The key that signs is not there.'),
	v.check(
		({ active, keys }) => keys.every(({ kid, signedUntil }) => kid !== active || signedUntil === undefined),
		'The key that signs has stopped.',
	),
	v.readonly(),
);

export type KeyRing = v.InferOutput<typeof keyRingSchema>;

/** The ring before anything was published. */
export const emptyKeyRing: KeyRing = { active: null, keys: [] };

/** A ring from what is kept. Throws `dependency_failed` (signing key) for anything that `keyRingText` would not have written. */
export function parseKeyRing(text: string): KeyRing {
	const result = v.safeParse(keyRingSchema, parsedJson(text));
	if (result.success) return result.output;
	const [issue] = result.issues;
	const cause = `the key ring is not one: ${v.getDotPath(issue) ?? 'the whole text'}: ${issue.message}`;
	throw new DomainError('dependency_failed', { dependency: 'signingKey', cause });
}

/** A ring as it is kept: JSON, times in ISO-8601 UTC. */
export function keyRingText({ active, keys }: KeyRing): string {
	return JSON.stringify({
		active,
		keys: keys.map(({ publishedAt, signedUntil, ...key }) => ({
			...key,
			publishedAt: iso(publishedAt),
			...(signedUntil === undefined ? {} : { signedUntil: iso(signedUntil) }),
		})),
	});
}

/** A key of the ring as verifiers take it. */
export function publicKeyOf({ kid, n, e }: RingKey): PublicKey {
	return { kid, kty: 'RSA', alg: 'RS256', use: 'sig', n, e };
}

/** The key that signs; undefined before the first activation. */
export function activeKeyOf({ active, keys }: KeyRing): RingKey | undefined {
	return keys.find(({ kid }) => kid === active);
}

/** The keys that a person may mean: by key id, or by name, which a key made anew shares with the one before. */
export function keysCalled({ keys }: KeyRing, nameOrKid: string): readonly RingKey[] {
	return keys.filter(({ kid, name }) => kid === nameOrKid || name === nameOrKid);
}

function parsedJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

const iso = (epochMs: number): string => new Date(epochMs).toISOString();
