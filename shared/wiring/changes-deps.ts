import { createDynamoChangeJournal } from '#adapters/dynamo/dynamo-change-journal.ts';
import { createDynamoGrantLookup } from '#adapters/dynamo/dynamo-grants.ts';
import type { ChangeHandlerDeps, ChangesHandlerDeps } from '#http/handler-deps.ts';
import { grantsSchema, readConfig } from '#shared/config.ts';
import { openCallerRoles } from './admission.ts';
import { openTables } from './store-deps.ts';
import { writeDepsOf } from './write-deps.ts';

/** Opens the dependencies of a handler that reads the journal of changes. */
export function openChangesDeps(opened = openTables()): ChangesHandlerDeps {
	const { deps, dynamo, tables } = opened;
	const changes = createDynamoChangeJournal(dynamo, tables);
	return { ...deps, ...openCallerRoles(dynamo), changes };
}

/** Opens the dependencies of the handler that reads one change, with the item after it. */
export function openChangeDeps(): ChangeHandlerDeps {
	const opened = openTables();
	const grants = createDynamoGrantLookup(opened.dynamo, readConfig(grantsSchema).TABLE_GRANTS);
	return { ...openChangesDeps(opened), grants };
}

/** Opens the dependencies of a handler that restores what was deleted. */
export function openRestoreDeps() {
	const opened = openTables();
	return { ...writeDepsOf(opened), changes: createDynamoChangeJournal(opened.dynamo, opened.tables) };
}
