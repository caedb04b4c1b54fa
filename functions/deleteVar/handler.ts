import { deleteVariable, previewDeletion } from '../../shared/domain/decide/delete-variable.ts';
import type { WriteDeps } from '../../shared/domain/decide/transact.ts';
import { ok } from '../../shared/http/answer.ts';
import { callerOf } from '../../shared/http/caller.ts';
import type { ApiHandler } from '../../shared/http/event.ts';
import { handle } from '../../shared/http/handle.ts';
import { ifMatchOf } from '../../shared/http/if-match.ts';
import type { Log } from '../../shared/http/log.ts';
import { type OnceDeps, once } from '../../shared/http/once.ts';
import { isDryRun, optionalBodyOf, pathIdOf } from '../../shared/http/request.ts';

/** POST /deleteVar/{id}: deletes a variable; with ?dryRun=1 only says whether it is there and what refers to it. */
export const createHandler = (deps: WriteDeps & OnceDeps & { readonly log: Log }): ApiHandler =>
	handle(deps.log, async (event) => {
		const caller = callerOf(event);
		const { schema } = caller;
		const id = pathIdOf(event);
		const match = ifMatchOf(event);
		optionalBodyOf(event);
		if (!isDryRun(event))
			return once<boolean>(
				deps,
				event,
				caller,
				(receipted) => deleteVariable(deps, schema, id, match, receipted),
				(tsdbVar) => ok({ data: { tsdbVar } }),
			);
		const { exists, usages } = await previewDeletion(deps.store, schema, id, match);
		return ok({ data: { tsdbVar: exists, usages } });
	});
