import { setTimeout as sleep } from 'node:timers/promises';

const firstMs = 10;
const longestMs = 500;

/** Waits a random time before the next attempt. Its upper limit doubles with each attempt, so that conflicting writers separate. */
export async function jitteredPause(attempt: number): Promise<void> {
	await sleep(Math.random() * Math.min(longestMs, firstMs * 2 ** attempt));
}
