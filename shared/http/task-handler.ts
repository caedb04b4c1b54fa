import type { CountMetric, Metrics, TimingMetric } from '#domain/ports/metrics.ts';
import { formatError } from './error-log.ts';
import type { HandlerDeps } from './handler-deps.ts';

/** The result of one run of a task. */
export interface TaskResult {
	readonly outcome: 'ok' | 'failed';
	/** The results of the run, for the log. Empty when it failed: an error line in the log has the cause. */
	readonly done: Readonly<Record<string, unknown>>;
}

/**
 * A task, as Lambda calls it by the clock, with the event of its schedule or `{}`. Never rejects: a retry would come too late to be of
 * use.
 */
export type TaskHandler = (event?: unknown) => Promise<TaskResult>;

/** The dependencies of every task. */
export interface TaskDeps extends HandlerDeps {
	readonly metrics: Metrics;
	/** Prints a line with the metrics measured since the last line. */
	readonly report: (message: string, fields: Readonly<Record<string, unknown>>) => void;
	/** Milliseconds from any origin, to measure durations. */
	readonly clock?: () => number;
}

/** The metrics that a task records on each run: whether it failed (1) or not (0), and its duration. */
export interface TaskMetrics {
	readonly failures: CountMetric;
	readonly latency: TimingMetric;
}

/**
 * Creates the function that Lambda calls for a task. It logs one line for each run, with its metrics, and one more for a failure.
 * @param run does the work and resolves to what it did, for the log; an error that it throws is logged and counted
 * @param taskMetrics left out where the task records metrics of its own
 */
export function createTaskHandler(
	{ log, metrics, report, clock = () => performance.now() }: TaskDeps,
	run: (event: unknown) => Promise<TaskResult['done']>,
	taskMetrics?: TaskMetrics,
): TaskHandler {
	const attempt = async (event: unknown): Promise<TaskResult> => {
		try {
			return { outcome: 'ok', done: await run(event) };
		} catch (error) {
			log.error('A task failed.', { error: formatError(error) });
			return { outcome: 'failed', done: {} };
		}
	};
	return async (event = {}) => {
		const startedAt = clock();
		const result = await attempt(event);
		if (taskMetrics !== undefined) {
			metrics.count(taskMetrics.failures, result.outcome === 'failed' ? 1 : 0);
			metrics.time(taskMetrics.latency, clock() - startedAt);
		}
		report('task', { outcome: result.outcome, ...result.done });
		return result;
	};
}
