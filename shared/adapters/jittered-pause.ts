import { setTimeout as sleep } from 'node:timers/promises';

const firstMs = 10;

const longestMs = 500;

/** Waits before the next attempt: anywhere up to a limit that doubles with each, so that those who met do not meet again. */
export async function jitteredPause(attempt: number): Promise<void> {
	await sleep(Math.random() * Math.min(longestMs, firstMs * 2 ** attempt));
}
