import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteSignInAttempts } from '#infra/local/adapters/sqlite/sqlite-sign-in-attempts.ts';
import { createSqliteUsers } from '#infra/local/adapters/sqlite/sqlite-users.ts';
import { parallelSignInsContract } from '#test/contract/parallel-sign-ins.ts';
import { signInAttemptsContract } from '#test/contract/sign-in-attempts.ts';

signInAttemptsContract('SQLite', async () => createSqliteSignInAttempts(openDatabase(':memory:')));

parallelSignInsContract('SQLite', async () => {
	const database = openDatabase(':memory:');
	return { attempts: createSqliteSignInAttempts(database), users: createSqliteUsers(database) };
});
