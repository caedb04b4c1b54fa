import type { BoardRow, VariableRow } from '#domain/ports/schema-store.ts';
import { deletionSchema, type RestoreDeps, restoreItem } from '#domain/use-cases/restore-item.ts';
import { createRoleHandler } from '#http/admission.ts';
import { ok } from '#http/api-response.ts';
import { callerOf, changeOriginOf } from '#http/caller.ts';
import { etagOf } from '#http/etag.ts';
import type { ApiHandler } from '#http/event.ts';
import type { WriteHandlerDeps } from '#http/handler-deps.ts';
import { idempotent } from '#http/idempotent.ts';
import { bodyOf, refuseDryRun } from '#http/request.ts';
import { parseSent } from '#http/sent-input.ts';
import { boardToJson, variableToJson } from '#http/serialize.ts';

/** POST /restore: brings a deleted item back under its id. */
export function createHandler(deps: WriteHandlerDeps & Pick<RestoreDeps, 'changes'>): ApiHandler {
	return createRoleHandler(deps, async (event) => {
		const caller = callerOf(event);
		refuseDryRun(event);
		const deletion = parseSent(deletionSchema, bodyOf(event));
		return idempotent<VariableRow | BoardRow>(
			deps,
			event,
			(createRecord) => restoreItem({ ...deps, origin: changeOriginOf(event) }, caller, deletion, createRecord),
			(row) => ok({ data: row.kind === 'variable' ? variableToJson(row) : boardToJson(row) }, etagOf(row)),
		);
	});
}
