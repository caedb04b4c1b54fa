import { createSqliteChangeJournal } from '#infra/local/adapters/sqlite/sqlite-change-journal.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteGrants } from '#infra/local/adapters/sqlite/sqlite-grants.ts';
import { grantsContract } from '#test/contract/grants.ts';

grantsContract(
	'SQLite',
	async () => {
		const database = openDatabase(':memory:');
		return { grants: createSqliteGrants(database, 0), changes: createSqliteChangeJournal(database) };
	},
	100,
);
