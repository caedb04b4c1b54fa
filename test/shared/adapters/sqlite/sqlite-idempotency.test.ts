import { openDatabase } from '../../../../shared/adapters/sqlite/sqlite-database.ts';
import { createSqliteIdempotency } from '../../../../shared/adapters/sqlite/sqlite-idempotency.ts';
import { createSqliteSchemaStore } from '../../../../shared/adapters/sqlite/sqlite-schema-store.ts';
import { idempotencyContract } from '../../../contract/idempotency.ts';

idempotencyContract('SQLite', async () => {
	const database = openDatabase(':memory:');
	return { idempotency: createSqliteIdempotency(database), store: createSqliteSchemaStore(database) };
});
