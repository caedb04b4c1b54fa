import { acknowledgeAlarms, acknowledgementSchema } from '#domain/use-cases/acknowledge-alarms.ts';
import { createRoleHandler } from '#http/admission.ts';
import { ok } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { AlarmWriteHandlerDeps } from '#http/handler-deps.ts';
import { bodyOf, refuseDryRun } from '#http/request.ts';
import { parseSent } from '#http/sent-input.ts';

/**
 * POST /ackAlarms: acknowledges occurrences of alarms. The response holds the result for each. A retry is harmless, so it needs no
 * idempotency key.
 */
export function createHandler(deps: Omit<AlarmWriteHandlerDeps, 'idempotency'>): ApiHandler {
	return createRoleHandler(deps, async (event) => {
		const { schema, actor } = callerOf(event);
		refuseDryRun(event);
		const { alarms, comment = null } = parseSent(acknowledgementSchema, bodyOf(event));
		return ok({ data: await acknowledgeAlarms(deps, schema, alarms, { user: actor, comment }) });
	});
}
