import { panelSchema } from '#domain/panel/panel.ts';
import type { PanelRow } from '#domain/ports/schema-store.ts';
import { savePanel } from '#domain/use-cases/save-panel.ts';
import { createRoleHandler } from '#http/admission.ts';
import { ok } from '#http/api-response.ts';
import { callerOf, changeOriginOf } from '#http/caller.ts';
import { etagOf, ifMatchOf } from '#http/etag.ts';
import type { ApiHandler } from '#http/event.ts';
import type { WriteHandlerDeps } from '#http/handler-deps.ts';
import { idempotent } from '#http/idempotent.ts';
import { bodyOf, refuseDryRun } from '#http/request.ts';
import { parseSent } from '#http/sent-input.ts';
import { panelToJson } from '#http/serialize.ts';

/** POST /bombs: saves the pump-station panel and replaces the stored one. */
export function createHandler(deps: WriteHandlerDeps): ApiHandler {
	return createRoleHandler(deps, async (event) => {
		const { schema } = callerOf(event);
		refuseDryRun(event);
		const match = ifMatchOf(event);
		const panel = parseSent(panelSchema, bodyOf(event));
		return idempotent<PanelRow>(
			deps,
			event,
			(createRecord) => savePanel({ ...deps, origin: changeOriginOf(event) }, schema, panel, match, createRecord),
			(row) => ok({ data: panelToJson(row) }, etagOf(row)),
		);
	});
}
