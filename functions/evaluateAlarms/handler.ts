import * as v from 'valibot';
import { evaluateSchemas } from '#domain/alarm/evaluate-schemas.ts';
import { testNotification } from '#domain/alarm/test-notification.ts';
import type { TickDeps, TickResult } from '#domain/alarm/tick.ts';
import { alarmSchema } from '#domain/board/alarm.ts';
import { formatError } from '#http/error-log.ts';
import { createTaskHandler, type TaskDeps, type TaskHandler, type TaskResult } from '#http/task-handler.ts';
import { nonEmpty } from '#shared/config.ts';

/** The event of the function. `schemas`: evaluates the alarms of these schemas. `test`: sends a test message in the name of a schema. */
const evaluationEventSchema = v.union([
	v.object({ schemas: v.array(nonEmpty) }),
	v.object({ test: v.object({ schema: nonEmpty, severity: v.optional(alarmSchema.entries.severity, 'critical') }) }),
]);

/** The dependencies of `evaluateAlarms`. */
export interface EvaluateAlarmsDeps extends TaskDeps, TickDeps {}

/** Evaluates the alarms of the schemas in its event, or sends a test message. `dispatchAlarms` calls it once for each worker. */
export function createHandler(deps: EvaluateAlarmsDeps): TaskHandler {
	return createTaskHandler(deps, async (event) => {
		const order = v.parse(evaluationEventSchema, event);
		if ('schemas' in order) return evaluate(deps, order.schemas);
		const { schema, severity } = order.test;
		await deps.notifier.notify(testNotification(schema, severity, deps.now()));
		return { tested: schema };
	});
}

/** Evaluates schemas, logs what failed, and returns the counts for the line of the log. `TickResult` says what each outcome means. */
async function evaluate(deps: EvaluateAlarmsDeps, schemas: readonly string[]): Promise<TaskResult['done']> {
	const { results, failed, notStarted } = await evaluateSchemas(deps, schemas);
	for (const { schema, errors } of results) for (const error of errors) logFailure(deps, schema, error);
	for (const [schema, error] of failed) logFailure(deps, schema, error);
	for (const { schema, failing } of results)
		if (failing.length > 0) deps.log.error('Alarms cannot be evaluated.', { schema, alarms: failing.slice(0, maxNamed) });
	const count = (outcome: TickResult['outcome']): number => results.filter((each) => each.outcome === outcome).length;
	return {
		evaluated: count('done'),
		// The next run goes on with a schema that failed, too.
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
