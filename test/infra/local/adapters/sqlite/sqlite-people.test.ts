import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqlitePeople } from '#infra/local/adapters/sqlite/sqlite-people.ts';
import { peopleContract } from '#test/contract/people.ts';

peopleContract('SQLite', async () => createSqlitePeople(openDatabase(':memory:')), 1000);
