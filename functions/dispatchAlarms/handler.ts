import { type DispatchDeps, dispatch } from '#domain/alarm/dispatch.ts';
import { formatError } from '#http/error-log.ts';
import { createTaskHandler, type TaskDeps, type TaskHandler } from '#http/task-handler.ts';

/** The dependencies of `dispatchAlarms`. */
export interface DispatchAlarmsDeps extends TaskDeps, Omit<DispatchDeps, 'metrics'> {}

/** Most schemas that the log line of one run names. */
const maxNamed = 20;

/** Measures the evaluation of alarms, and starts workers for all schemas. */
export function createHandler(deps: DispatchAlarmsDeps): TaskHandler {
	return createTaskHandler(deps, null, async () => {
		const { schemas, late, errors } = await dispatch(deps);
		for (const error of errors) deps.log.error('A worker could not be started.', { error: formatError(error) });
		return { schemas, late: late.slice(0, maxNamed), notStarted: errors.length };
	});
}
