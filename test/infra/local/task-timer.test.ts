import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startTaskTimer } from '#infra/local/task-timer.ts';

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

const done = { outcome: 'ok', done: {} } as const;

test('runs now and every minute, and not after it was stopped', async () => {
	const run = vi.fn(async () => done);
	const timer = startTaskTimer(run, 1);
	expect(run).toHaveBeenCalledTimes(1);
	await vi.advanceTimersByTimeAsync(59_999);
	expect(run).toHaveBeenCalledTimes(1);
	await vi.advanceTimersByTimeAsync(60_001);
	expect(run).toHaveBeenCalledTimes(3);
	await timer.stop();
	await vi.advanceTimersByTimeAsync(600_000);
	expect(run).toHaveBeenCalledTimes(3);
});

test('runs no tick beside one that takes long', async () => {
	let running = 0;
	let most = 0;
	const timer = startTaskTimer(async () => {
		running += 1;
		most = Math.max(most, running);
		await new Promise((resolve) => setTimeout(resolve, 150_000));
		running -= 1;
		return done;
	}, 1);
	await vi.advanceTimersByTimeAsync(1_000_000);
	expect(most).toBe(1);
	await vi.runOnlyPendingTimersAsync();
	await timer.stop();
});

test('waits for the current tick when it is stopped, at most 1.5 s', async () => {
	const { promise, resolve } = Promise.withResolvers<typeof done>();
	const timer = startTaskTimer(() => promise, 1);
	let isStopped = false;
	const stopping = timer.stop().then(() => {
		isStopped = true;
	});
	await vi.advanceTimersByTimeAsync(1400);
	expect(isStopped).toBe(false);
	await vi.advanceTimersByTimeAsync(200);
	expect(isStopped).toBe(true);
	resolve(done);
	await stopping;
});
