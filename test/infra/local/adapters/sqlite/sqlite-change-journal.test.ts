import { createSqliteChangeJournal } from '#infra/local/adapters/sqlite/sqlite-change-journal.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { changeJournalContract } from '#test/contract/change-journal.ts';

changeJournalContract('SQLite', async (days, now) => {
	const database = openDatabase(':memory:');
	const store = createSqliteSchemaStore(database, { events: 400, changes: days });
	return { store, changes: createSqliteChangeJournal(database, now) };
});
