/** How many small reads in a row may end without an answer. */
const maxUnanswered = 3;

/** How long a breaker refuses every read before it lets a small one through. */
const openMs = 2000;

/** How long a breaker waits for a small read. After that it lets all others through, because perhaps no small one comes. */
const onlySmallMs = 10_000;

/** A read that a breaker let through. */
export interface Admission {
	/** To be called when a response to the read begins, whatever its status. Closes the breaker. */
	answered(): void;
	/** To be called when the read has ended. `isUnanswered`: a small read met its deadline. Ignored after `answered`. */
	ended(isUnanswered: boolean): void;
}

/** Refuses reads while a server does not answer. See `createBreaker`. */
export type Breaker = ReturnType<typeof createBreaker>;

/**
 * Creates a breaker (shared/adapters/influx/README.md#breaker). Three small reads in a row without an answer open it. Then it refuses every
 * read for 2 s, and after that all but one small read, whose answer closes it; without an answer it refuses every read for 2 s more. Other
 * reads never open it, because they may be slow while the server is well.
 * @param now epoch milliseconds
 */
export function createBreaker(now: () => number) {
	let unanswered = 0;
	/** When the breaker opened, or when its last small read ended without an answer; undefined while it is closed. */
	let openedAt: number | undefined;
	let isProbing = false;

	const isLetThrough = (isSmall: boolean): boolean => {
		if (openedAt === undefined) return true;
		const elapsedMs = now() - openedAt;
		// Below 0 the clock was set back.
		const isOver = (ms: number): boolean => elapsedMs < 0 || elapsedMs >= ms;
		return isSmall ? !isProbing && isOver(openMs) : isOver(onlySmallMs);
	};

	return {
		/** When a refused client should ask again. */
		retryAfterMs: openMs,
		/** Returns null for a read that must not be sent. `isSmall`: it should be answered soon. */
		admit(isSmall: boolean): Admission | null {
			if (!isLetThrough(isSmall)) return null;
			const isProbe = isSmall && openedAt !== undefined;
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
						if (isProbe) openedAt = now();
					} else if (isSmall && isUnanswered) {
						unanswered += 1;
						if (unanswered >= maxUnanswered) openedAt = now();
					}
				},
			};
		},
	};
}
