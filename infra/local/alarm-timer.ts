import type { TaskHandler } from '#http/task-handler.ts';

const intervalMs = 60_000;

/** How long `stop` waits for a tick that runs. One that is cut off is made up for by the first tick of the next start. */
const drainMs = 1500;

/**
 * Runs the evaluation of alarms now and every minute. A tick that takes longer than that is not run beside itself.
 * @returns `stop`, which resolves when the current tick has ended, or after 1.5 s
 */
export function startAlarmTimer(dispatchAlarms: TaskHandler) {
	let current: Promise<unknown> | null = null;
	const run = (): void => {
		if (current !== null) return;
		current = dispatchAlarms().finally(() => {
			current = null;
		});
	};
	run();
	const timer = setInterval(run, intervalMs);
	timer.unref();
	return {
		stop: async (): Promise<void> => {
			clearInterval(timer);
			const { promise: drained, resolve } = Promise.withResolvers<void>();
			const deadline = setTimeout(resolve, drainMs);
			await Promise.race([current, drained]);
			clearTimeout(deadline);
		},
	};
}
