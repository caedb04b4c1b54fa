/** The identity provider's user (specification section 2.6). */
export interface ProviderUser {
	readonly email: string;
	readonly token_apps: string;
}

/** A client's schema for a product (specification section 2.6). */
export interface SchemaRecord {
	readonly schema_name: string;
	readonly tsdb_name: string;
	readonly product_id: number;
	readonly client_id: number;
}

/** A product that a user may use (specification section 2.6); the fields that nothing here reads are left out. */
export interface ProductRecord {
	readonly id_product: number;
}

/**
 * The external identity provider (specification section 4.2). What it does not know is null or an empty list.
 * Throws DomainError `dependency_failed` or `dependency_slow` where it does not answer as specified.
 */
export interface IdentityProvider {
	getUser(id: number): Promise<ProviderUser | null>;
	getSchemaProduct(clientId: number, productId: number): Promise<readonly SchemaRecord[]>;
	listProductxUserxClient(userId: number, clientId: number): Promise<readonly ProductRecord[]>;
}
