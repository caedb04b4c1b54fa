import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteIdempotency } from '#infra/local/adapters/sqlite/sqlite-idempotency.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { idempotencyContract } from '#test/contract/idempotency.ts';

idempotencyContract('SQLite', async () => {
	const database = openDatabase(':memory:');
	return { idempotency: createSqliteIdempotency(database), store: createSqliteSchemaStore(database) };
});
