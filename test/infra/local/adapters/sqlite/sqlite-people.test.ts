import { createSqliteChangeJournal } from '#infra/local/adapters/sqlite/sqlite-change-journal.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteOpenIdSessions } from '#infra/local/adapters/sqlite/sqlite-openid-sessions.ts';
import { createSqlitePeople } from '#infra/local/adapters/sqlite/sqlite-people.ts';
import { peopleContract } from '#test/contract/people.ts';

peopleContract(
	'SQLite',
	async () => {
		const database = openDatabase(':memory:');
		return {
			people: createSqlitePeople(database, 0),
			openIdSessions: createSqliteOpenIdSessions(database),
			changes: createSqliteChangeJournal(database),
		};
	},
	1000,
);
