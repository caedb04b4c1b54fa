import { createLruCache } from '#domain/lru-cache.ts';

/** Number of short reads in a row without an answer that opens a circuit. */
const maxUnanswered = 3;

/** How long an open circuit refuses every read before it lets a short one through, unless `createBreaker` is told otherwise. */
const defaultOpenMs = 2000;

/** How long an open circuit waits for a short read. After that it lets another one through, because perhaps no short one comes. */
const onlyShortMs = 10_000;

/** Most databases whose circuits are kept. One that is dropped is closed. */
const maxDatabases = 1000;

/** A read that a breaker let through. */
export interface Admission {
	/** To be called when a response to the read begins, whatever its status. Closes the circuits. */
	answered(): void;
	/** To be called when the read has ended. `isUnanswered`: the read met its deadline. Ignored after `answered`. */
	ended(isUnanswered: boolean): void;
}

/**
 * Refuses reads while a database or the server does not answer. See `createBreaker`. Our own, because cockatiel lets calls that come during a
 * probe wait for its end, opossum opens by a share of failures, and neither knows reads that may be slow.
 */
export type Breaker = ReturnType<typeof createBreaker>;

/**
 * Creates a breaker (shared/adapters/influx/README.md#breaker). Each database has a circuit, and so has the server: it counts each database
 * once until that one answers, so databases that hang open their own circuits, and the server's at most once. A read of a database that hangs tells
 * nothing new of the server, so it waits like a read that may be slow: it must not take the place of a read of a database that is well.
 * @param now epoch milliseconds
 * @param openMs how long an open circuit refuses every read
 */
export function createBreaker(now: () => number, openMs = defaultOpenMs) {
	const server = createCircuit(now, openMs);
	const circuits = createLruCache<string, Circuit>(maxDatabases);

	return {
		/** When a refused client should ask again. */
		retryAfterMs: openMs,
		/** Returns null for a read that must not be sent. `isShort`: it should be answered soon. */
		admit(database: string, isShort: boolean): Admission | null {
			const own = circuits.get(database) ?? createCircuit(now, openMs);
			circuits.set(database, own);
			const isNews = isShort && !own.isSilent();
			if (!own.letsThrough(isShort) || !server.letsThrough(isNews)) return null;
			const [ofDatabase, ofServer] = [own.begin(isShort), server.begin(isNews)];
			return {
				answered: () => {
					ofDatabase.answered();
					ofServer.answered();
				},
				ended: (isUnanswered) => {
					ofServer.ended(isUnanswered && !own.isSilent());
					ofDatabase.ended(isUnanswered);
				},
			};
		},
	};
}

type Circuit = ReturnType<typeof createCircuit>;

/**
 * Creates a closed circuit. Three short reads in a row without an answer open it. It then refuses every read for `openMs`. After that it lets
 * one short read through at a time. An answer to any read closes it; a short read that ends without one makes it refuse every read for as long again.
 * Other reads never open it, because they may be slow while the database is well.
 */
function createCircuit(now: () => number, openMs: number) {
	/** Number of short reads in a row without an answer. */
	let unanswered = 0;
	/** When the circuit opened, or when its last short read ended without an answer; undefined while it is closed. */
	let openedAt: number | undefined;
	/** The reads under way that find out whether an answer comes again: one short one and one other at most. */
	const probes = { short: false, other: false };

	return {
		/** Whether the last short read that met its deadline was not followed by an answer. */
		isSilent: (): boolean => unanswered > 0,
		letsThrough: (isShort: boolean): boolean => {
			if (openedAt === undefined) return true;
			const elapsedMs = now() - openedAt;
			// Below 0 the clock was set back.
			const isOver = elapsedMs < 0 || elapsedMs >= (isShort ? openMs : onlyShortMs);
			return isOver && !probes[isShort ? 'short' : 'other'];
		},
		begin: (isShort: boolean) => {
			const kind = isShort ? 'short' : 'other';
			const isProbe = openedAt !== undefined;
			if (isProbe) probes[kind] = true;
			let isAnswered = false;
			return {
				answered: (): void => {
					isAnswered = true;
					unanswered = 0;
					openedAt = undefined;
				},
				ended: (isUnanswered: boolean): void => {
					if (isProbe) probes[kind] = false;
					if (isAnswered || !isShort) return;
					if (openedAt === undefined) {
						if (isUnanswered) unanswered += 1;
						if (unanswered >= maxUnanswered) openedAt = now();
					} else if (isProbe) openedAt = now();
				},
			};
		},
	};
}
