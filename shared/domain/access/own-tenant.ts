import type { OwnedName, Owners, WrittenSchemas } from '../ports/owners.ts';

/** The dependencies of checking which client owns a tenant. */
export interface OwnTenantDeps {
	readonly owners: Owners;
	readonly writtenSchemas: WrittenSchemas;
	/** What is done with a schema that holds data and has no owner: the client becomes its owner, or is refused. */
	readonly unownedData: 'claim' | 'refuse';
}

/** A sign-in that is refused although the identity provider allows it, for the operator. */
export interface TenantRefusal {
	readonly reason: 'owned_by_another_client' | 'data_without_owner';
	readonly schema: string;
	readonly database: string;
	readonly clientId: number;
}

/**
 * Makes a client the owner of a schema and a database that belong to nobody yet (shared/domain/access/README.md#owners).
 * @returns null when both belong to the client, else why the client may not use them
 */
export async function ownTenant(
	{ owners, writtenSchemas, unownedData }: OwnTenantDeps,
	tenant: Omit<TenantRefusal, 'reason'>,
): Promise<TenantRefusal | null> {
	const { schema, database, clientId } = tenant;
	const names: readonly OwnedName[] = [
		{ kind: 'schema', name: schema },
		{ kind: 'database', name: database },
	];
	const currentOwners = await Promise.all(names.map((name) => owners.find(name)));
	if (currentOwners.every((owner) => owner === clientId)) return null;
	const another = { reason: 'owned_by_another_client', ...tenant } as const;
	if (currentOwners.some((owner) => owner !== null && owner !== clientId)) return another;
	const [ownerOfSchema] = currentOwners;
	if (unownedData === 'refuse' && ownerOfSchema === null && (await writtenSchemas.has(schema)))
		return { reason: 'data_without_owner', ...tenant };
	return (await owners.claim(names, clientId)) ? null : another;
}

/** Returns the schemas that hold data and belong to nobody, in order: a protected environment refuses sign-ins with them. */
export async function unownedSchemas({ owners, writtenSchemas }: Omit<OwnTenantDeps, 'unownedData'>): Promise<readonly string[]> {
	const [schemas, ownerships] = await Promise.all([writtenSchemas.list(), owners.list()]);
	const owned = new Set(ownerships.filter(({ kind }) => kind === 'schema').map(({ name }) => name));
	return schemas.filter((schema) => !owned.has(schema));
}
