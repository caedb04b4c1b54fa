import { createSqliteChangeJournal } from '#infra/local/adapters/sqlite/sqlite-change-journal.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { changeHistoriesContract } from '#test/contract/change-histories.ts';
import { casesOf } from '#test/support/cases.ts';

changeHistoriesContract(
	'SQLite',
	async (now) => {
		const database = openDatabase(':memory:');
		return {
			store: createSqliteSchemaStore(database),
			changes: createSqliteChangeJournal(database, now),
			schema: 's',
			close: () => database.close(),
		};
	},
	casesOf(400),
);
