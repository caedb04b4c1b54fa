import { savePanel } from '../../shared/domain/decide/save-panel.ts';
import type { WriteDeps } from '../../shared/domain/decide/transact.ts';
import { parsePanel } from '../../shared/domain/panel/panel.ts';
import type { PanelRow } from '../../shared/domain/ports/schema-store.ts';
import { ok } from '../../shared/http/answer.ts';
import { callerOf } from '../../shared/http/caller.ts';
import type { ApiHandler } from '../../shared/http/event.ts';
import { handle } from '../../shared/http/handle.ts';
import { etagOf, ifMatchOf } from '../../shared/http/if-match.ts';
import type { Log } from '../../shared/http/log.ts';
import { type OnceDeps, once } from '../../shared/http/once.ts';
import { bodyOf, refuseDryRun } from '../../shared/http/request.ts';
import { panelToWire } from '../../shared/http/wire.ts';

/** POST /bombs: saves the pump-station panel, in place of the one before. */
export const createHandler = (deps: WriteDeps & OnceDeps & { readonly log: Log }): ApiHandler =>
	handle(deps.log, async (event) => {
		const caller = callerOf(event);
		refuseDryRun(event);
		const match = ifMatchOf(event);
		const panel = parsePanel(bodyOf(event));
		return once<PanelRow>(
			deps,
			event,
			caller,
			(receipted) => savePanel(deps, caller.schema, panel, match, receipted),
			(row) => ok({ data: panelToWire(row) }, etagOf(row)),
		);
	});
