import * as v from 'valibot';
import type { ReportClosings } from '#domain/ports/report-closings.ts';
import { closeSchemas, type DispatchClosingsDeps, dispatchClosings } from '#domain/use-cases/close-all-report-days.ts';
import type { CloseDeps } from '#domain/use-cases/close-report-days.ts';
import { formatError } from '#http/error-log.ts';
import { createTaskHandler, type TaskDeps, type TaskHandler, type TaskResult } from '#http/task-handler.ts';
import { nonEmpty } from '#shared/config.ts';

/** The event of the function. `schemas`: closes the reports of these schemas. Left out: starts the workers that do. */
const closingEventSchema = v.object({ schemas: v.optional(v.array(nonEmpty)) });

/** The dependencies of `closeReportDays`. */
export interface CloseReportDaysDeps extends TaskDeps, CloseDeps, Pick<DispatchClosingsDeps, 'owners' | 'workers'> {
	readonly closings: Pick<ReportClosings, 'find' | 'begin' | 'end'>;
}

/** Most failing schemas that the log line of one run names. */
const maxNamed = 20;

/** Stores, seals and sends the days of the reports of the schemas in its event. By the clock it starts itself once for each worker. */
export function createHandler(deps: CloseReportDaysDeps): TaskHandler {
	return createTaskHandler(deps, async (event) => {
		const { schemas } = v.parse(closingEventSchema, event);
		return schemas === undefined ? start(deps) : close(deps, schemas);
	});
}

async function start(deps: CloseReportDaysDeps): Promise<TaskResult['done']> {
	const { failing, errors, ...counts } = await dispatchClosings(deps);
	for (const error of errors)
		deps.log.error('A worker could not be started, or the row of a schema not written.', { error: formatError(error) });
	return { ...counts, failing: failing.slice(0, maxNamed), notStarted: errors.length };
}

async function close(deps: CloseReportDaysDeps, names: readonly string[]): Promise<TaskResult['done']> {
	const { failed, ...done } = await closeSchemas(deps, names);
	for (const [schema, errors] of failed)
		for (const error of errors)
			deps.log.error('The days of a report could not be stored, or sent.', { schema, error: formatError(error) });
	return { ...done, failing: failed.size };
}
