import { type KeyRing, keyRingMaxAgeMs } from '#domain/signing-keys/key-ring.ts';
import { type CachedRead, cacheRead } from '../cached-read.ts';

/** A key ring younger than this is not read again. */
const freshMs = 60_000;

/** The key ring, at most a minute old; while it cannot be read, at most five minutes old. */
export type CachedKeyRing = CachedRead<KeyRing>;

/** Caches a key ring. An empty one is not kept: the first key may be published at any moment. */
export function cacheKeyRing(read: () => Promise<KeyRing>, now: () => number): CachedKeyRing {
	return cacheRead({ read, now, freshMs, usableMs: keyRingMaxAgeMs, isKept: ({ keys }) => keys.length > 0 });
}
