import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteOwners, createSqliteWrittenSchemas } from '#infra/local/adapters/sqlite/sqlite-owners.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { ownersContract } from '#test/contract/owners.ts';
import { writtenSchemasContract } from '#test/contract/written-schemas.ts';

ownersContract('SQLite', async () => createSqliteOwners(openDatabase(':memory:')));

writtenSchemasContract('SQLite', async () => {
	const database = openDatabase(':memory:');
	return { store: createSqliteSchemaStore(database), writtenSchemas: createSqliteWrittenSchemas(database) };
});
