import * as v from 'valibot';
import { type DispatchDeps, dispatch } from '#domain/alarm/dispatch.ts';
import { evaluateSchemas } from '#domain/alarm/evaluate-schemas.ts';
import { testNotification } from '#domain/alarm/test-notification.ts';
import type { TickDeps } from '#domain/alarm/tick.ts';
import { alarmSchema } from '#domain/board/alarm.ts';
import { formatError } from '#http/error-log.ts';
import { createTaskHandler, type TaskDeps, type TaskHandler, type TaskResult } from '#http/task-handler.ts';
import { nonEmpty } from '#shared/config.ts';

const { severity } = alarmSchema.entries;

/**
 * What the function is called with. `{}`, by the clock: start workers for all schemas. `schemas`: evaluate these. `test`: send a test
 * message in the name of a schema.
 */
const evaluationEventSchema = v.object({
	schemas: v.optional(v.array(nonEmpty)),
	test: v.optional(v.object({ schema: nonEmpty, severity: v.optional(severity, 'critical') })),
});

/** The dependencies of `evaluateAlarms`. */
export interface EvaluateAlarmsDeps extends TaskDeps, TickDeps, Omit<DispatchDeps, 'alarms' | 'metrics'> {}

/** Evaluates the alarms of all schemas: starts workers by the clock, and is one of them where it is called with schemas. */
export function createHandler(deps: EvaluateAlarmsDeps): TaskHandler {
	return createTaskHandler(deps, null, async (event) => {
		const { schemas, test } = v.parse(evaluationEventSchema, event);
		if (test !== undefined) {
			await deps.notifier.notify(testNotification(test.schema, test.severity, deps.now()));
			return { tested: test.schema };
		}
		return schemas === undefined ? startWorkers(deps) : work(deps, schemas);
	});
}

async function startWorkers(deps: EvaluateAlarmsDeps): Promise<TaskResult['done']> {
	const { schemas, late, errors } = await dispatch(deps);
	for (const error of errors) deps.log.error('A worker could not be started.', { error: formatError(error) });
	return { schemas, late: late.slice(0, maxNamed), notStarted: errors.length };
}

async function work(deps: EvaluateAlarmsDeps, schemas: readonly string[]): Promise<TaskResult['done']> {
	const { results, failed, notStarted } = await evaluateSchemas(deps, schemas);
	for (const { schema, errors } of results) for (const error of errors) logFailure(deps, schema, error);
	for (const [schema, error] of failed) logFailure(deps, schema, error);
	for (const { schema, failing } of results)
		if (failing.length > 0) deps.log.error('Alarms cannot be evaluated.', { schema, alarms: failing.slice(0, maxNamed) });
	const count = (outcome: string): number => results.filter((each) => each.outcome === outcome).length;
	return {
		evaluated: count('done'),
		behind: count('behind') + failed.size,
		held: count('held'),
		failing: results.reduce((sum, { failing }) => sum + failing.length, 0),
		sent: results.filter(({ sent }) => sent).length,
		notStarted: notStarted.slice(0, maxNamed),
	};
}

/** Most schemas, or alarms of one schema, that one line of the log names. */
const maxNamed = 20;

function logFailure({ log }: EvaluateAlarmsDeps, schema: string, error: unknown): void {
	log.error('The alarms of a schema could not be evaluated, or told.', { schema, error: formatError(error) });
}
