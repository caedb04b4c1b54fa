import type { Page } from 'playwright-core';
import { requestsInFlight } from './requests-in-flight.ts';

/** The clock of a page that was opened with `stopsClock`. */
export interface PageClock {
	/** Moves the clock, and gives requests the real time that they take; at most 3 s, once, for those that a test holds back. */
	move(ms: number): Promise<void>;
	/** Moves the clock in steps of a second. */
	pass(seconds: number): Promise<void>;
	/** Moves the clock in steps until something holds, and returns by how much. Fails after 200 steps. */
	until(stepMs: number, holds: () => Promise<boolean>): Promise<number>;
}

/** The longest real time that `move` waits for answers: a busy machine takes seconds. */
const longestMs = 3000;

const maxSteps = 200;

/** Takes over the clock of a page. Call it before the requests that `move` is to wait for. */
export const createPageClock = (page: Page): PageClock => {
	const inFlight = requestsInFlight(page);
	/** Requests that had no answer in time: a test holds them back, so nobody waits for them again. */
	let held: ReadonlySet<unknown> = new Set();
	let heldCount = 0;
	const move = async (ms: number): Promise<void> => {
		await page.clock.runFor(ms);
		const end = performance.now() + longestMs;
		for (;;) {
			const count = await page.evaluate<number>('globalThis.requestsInFlight ?? 0');
			heldCount = Math.min(heldCount, count);
			if (count === heldCount && [...inFlight].every((request) => held.has(request))) return;
			if (performance.now() > end) {
				held = new Set(inFlight);
				heldCount = count;
				return;
			}
			await new Promise((resolve) => setTimeout(resolve, 10));
		}
	};
	return {
		move,
		pass: async (seconds) => {
			for (let second = 0; second < seconds; second += 1) await move(1000);
		},
		until: async (stepMs, holds) => {
			for (let steps = 0; steps <= maxSteps; steps += 1) {
				if (await holds()) return steps * stepMs;
				await move(stepMs);
			}
			throw new Error(`After ${maxSteps * stepMs} ms this does not hold: ${holds}`);
		},
	};
};
