import { expect, test } from 'vitest';
import { unreadableOwner } from '#domain/ports/owners.ts';
import { createSqliteOwners } from '#infra/local/adapters/sqlite/sqlite-owners.ts';
import { openState } from '#infra/local/wiring/state.ts';
import { checkDatabaseOwners } from '#infra/tools/schema/database-owners.ts';

test('owners that cannot be read own nothing together', async () => {
	const { database, close } = await openState('memory');
	const owners = createSqliteOwners(database);
	const both = [{ kind: 'schema', name: 's' } as const, { kind: 'database', name: 'plant' } as const];
	for (const owned of both) await owners.set({ ...owned, clientId: 3 });
	await checkDatabaseOwners({ owners }, 's', ['plant']);
	for (const owned of both) await owners.set({ ...owned, clientId: unreadableOwner });
	await expect(checkDatabaseOwners({ owners }, 's', ['plant'])).rejects.toThrow(
		/^Schema s belongs to an owner that cannot be read, and the database plant, .* to an owner that cannot be read\. Nothing was written/,
	);
	close();
});
