import { createDynamoChangeJournal } from '#adapters/dynamo/dynamo-change-journal.ts';
import { createDynamoPeople } from '#adapters/dynamo/dynamo-people.ts';
import type { ChangesHandlerDeps } from '#http/handler-deps.ts';
import { readConfig, roleSchema } from '#shared/config.ts';
import { openTables } from './store-deps.ts';
import { writeDepsOf } from './write-deps.ts';

/** Opens the dependencies of a handler that reads the journal of changes. */
export function openChangesDeps(): ChangesHandlerDeps {
	const { deps, dynamo, tables } = openTables(0);
	const { TABLE_PEOPLE, DEFAULT_ROLE: defaultRole } = readConfig(roleSchema);
	const changes = createDynamoChangeJournal(dynamo, tables);
	return { ...deps, now: Date.now, changes, people: createDynamoPeople(dynamo, TABLE_PEOPLE), defaultRole };
}

/** Opens the dependencies of a handler that restores what was deleted. */
export function openRestoreDeps() {
	const opened = openTables(0);
	return { ...writeDepsOf(opened), changes: createDynamoChangeJournal(opened.dynamo, opened.tables) };
}
