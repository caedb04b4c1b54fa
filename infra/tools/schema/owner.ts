import type { Grant } from '#domain/identity/grants.ts';
import type { OpenIdSession } from '#domain/ports/openid-sessions.ts';
import type { OwnedName } from '#domain/ports/owners.ts';
import type { Stores } from '#infra/local/wiring/stores.ts';
import { endSessions, endSessionsNow, type SessionStores } from '../end-sessions.ts';

/**
 * Makes a client the owner of schemas and databases, and ends the sessions of OpenID providers that are open to one of them for another
 * client. After a change of owner it looks for them once more, 30 s later, where a grant lets people in.
 * @returns how many sessions ended
 */
export async function setOwner(
	{ owners, grants, ...stores }: Pick<Stores, 'owners' | 'grants'> & SessionStores,
	names: readonly OwnedName[],
	clientId: number,
	pause: (ms: number) => Promise<unknown>,
): Promise<number> {
	const before = await Promise.all(names.map((owned) => owners.find(owned)));
	for (const owned of names) await owners.set({ ...owned, clientId });
	const isAnothers = ({ schema, database, owner }: Pick<Grant, 'schema' | 'database' | 'owner'>): boolean =>
		owner !== clientId && names.some(({ kind, name }) => name === (kind === 'schema' ? schema : database));
	const isOpenToAnother = ({ tenants }: OpenIdSession): boolean => tenants.some(isAnothers);
	const signsIn = (grant: Grant): boolean => isAnothers(grant) && before.includes(grant.owner);
	return (await grants.all()).some(signsIn)
		? endSessions(stores, isOpenToAnother, pause)
		: endSessionsNow(stores, isOpenToAnother);
}
