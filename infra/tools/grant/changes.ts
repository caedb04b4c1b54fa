import { digest } from '#adapters/session-ids.ts';
import { ownTenant } from '#domain/access/own-tenant.ts';
import { toolOrigin } from '#domain/changes/change-entry.ts';
import { grantChange, grantItemId } from '#domain/identity/grant-change.ts';
import { type Grant, maxGrants } from '#domain/identity/grants.ts';
import type { OpenIdSession } from '#domain/ports/openid-sessions.ts';
import { toolCommand } from '#infra/cli/tool-command.ts';
import type { Stores } from '#infra/local/wiring/stores.ts';
import { ConfigError } from '#shared/config.ts';

/** What tells grants of one provider apart. */
export type GrantKey = Pick<Grant, 'provider' | 'schema' | 'database' | 'where'>;

/** Most entries of one grant that are read to find its last version. */
const maxEntries = 10_000;

/**
 * Stores a grant, in place of the one with the same tenant and claims. Its client becomes the owner of the tenant if nobody is.
 * @param environment the end of commands that the operator is told, such as ` --env dev`
 * @throws ConfigError when the tenant belongs to another client, or the provider has too many grants
 */
export async function addGrant(
	{ grants, changes, owners, writtenSchemas }: Pick<Stores, 'grants' | 'changes' | 'owners' | 'writtenSchemas'>,
	grant: Grant,
	{ at, environment }: { readonly at: number; readonly environment: string },
): Promise<'added' | 'changed' | 'unchanged'> {
	const { provider, schema, database, owner } = grant;
	const deps = { owners, writtenSchemas, unownedData: 'refuse' } as const;
	const refusal = await ownTenant(deps, { schema, database, clientId: owner });
	const ownerCommand = `${toolCommand('schema')} owner --schema ${schema} --database ${database}`;
	if (refusal?.reason === 'owned_by_another_client')
		throw new ConfigError(
			`The schema or the database belongs to another client than ${owner}: ${ownerCommand}${environment} shows to which.`,
		);
	if (refusal !== null)
		throw new ConfigError(
			`Schema ${schema} holds data and belongs to nobody: say first whose it is, with ${ownerCommand} --set ${owner}${environment}.`,
		);
	const lastVersion = await lastVersionOf(changes, grant);
	let isReplaced = false;
	const outcome = await grants.add(grant, (before) => {
		isReplaced = before !== null;
		return grantChange(digest, { before, after: grant, lastVersion }, toolOrigin('grant add'), at);
	});
	if (outcome === 'full')
		throw new ConfigError(`${provider} has ${maxGrants} grants, which is the most: grant a group in place of single people.`);
	return outcome === 'added' && isReplaced ? 'changed' : outcome;
}

/** Deletes a grant. @returns whether there was one */
export async function deleteGrant(
	{ grants, changes }: Pick<Stores, 'grants' | 'changes'>,
	grant: GrantKey,
	at: number,
): Promise<boolean> {
	const lastVersion = await lastVersionOf(changes, grant);
	return grants.remove(grant, (before) =>
		grantChange(digest, { before, after: null, lastVersion }, toolOrigin('grant remove'), at),
	);
}

/** Returns the check whether a session of the provider is open to the tenant of a grant. One that cannot be read may be: it has no tenants. */
export function isOpenTo({ provider, schema, database }: Omit<GrantKey, 'where'>): (session: OpenIdSession) => boolean {
	return (session) =>
		session.provider === provider &&
		(session.tenants.length === 0 || session.tenants.some((tenant) => tenant.schema === schema && tenant.database === database));
}

/** Returns the last version of a grant that the journal tells of, so that one that is added again goes on from there; 0: of none. */
async function lastVersionOf(changes: Pick<Stores['changes'], 'history'>, grant: GrantKey): Promise<number> {
	const told = await changes.history(grant.schema, { kind: 'grant', itemId: grantItemId(digest, grant) }, 0, maxEntries);
	return told.at(-1)?.entry.rowVersion ?? 0;
}
