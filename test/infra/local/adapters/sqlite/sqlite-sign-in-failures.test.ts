import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteSignInFailures } from '#infra/local/adapters/sqlite/sqlite-sign-in-failures.ts';
import { signInFailuresContract } from '#test/contract/sign-in-failures.ts';

signInFailuresContract('SQLite', async () => createSqliteSignInFailures(openDatabase(':memory:')));
