import { activeKeyOf, type KeyRing, keyRingMaxAgeMs, keyRingText, maxKeyRingLength, type RingKey } from './key-ring.ts';

/** API Gateway's authorizer keeps an issuer's keys for so long, and knows no other until then. */
export const authorizerCacheMs = 2 * 3_600_000;

/** How far the clock by which a step is taken may be from the service's. */
export const clockErrorMs = 150_000;

/**
 * How long a key is published before it signs (design section 7). After that the authorizer has it whose cache was filled last
 * by a function with the ring from before.
 */
export const publicationLeadMs = authorizerCacheMs + keyRingMaxAgeMs + 2 * clockErrorMs;

/** A public key to publish. */
export type NewKey = Pick<RingKey, 'kid' | 'name' | 'n' | 'e'>;

/** Why a step is not taken; `from` is when it may be, in epoch milliseconds. */
export type Refusal =
	/** No such key is published. */
	| { readonly why: 'not_published' }
	| { readonly why: 'too_early'; readonly from: number }
	/** It signs: another key must sign first. */
	| { readonly why: 'signing' }
	/** It is published with another modulus or exponent than it has: what it signs would be refused. */
	| { readonly why: 'other_material' }
	/** There is no room; `from` is when the first key may be retired, null where that takes another step before. */
	| { readonly why: 'full'; readonly from: number | null };

/** What becomes of a ring. */
export type Step =
	| { readonly outcome: 'changed'; readonly ring: KeyRing }
	/** It is so already. */
	| { readonly outcome: 'unchanged' }
	| { readonly outcome: 'refused'; readonly refusal: Refusal };

/** In place of a moment: whatever the clock says, which may not be the one of the step before. */
const anyTime = 0;

/** From when a key may sign, in epoch milliseconds. Where none has signed yet, no token is out that would be refused: at any time. */
export function signsFrom({ active }: KeyRing, { publishedAt }: RingKey): number {
	return active === null ? anyTime : publishedAt + publicationLeadMs;
}

/** From when a key may be retired, in epoch milliseconds: at any time where it never signed; null while it signs. */
export function retiresFrom({ active }: KeyRing, { kid, signedUntil }: RingKey, tokenLifetimeMs: number): number | null {
	if (kid === active) return null;
	return signedUntil === undefined ? anyTime : signedUntil + restMs(tokenLifetimeMs);
}

/**
 * Publishes a key, which signs nothing yet.
 * @param now epoch milliseconds
 * @param tokenLifetimeMs how long tokens are valid at most, for saying when there will be room
 */
export function publish(ring: KeyRing, key: NewKey, now: number, tokenLifetimeMs: number): Step {
	const published = ring.keys.find(({ kid }) => kid === key.kid);
	if (published !== undefined)
		return published.n === key.n && published.e === key.e ? { outcome: 'unchanged' } : refused({ why: 'other_material' });
	const grown: KeyRing = { ...ring, keys: [...ring.keys, { ...key, publishedAt: now }] };
	// Room is kept for the time at which each key stops.
	const widest: KeyRing = { active: key.kid, keys: grown.keys.map((each) => ({ ...each, signedUntil: now })) };
	if (keyRingText(widest).length <= maxKeyRingLength) return { outcome: 'changed', ring: grown };
	const moments = ring.keys.map((each) => retiresFrom(ring, each, tokenLifetimeMs)).filter((from) => from !== null);
	return refused({ why: 'full', from: moments.length === 0 ? null : Math.min(...moments) });
}

/**
 * Lets a published key sign from now on, in the place of the one that did.
 * @param now epoch milliseconds
 * @param lost whether that one can sign no more: nobody can sign in then, and an authorizer that does not know the next key yet, and
 * refuses its tokens, is no worse than waiting
 */
export function activate(ring: KeyRing, kid: string, now: number, lost = false): Step {
	const next = ring.keys.find((key) => key.kid === kid);
	if (next === undefined) return refused({ why: 'not_published' });
	const before = activeKeyOf(ring);
	if (next === before) return { outcome: 'unchanged' };
	const from = signsFrom(ring, next);
	if (now < from && !lost) return refused({ why: 'too_early', from });
	const keys = ring.keys.map((key) => {
		if (key === before) return { ...key, signedUntil: now };
		if (key !== next) return key;
		const { signedUntil: _, ...signing } = key;
		return signing;
	});
	return { outcome: 'changed', ring: { active: kid, keys } };
}

/**
 * Takes back a key of which no token can be valid any more.
 * @param now epoch milliseconds
 * @param tokenLifetimeMs the longest that tokens were given while the key signed
 */
export function retire(ring: KeyRing, kid: string, now: number, tokenLifetimeMs: number): Step {
	const key = ring.keys.find((each) => each.kid === kid);
	if (key === undefined) return refused({ why: 'not_published' });
	const from = retiresFrom(ring, key, tokenLifetimeMs);
	if (from === null) return refused({ why: 'signing' });
	if (now < from) return refused({ why: 'too_early', from });
	return { outcome: 'changed', ring: { ...ring, keys: ring.keys.filter((each) => each !== key) } };
}

/**
 * How long a key stays published after it stopped signing: its last token's life, and as long again as an authorizer keeps keys,
 * which is much more than a function with an older ring goes on signing with it.
 */
const restMs = (tokenLifetimeMs: number): number => tokenLifetimeMs + authorizerCacheMs;

const refused = (refusal: Refusal): Step => ({ outcome: 'refused', refusal });
