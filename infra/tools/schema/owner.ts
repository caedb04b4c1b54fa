import pc from 'picocolors';
import type { OwnedName } from '#domain/ports/owners.ts';
import { unownedSchemas } from '#domain/use-cases/own-tenant.ts';
import { pluralize } from '#infra/cli/pluralize.ts';
import { print } from '#infra/cli/print.ts';
import type { Stores } from '#infra/local/wiring/stores.ts';

/** The stores that tell and change to whom schemas and databases belong. */
type OwnerStores = Pick<Stores, 'owners' | 'writtenSchemas'>;

/** Prints the owner of every schema and database, then the schemas that hold data and belong to nobody. */
export async function listOwners({ owners, writtenSchemas }: OwnerStores): Promise<void> {
	const [ownerships, unowned] = await Promise.all([owners.list(), unownedSchemas({ owners, writtenSchemas })]);
	for (const { clientId, ...owned } of ownerships) print(ownerLine(owned, clientId));
	for (const name of unowned) print(ownerLine({ kind: 'schema', name }, null));
	print(`${pluralize(ownerships.length, 'owner')}; ${pluralize(unowned.length, 'schema')} with data and without an owner.`);
	if (unowned.length > 0)
		print('A protected environment refuses sign-ins with these schemas until you set their owner: --schema S --set CLIENT.');
}

/** Sets the owner of the names when `clientId` is given, then prints the owner of each. */
export async function showOwners(
	{ owners }: OwnerStores,
	names: readonly OwnedName[],
	clientId: number | undefined,
): Promise<void> {
	if (clientId !== undefined) for (const owned of names) await owners.set({ ...owned, clientId });
	for (const owned of names) print(ownerLine(owned, await owners.find(owned)));
	if (clientId !== undefined) print('Tokens that another client has for it stay valid until they expire.');
}

function ownerLine({ kind, name }: OwnedName, clientId: number | null): string {
	return `${kind} ${name}: ${clientId === null ? pc.yellow('nobody') : `client ${clientId}`}`;
}
