import { parsePanel } from '#domain/panel/panel.ts';
import type { PanelRow } from '#domain/ports/schema-store.ts';
import type { WriteDeps } from '#domain/transaction/run-transaction.ts';
import { savePanel } from '#domain/use-cases/save-panel.ts';
import { ok } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import { etagOf, ifMatchOf } from '#http/etag.ts';
import type { ApiHandler } from '#http/event.ts';
import { type IdempotentDeps, idempotent } from '#http/idempotent.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import type { Log } from '#http/log.ts';
import { bodyOf, refuseDryRun } from '#http/request.ts';
import { panelToJson } from '#http/serialize.ts';

/** POST /bombs: saves the pump-station panel, in place of the one before. */
export function createHandler(deps: WriteDeps & IdempotentDeps & { readonly log: Log }): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const caller = callerOf(event);
		refuseDryRun(event);
		const match = ifMatchOf(event);
		const panel = parsePanel(bodyOf(event));
		return idempotent<PanelRow>(
			deps,
			event,
			caller,
			(receipted) => savePanel(deps, caller.schema, panel, match, receipted),
			(row) => ok({ data: panelToJson(row) }, etagOf(row)),
		);
	});
}
