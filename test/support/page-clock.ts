import type { Page } from 'playwright-core';

/** The clock of a page that was opened with `stopsClock`. */
export interface PageClock {
	/** Moves the clock, and gives requests the real time that they take; at most half a second, for those that a test holds back. */
	move(ms: number): Promise<void>;
	/** Moves the clock in steps of a second. */
	pass(seconds: number): Promise<void>;
	/** Moves the clock in steps until something holds, and returns by how much. Fails after 200 steps. */
	until(stepMs: number, holds: () => Promise<boolean>): Promise<number>;
}

/** Takes over the clock of a page. Call it before the requests that `move` is to wait for. */
export const createPageClock = (page: Page): PageClock => {
	const inFlight = new Set<unknown>();
	page.on('request', (request) => inFlight.add(request));
	page.on('requestfinished', (request) => inFlight.delete(request));
	page.on('requestfailed', (request) => inFlight.delete(request));
	const move = async (ms: number): Promise<void> => {
		await page.clock.runFor(ms);
		const isWaiting = async () => inFlight.size > 0 || (await page.evaluate<number>('globalThis.requestsInFlight')) > 0;
		for (let waited = 0; waited < 50 && (await isWaiting()); waited += 1) await new Promise((resolve) => setTimeout(resolve, 10));
	};
	return {
		move,
		pass: async (seconds) => {
			for (let second = 0; second < seconds; second += 1) await move(1000);
		},
		until: async (stepMs, holds) => {
			for (let steps = 0; steps <= 200; steps += 1) {
				if (await holds()) return steps * stepMs;
				await move(stepMs);
			}
			throw new Error(`After ${200 * stepMs} ms this does not hold: ${holds}`);
		},
	};
};
