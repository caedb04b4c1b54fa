/** Number of short reads in a row without an answer that opens the breaker. */
const maxUnanswered = 3;

/** How long a breaker refuses every read before it lets a short one through. */
const openMs = 2000;

/** How long a breaker waits for a short read. After that it lets all reads through, because perhaps no short one comes. */
const onlyShortMs = 10_000;

/** A read that a breaker let through. */
export interface Admission {
	/** To be called when a response to the read begins, whatever its status. Closes the breaker. */
	answered(): void;
	/** To be called when the read has ended. `isUnanswered`: a short read met its deadline. Ignored after `answered`. */
	ended(isUnanswered: boolean): void;
}

/** Refuses reads while a server does not answer. See `createBreaker`. */
export type Breaker = ReturnType<typeof createBreaker>;

/**
 * Creates a breaker (shared/adapters/influx/README.md#breaker). Three short reads in a row without an answer open it. It then refuses
 * every read for 2 s. After that it lets one short read through. An answer to that read closes the breaker; otherwise it refuses every
 * read for 2 s more. Other reads never open it, because they may be slow while the server is well.
 * @param now epoch milliseconds
 */
export function createBreaker(now: () => number) {
	/** Number of short reads in a row without an answer. */
	let unanswered = 0;
	/** When the breaker opened, or when its last short read ended without an answer; undefined while it is closed. */
	let openedAt: number | undefined;
	/** Whether a short read is sent while the breaker is open, to find out whether the server answers again. */
	let isProbing = false;
	const isLetThrough = (isShort: boolean): boolean => {
		if (openedAt === undefined) return true;
		const elapsedMs = now() - openedAt;
		// Below 0 the clock was set back.
		const isOver = (ms: number): boolean => elapsedMs < 0 || elapsedMs >= ms;
		return isShort ? !isProbing && isOver(openMs) : isOver(onlyShortMs);
	};

	return {
		/** When a refused client should ask again. */
		retryAfterMs: openMs,
		/** Returns null for a read that must not be sent. `isShort`: it should be answered soon. */
		admit(isShort: boolean): Admission | null {
			if (!isLetThrough(isShort)) return null;
			const isProbe = isShort && openedAt !== undefined;
			if (isProbe) isProbing = true;
			let isAnswered = false;
			return {
				answered: () => {
					isAnswered = true;
					unanswered = 0;
					openedAt = undefined;
				},
				ended: (isUnanswered) => {
					if (isProbe) isProbing = false;
					if (isAnswered) return;
					if (openedAt !== undefined) {
						// The probe had no answer: the breaker refuses every read anew.
						if (isProbe) openedAt = now();
					} else if (isShort && isUnanswered) {
						unanswered += 1;
						if (unanswered >= maxUnanswered) openedAt = now();
					}
				},
			};
		},
	};
}
