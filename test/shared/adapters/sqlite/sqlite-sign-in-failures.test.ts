import { openDatabase } from '../../../../shared/adapters/sqlite/sqlite-database.ts';
import { createSqliteSignInFailures } from '../../../../shared/adapters/sqlite/sqlite-sign-in-failures.ts';
import { signInFailuresContract } from '../../../contract/sign-in-failures.ts';

signInFailuresContract('SQLite', async () => createSqliteSignInFailures(openDatabase(':memory:')));
