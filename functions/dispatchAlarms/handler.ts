import { type DispatchDeps, dispatch } from '#domain/alarm/dispatch.ts';
import { formatError } from '#http/error-log.ts';
import { createTaskHandler, type TaskDeps, type TaskHandler } from '#http/task-handler.ts';

/** The dependencies of `dispatchAlarms`. */
export interface DispatchAlarmsDeps extends TaskDeps, Omit<DispatchDeps, 'metrics'> {}

/** Most late schemas that the log line of one run names. */
const maxNamed = 20;

/** Starts the workers that evaluate the alarms of all schemas, and measures how late the evaluation of each schema is. */
export function createHandler(deps: DispatchAlarmsDeps): TaskHandler {
	return createTaskHandler(deps, async () => {
		const { schemas, late, errors } = await dispatch(deps);
		for (const error of errors) deps.log.error('A worker could not be started.', { error: formatError(error) });
		return { schemas, late: late.slice(0, maxNamed), notStarted: errors.length };
	});
}
