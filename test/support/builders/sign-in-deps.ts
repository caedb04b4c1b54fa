import type { TenantRefusal } from '#domain/access/own-tenant.ts';
import type { DomainError } from '#domain/errors.ts';
import type { IdentityProvider } from '#domain/ports/identity-provider.ts';
import type { SignInAttempts } from '#domain/ports/sign-in-attempts.ts';
import type { PersonTokenClaims } from '#domain/ports/token-signer.ts';
import type { User, Users } from '#domain/ports/users.ts';
import type { RenewTokenDeps } from '#domain/use-cases/renew-token.ts';
import type { Credentials, SignInDeps } from '#domain/use-cases/sign-in.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteOwners, createSqliteWrittenSchemas } from '#infra/local/adapters/sqlite/sqlite-owners.ts';
import { createSqlitePeople } from '#infra/local/adapters/sqlite/sqlite-people.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { createSqliteSessionJournal } from '#infra/local/adapters/sqlite/sqlite-session-journal.ts';
import { createSqliteSignInAttempts } from '#infra/local/adapters/sqlite/sqlite-sign-in-attempts.ts';
import { createSqliteUsers } from '#infra/local/adapters/sqlite/sqlite-users.ts';
import { scopes } from '#shared/endpoint.ts';

/** The credentials that the provider of `makeSignInDeps` accepts once `operator` is registered. */
export const signInCredentials: Credentials = {
	email: 'Op@Plant.example',
	tokenApp: 'secret',
	schemaName: 'plant',
	tsdb_name: 'series',
};

/** The user of client 3 whom the provider knows. */
export const operator: User = { id: 7, email: 'op@plant.example', firstName: 'Op', lastName: 'Erator', clientId: 3 };

/** Creates the dependencies of signing in on SQLite in memory, with a provider that knows `operator` and records its calls. */
export function makeSignInDeps(stores: { readonly attempts?: SignInAttempts; readonly users?: Users } = {}) {
	const calls: string[] = [];
	const signed: PersonTokenClaims[] = [];
	const refusals: TenantRefusal[] = [];
	const outages: DomainError[] = [];
	/** Schema, e-mail, address and refusal of each session that was told. */
	const told: (readonly [string, string, string, string | null])[] = [];
	/** Tests replace its answers. */
	const provider: IdentityProvider = {
		getUser: async (id) => (id === operator.id ? { email: 'op@plant.example', token_apps: 'secret' } : null),
		getSchemaProduct: async (clientId, productId) =>
			clientId === operator.clientId
				? [{ schema_name: 'plant', tsdb_name: 'series', product_id: productId, client_id: clientId }]
				: [],
		listProductxUserxClient: async () => [{ id_product: 5 }],
	};
	const database = openDatabase(':memory:');
	const store = createSqliteSchemaStore(database);
	let ids = 0;
	const deps: SignInDeps & RenewTokenDeps = {
		users: createSqliteUsers(database),
		attempts: createSqliteSignInAttempts(database),
		...stores,
		people: createSqlitePeople(database),
		defaultRole: 'engineer',
		owners: createSqliteOwners(database),
		writtenSchemas: createSqliteWrittenSchemas(database),
		unownedData: 'claim',
		identityProvider: {
			getUser: (id) => {
				calls.push(`getUser ${id}`);
				return provider.getUser(id);
			},
			getSchemaProduct: (client, product) => {
				calls.push(`schemas ${client} ${product}`);
				return provider.getSchemaProduct(client, product);
			},
			listProductxUserxClient: (user, client) => {
				calls.push(`products ${user} ${client}`);
				return provider.listProductxUserxClient(user, client);
			},
		},
		signer: {
			sign: async (claims) => {
				if ('email' in claims) signed.push(claims);
				return 'token';
			},
		},
		constantTimeEqual: (a, b) => a === b,
		newId: () => {
			ids += 1;
			return `id-${ids}`;
		},
		random: () => 0,
		tell: async (schema, { actor, source, refusal }) => {
			told.push([schema, actor.id, source, refusal]);
		},
		reportTenantRefusal: (refusal) => refusals.push(refusal),
		reportOutage: (outage) => outages.push(outage),
		productId: 5,
		token: { issuer: 'https://issuer', audience: 'aud', scopes, lifetimeSeconds: 3600, sessionSeconds: 43_200 },
	};
	return { deps, sessions: createSqliteSessionJournal(database), provider, store, calls, signed, refusals, outages, told };
}
