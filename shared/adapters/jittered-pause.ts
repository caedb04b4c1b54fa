import { setTimeout as sleep } from 'node:timers/promises';

/** The limit of the pause after attempt n is `firstMs` * 2^n, at most `longestMs`. */
const firstMs = 10;
const longestMs = 500;

/**
 * Waits a random time before the next attempt. Its upper limit doubles with each attempt, so that conflicting writers separate.
 * @param attempt the number of the attempt that failed, from 1
 */
export async function jitteredPause(attempt: number): Promise<void> {
	await sleep(Math.random() * Math.min(longestMs, firstMs * 2 ** attempt));
}
