import { openDatabase } from '../../../../shared/adapters/sqlite/sqlite-database.ts';
import { createSqliteUsers } from '../../../../shared/adapters/sqlite/sqlite-users.ts';
import { usersContract } from '../../../contract/users.ts';

usersContract('SQLite', async () => createSqliteUsers(openDatabase(':memory:')));
