import type { Stores } from '#infra/local/wiring/stores.ts';
import { ConfigError } from '#shared/config.ts';

/**
 * Checks that the owner of a schema owns each database that its alarms or reports are to be bound to. A database of another client holds
 * another tenant's values.
 * @throws ConfigError for the first one of another client, or of nobody
 */
export async function checkDatabaseOwners(
	{ owners }: Pick<Stores, 'owners'>,
	schema: string,
	databases: Iterable<string>,
): Promise<void> {
	const owner = await owners.find({ kind: 'schema', name: schema });
	for (const name of databases) {
		const ownerOfDatabase = await owners.find({ kind: 'database', name });
		if (owner !== null && owner === ownerOfDatabase) continue;
		throw new ConfigError(
			`Schema ${schema} belongs to ${textOf(owner)}, and the database ${name}, to which alarms or reports would be bound, to ${textOf(ownerOfDatabase)}. Nothing was written: name another database, or make one client the owner of both (owner --schema ${schema} --database ${name} --set CLIENT).`,
		);
	}
}

const textOf = (clientId: number | null): string => (clientId === null ? 'nobody' : `client ${clientId}`);
