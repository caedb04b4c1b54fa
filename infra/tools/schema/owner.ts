import type { OpenIdSession } from '#domain/ports/openid-sessions.ts';
import type { OwnedName } from '#domain/ports/owners.ts';
import type { Stores } from '#infra/local/wiring/stores.ts';
import { endSessions, endSessionsNow, type SessionStores } from '../end-sessions.ts';

/**
 * Makes a client the owner of schemas and databases, and ends the sessions of OpenID providers that are open to one of them for another
 * client. After a change of owner it looks for them once more, 30 s later.
 * @returns how many sessions ended
 */
export async function setOwner(
	{ owners, ...stores }: Pick<Stores, 'owners'> & SessionStores,
	names: readonly OwnedName[],
	clientId: number,
	pause: (ms: number) => Promise<unknown>,
): Promise<number> {
	const before = await Promise.all(names.map((owned) => owners.find(owned)));
	for (const owned of names) await owners.set({ ...owned, clientId });
	const isChanged = before.some((owner) => owner !== null && owner !== clientId);
	const isOpenToAnother = ({ tenants }: OpenIdSession): boolean =>
		tenants.some(
			({ schema, database, owner }) =>
				owner !== clientId && names.some(({ kind, name }) => name === (kind === 'schema' ? schema : database)),
		);
	return isChanged ? endSessions(stores, isOpenToAnother, pause) : endSessionsNow(stores, isOpenToAnother);
}
