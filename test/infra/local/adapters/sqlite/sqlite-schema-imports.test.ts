import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteSchemaImports } from '#infra/local/adapters/sqlite/sqlite-schema-imports.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { schemaImportsContract } from '#test/contract/schema-imports.ts';

schemaImportsContract('SQLite', async () => {
	const database = openDatabase(':memory:');
	return { store: createSqliteSchemaStore(database), imports: createSqliteSchemaImports(database) };
});
