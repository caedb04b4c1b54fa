import { createSqliteChangeJournal } from '#infra/local/adapters/sqlite/sqlite-change-journal.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqlitePeople } from '#infra/local/adapters/sqlite/sqlite-people.ts';
import { createSqliteSessionJournal } from '#infra/local/adapters/sqlite/sqlite-session-journal.ts';
import { sessionJournalContract } from '#test/contract/session-journal.ts';

sessionJournalContract('SQLite', async () => {
	const database = openDatabase(':memory:');
	return {
		people: createSqlitePeople(database, 0),
		sessions: createSqliteSessionJournal(database, 0),
		changes: createSqliteChangeJournal(database),
	};
});
