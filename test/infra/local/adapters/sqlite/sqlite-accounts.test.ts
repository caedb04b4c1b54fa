import { createSqliteAccounts } from '#infra/local/adapters/sqlite/sqlite-accounts.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { accountsContract } from '#test/contract/accounts.ts';

accountsContract('SQLite', async () => createSqliteAccounts(openDatabase(':memory:')));
