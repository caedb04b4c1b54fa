import type { Owners } from '#domain/ports/owners.ts';
import type { CloseDeps } from '#domain/use-cases/close-report-days.ts';
import { closeAllReportDays } from '#domain/use-cases/close-report-days.ts';
import { formatError } from '#http/error-log.ts';
import { createTaskHandler, type TaskDeps, type TaskHandler } from '#http/task-handler.ts';

/** The dependencies of `closeReportDays`. */
export interface CloseReportDaysDeps extends TaskDeps, CloseDeps {
	readonly owners: Pick<Owners, 'list'>;
}

/** Stores, seals and sends the days of all reports. */
export function createHandler(deps: CloseReportDaysDeps): TaskHandler {
	return createTaskHandler(deps, async () => {
		const { schemas, failed, notStarted, ...done } = await closeAllReportDays(deps);
		for (const [schema, errors] of failed)
			for (const error of errors)
				deps.log.error('The days of a report could not be stored, or sent.', { schema, error: formatError(error) });
		// A schema that was not started in the time of the run counts as failing, so that its alarm shows that runs are too short.
		deps.metrics.gauge('ReportSchemas', schemas);
		deps.metrics.gauge('ReportSchemasFailing', failed.size + notStarted);
		return { ...done, schemas, failing: failed.size, notStarted };
	});
}
