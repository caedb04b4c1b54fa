import type { TaskHandler } from '#http/task-handler.ts';

/** How long `stop` waits for a run, in milliseconds. If the run does not end, the first run after the next start makes up for it. */
const drainMs = 1500;

const msPerMinute = 60_000;

/**
 * Runs a task now and every `minutes`. No run starts while the previous one is still running.
 * @returns `stop`, which resolves when the current run has ended, or after `drainMs`
 */
export function startTaskTimer(task: TaskHandler, minutes: number) {
	/** The run under way; null between runs. */
	let currentRun: Promise<unknown> | null = null;
	const run = (): void => {
		if (currentRun !== null) return;
		currentRun = task().finally(() => {
			currentRun = null;
		});
	};
	run();
	const timer = setInterval(run, minutes * msPerMinute);
	timer.unref();
	return {
		stop: async (): Promise<void> => {
			clearInterval(timer);
			const { promise: deadlinePassed, resolve } = Promise.withResolvers<void>();
			const deadline = setTimeout(resolve, drainMs);
			await Promise.race([currentRun, deadlinePassed]);
			clearTimeout(deadline);
		},
	};
}
