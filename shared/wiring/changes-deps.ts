import { createDynamoChangeJournal } from '#adapters/dynamo/dynamo-change-journal.ts';
import type { ChangesHandlerDeps } from '#http/handler-deps.ts';
import { openCallerRoles } from './admission.ts';
import { openTables } from './store-deps.ts';
import { writeDepsOf } from './write-deps.ts';

/** Opens the dependencies of a handler that reads the journal of changes. */
export function openChangesDeps(): ChangesHandlerDeps {
	const { deps, dynamo, tables } = openTables();
	const changes = createDynamoChangeJournal(dynamo, tables);
	return { ...deps, ...openCallerRoles(dynamo), changes };
}

/** Opens the dependencies of a handler that restores what was deleted. */
export function openRestoreDeps() {
	const opened = openTables();
	return { ...writeDepsOf(opened), changes: createDynamoChangeJournal(opened.dynamo, opened.tables) };
}
