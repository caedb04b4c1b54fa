import { unreadableOwner } from '#domain/ports/owners.ts';
import type { Stores } from '#infra/local/wiring/stores.ts';
import { ConfigError } from '#shared/config.ts';

/**
 * Checks that the owner of a schema owns each database that its alarms or reports are to be bound to. A database of another client holds
 * another tenant's values.
 * @throws ConfigError for the first one of another client, of nobody, or of an owner that cannot be read
 */
export async function checkDatabaseOwners(
	{ owners }: Pick<Stores, 'owners'>,
	schema: string,
	databases: Iterable<string>,
): Promise<void> {
	const owner = await owners.find({ kind: 'schema', name: schema });
	for (const name of databases) {
		const ownerOfDatabase = await owners.find({ kind: 'database', name });
		if (owner !== null && owner !== unreadableOwner && owner === ownerOfDatabase) continue;
		throw new ConfigError(
			`Schema ${schema} belongs to ${ownerText(owner)}, and the database ${name}, to which alarms or reports would be bound, to ${ownerText(ownerOfDatabase)}. Nothing was written: name another database, or make one client the owner of both (owner --schema ${schema} --database ${name} --set CLIENT).`,
		);
	}
}

/** Returns an owner in words; null: there is none. */
export function ownerText(clientId: number | null): string {
	if (clientId === null) return 'nobody';
	return clientId === unreadableOwner ? 'an owner that cannot be read' : `client ${clientId}`;
}
