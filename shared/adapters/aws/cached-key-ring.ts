import { type KeyRing, keyRingMaxAgeMs } from '#domain/signing-keys/key-ring.ts';

/** A ring younger than this is not read again. */
const freshMs = 60_000;

/** After a reading that failed, a ring that is still good is not read again for so long: nobody waits for each failure. */
const pauseMs = 5000;

/** The key ring, kept while a function is warm. */
export interface CachedKeyRing {
	/** As it was at most a minute ago; while it cannot be read, at most five minutes ago. Rejects as the reading did. */
	current(): Promise<KeyRing>;
	/** As it is now, after `seen` was of no use: read anew unless that has happened meanwhile. Rejects as the reading did. */
	renewed(seen: KeyRing): Promise<KeyRing>;
}

/**
 * Keeps a ring. Whoever asks at the same time shares one reading.
 * @param now epoch milliseconds: the wall clock, for another may stand still while a function is frozen
 */
export function cacheKeyRing(read: () => Promise<KeyRing>, now: () => number): CachedKeyRing {
	let kept: { readonly ring: KeyRing; readonly readAt: number } | undefined;
	let failedAt: number | undefined;
	let reading: Promise<KeyRing> | undefined;

	const readAnew = (): Promise<KeyRing> => {
		const readAt = now();
		reading ??= read()
			.then(
				(ring) => {
					kept = { ring, readAt };
					failedAt = undefined;
					return ring;
				},
				(error: unknown) => {
					failedAt = now();
					throw error;
				},
			)
			.finally(() => {
				reading = undefined;
			});
		return reading;
	};

	/** Whether less than `ms` have passed; a clock that was set back prolongs nothing. */
	const isWithin = (ms: number, since: number): boolean => now() >= since && now() - since < ms;

	/** What is kept, while it may still be used. */
	const good = (): KeyRing | undefined => (kept !== undefined && isWithin(keyRingMaxAgeMs, kept.readAt) ? kept.ring : undefined);

	return {
		current: async () => {
			// Before the first key is published nothing is worth keeping.
			if (kept !== undefined && kept.ring.keys.length > 0 && isWithin(freshMs, kept.readAt)) return kept.ring;
			const before = good();
			if (before !== undefined && failedAt !== undefined && isWithin(pauseMs, failedAt)) return before;
			try {
				return await readAnew();
			} catch (error) {
				const last = good();
				if (last === undefined) throw error;
				return last;
			}
		},
		renewed: async (seen) => (kept !== undefined && kept.ring !== seen ? kept.ring : readAnew()),
	};
}
