import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteUsers } from '#infra/local/adapters/sqlite/sqlite-users.ts';
import { usersContract } from '#test/contract/users.ts';

usersContract('SQLite', async () => createSqliteUsers(openDatabase(':memory:')));
