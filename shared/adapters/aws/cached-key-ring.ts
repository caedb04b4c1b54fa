import { type KeyRing, keyRingMaxAgeMs } from '#domain/signing-keys/key-ring.ts';

/** A key ring younger than this is not read again. */
const freshMs = 60_000;
/** After a failed read, a key ring that is still usable is not read again for this time, so that callers do not wait for failures. */
const pauseMs = 5000;

/** The key ring, cached while a function is warm. */
export interface CachedKeyRing {
	/** Returns the ring, at most a minute old; while it cannot be read, at most five minutes old. Rejects as the read did. */
	current(): Promise<KeyRing>;
	/** Returns the cached ring if it differs from `refused`, otherwise reads again. Rejects as the read did. */
	refresh(refused: KeyRing): Promise<KeyRing>;
}

/**
 * Caches a key ring. Concurrent callers share one read.
 * @param now epoch milliseconds of the wall clock; a monotonic clock may stand still while a function is frozen
 */
export function cacheKeyRing(read: () => Promise<KeyRing>, now: () => number): CachedKeyRing {
	let cached: { readonly ring: KeyRing; readonly readAt: number } | undefined;
	let failedAt: number | undefined;
	let pending: Promise<KeyRing> | undefined;

	const readOnce = async (): Promise<KeyRing> => {
		const readAt = now();
		try {
			const ring = await read();
			cached = { ring, readAt };
			failedAt = undefined;
			return ring;
		} catch (error) {
			failedAt = now();
			throw error;
		} finally {
			pending = undefined;
		}
	};
	const readShared = (): Promise<KeyRing> => {
		pending ??= readOnce();
		return pending;
	};

	/** Whether less than `ms` have passed. False after the clock was set back. */
	const isWithin = (ms: number, since: number): boolean => now() >= since && now() - since < ms;
	/** Returns the cached ring, unless it is too old to be used. */
	const usable = (): KeyRing | undefined =>
		cached !== undefined && isWithin(keyRingMaxAgeMs, cached.readAt) ? cached.ring : undefined;

	return {
		current: async () => {
			// An empty ring is not cached: the first key may be published at any moment.
			if (cached !== undefined && cached.ring.keys.length > 0 && isWithin(freshMs, cached.readAt)) return cached.ring;
			// A read has just failed, and the last ring may still be used: no caller waits for another failure.
			const last = usable();
			if (last !== undefined && failedAt !== undefined && isWithin(pauseMs, failedAt)) return last;
			try {
				return await readShared();
			} catch (error) {
				const fallback = usable();
				if (fallback === undefined) throw error;
				return fallback;
			}
		},
		refresh: async (refused) => (cached !== undefined && cached.ring !== refused ? cached.ring : readShared()),
	};
}
