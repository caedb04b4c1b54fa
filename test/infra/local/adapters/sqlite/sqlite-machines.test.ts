import { createSqliteChangeJournal } from '#infra/local/adapters/sqlite/sqlite-change-journal.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteMachines } from '#infra/local/adapters/sqlite/sqlite-machines.ts';
import { machinesContract } from '#test/contract/machines.ts';

machinesContract(
	'SQLite',
	async () => {
		const database = openDatabase(':memory:');
		return { machines: createSqliteMachines(database), changes: createSqliteChangeJournal(database) };
	},
	64,
);
