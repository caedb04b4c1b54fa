/** A user of the identity provider. */
export interface ProviderUser {
	readonly email: string;
	/** Null for a user without a token: no application may sign in as that user. */
	readonly token_apps: string | null;
}

/** The schema and time-series database of a client for a product. */
export interface SchemaRecord {
	readonly schema_name: string;
	readonly tsdb_name: string;
	readonly product_id: number;
	readonly client_id: number;
}

/** A product that a user may use. The record has more fields, which are not read. */
export interface ProductRecord {
	readonly id_product: number;
}

/**
 * The external identity provider (shared/domain/use-cases/README.md#sign-in). Unknown ids give null or an empty list.
 * @throws DomainError `dependency_failed` or `dependency_slow` when the provider does not answer as documented
 */
export interface IdentityProvider {
	/** Returns a user by id. */
	getUser(id: number): Promise<ProviderUser | null>;
	/** Returns the schemas and databases that a client has for a product. */
	getSchemaProduct(clientId: number, productId: number): Promise<readonly SchemaRecord[]>;
	/** Returns the products that a user of a client may use. */
	listProductxUserxClient(userId: number, clientId: number): Promise<readonly ProductRecord[]>;
}
