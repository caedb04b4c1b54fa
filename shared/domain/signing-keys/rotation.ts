import { hourMs } from '../milliseconds.ts';
import { activeKeyOf, type KeyRing, keyRingMaxAgeMs, maxKeyRingLength, type RingKey, serializeKeyRing } from './key-ring.ts';
import { weaknessOf } from './rsa-key.ts';

/** How long the authorizer of API Gateway caches the issuer's keys. It accepts no other key until then. */
export const authorizerCacheMs = 2 * hourMs;

/** The largest difference between the clock of a rotation step and the clock of the service. */
export const clockErrorMs = 150_000;

/**
 * How long a key must be published before it may sign (shared/domain/signing-keys/README.md#rotation). After this time every authorizer
 * knows it, also one that filled its cache last from a function with the previous ring. The clock error counts twice: once for the clock that
 * set `publishedAt`, once for the clock that activates the key.
 */
export const publicationLeadMs = authorizerCacheMs + keyRingMaxAgeMs + 2 * clockErrorMs;

/** A public key to publish. */
export type NewKey = Pick<RingKey, 'kid' | 'name' | 'n' | 'e'>;

/** Why a rotation step is refused. `from` is the earliest time at which it would be accepted, in epoch milliseconds. */
export type RotationRefusal =
	/** No published key has this id. */
	| { readonly reason: 'not_published' }
	| { readonly reason: 'too_early'; readonly from: number }
	/** The key is active: another key must be activated first. */
	| { readonly reason: 'signing' }
	/** The public key is weak. `weakness` says why: `n must be a modulus of at least 2048 bits.` */
	| { readonly reason: 'weak_key'; readonly weakness: string }
	/** The key is published with another modulus or exponent, so its signatures would be rejected. */
	| { readonly reason: 'public_key_mismatch' }
	/** There is no room for another key. `from` is when the first key may be retired; null when the ring has no key but the active one. */
	| { readonly reason: 'full'; readonly from: number | null };

/** The result of a rotation step. */
export type RotationResult =
	| { readonly outcome: 'changed'; readonly ring: KeyRing }
	/** The ring already is as requested. */
	| { readonly outcome: 'unchanged' }
	| { readonly outcome: 'refused'; readonly refusal: RotationRefusal };

/** The time of a step that need not wait. It does not depend on the clock, which may differ from that of the previous step. */
const immediately = 0;

/** The earliest time at which a key may sign, in epoch milliseconds. The first key of a ring need not wait: no token exists yet. */
export function activatableFrom({ active }: KeyRing, { publishedAt }: RingKey): number {
	return active === null ? immediately : publishedAt + publicationLeadMs;
}

/**
 * The earliest time at which a key may be retired, in epoch milliseconds; null while it is active. After it stopped signing it stays
 * published for the lifetime of its last token, plus the time for which an authorizer caches keys. That also covers a function that
 * still signs with the previous ring. A key that never signed need not wait.
 */
export function retirableFrom({ active }: KeyRing, { kid, signedUntil }: RingKey, tokenLifetimeMs: number): number | null {
	if (kid === active) return null;
	return signedUntil === undefined ? immediately : signedUntil + tokenLifetimeMs + authorizerCacheMs;
}

/**
 * Publishes a key. It does not sign yet.
 * @param now epoch milliseconds
 * @param tokenLifetimeMs the longest lifetime of a token, to compute when there will be room
 * @example
 * const result = publish(ring, { kid, name: 'second', n, e }, Date.now(), 3_600_000);
 * if (result.outcome === 'changed') await writeKeyRing(ssm, parameter, { ring: result.ring, version });
 */
export function publish(ring: KeyRing, key: NewKey, now: number, tokenLifetimeMs: number): RotationResult {
	const published = ring.keys.find(({ kid }) => kid === key.kid);
	if (published !== undefined)
		return published.n === key.n && published.e === key.e ? { outcome: 'unchanged' } : refused({ reason: 'public_key_mismatch' });
	const weakness = weaknessOf(key);
	if (weakness !== null) return refused({ reason: 'weak_key', weakness });
	const next: KeyRing = { ...ring, keys: [...ring.keys, { ...key, publishedAt: now }] };
	// The ring must still fit into the parameter after every key has got the time at which it stopped signing.
	const longestRing: KeyRing = { active: key.kid, keys: next.keys.map((each) => ({ ...each, signedUntil: now })) };
	if (serializeKeyRing(longestRing).length <= maxKeyRingLength) return { outcome: 'changed', ring: next };
	const times = ring.keys.map((each) => retirableFrom(ring, each, tokenLifetimeMs)).filter((from) => from !== null);
	return refused({ reason: 'full', from: times.length === 0 ? null : Math.min(...times) });
}

/**
 * Makes a published key the one that signs, in place of the active key.
 * @param now epoch milliseconds
 * @param options `isActiveKeyLost`: the active key cannot sign. Then nobody can sign in, so the next key need not wait: authorizers that do
 * not know it yet reject its tokens, which is no worse than having no tokens
 */
export function activate(ring: KeyRing, kid: string, now: number, { isActiveKeyLost = false } = {}): RotationResult {
	const next = ring.keys.find((key) => key.kid === kid);
	if (next === undefined) return refused({ reason: 'not_published' });
	const previous = activeKeyOf(ring);
	if (next === previous) return { outcome: 'unchanged' };
	const from = activatableFrom(ring, next);
	if (now < from && !isActiveKeyLost) return refused({ reason: 'too_early', from });
	const keys = ring.keys.map((key) => {
		if (key === previous) return { ...key, signedUntil: now };
		if (key !== next) return key;
		// A key that signs again has no end of signing.
		const { signedUntil: _signedUntil, ...signing } = key;
		return signing;
	});
	return { outcome: 'changed', ring: { active: kid, keys } };
}

/**
 * Removes a key from the ring when no token that it signed can be valid any more.
 * @param now epoch milliseconds
 * @param tokenLifetimeMs the longest lifetime of the tokens that the key signed
 */
export function retire(ring: KeyRing, kid: string, now: number, tokenLifetimeMs: number): RotationResult {
	const key = ring.keys.find((each) => each.kid === kid);
	if (key === undefined) return refused({ reason: 'not_published' });
	const from = retirableFrom(ring, key, tokenLifetimeMs);
	if (from === null) return refused({ reason: 'signing' });
	if (now < from) return refused({ reason: 'too_early', from });
	return { outcome: 'changed', ring: { ...ring, keys: ring.keys.filter((each) => each !== key) } };
}

const refused = (refusal: RotationRefusal): RotationResult => ({ outcome: 'refused', refusal });
