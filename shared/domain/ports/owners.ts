/** A schema, or a time-series database, by its name. */
export interface OwnedName {
	readonly kind: 'schema' | 'database';
	readonly name: string;
}

/** A schema or a database, and the id of the client that it belongs to. */
export interface Ownership extends OwnedName {
	readonly clientId: number;
}

/** The owner where the stored one cannot be read. No client has this id, so nobody signs in until an operator sets the owner. */
export const unreadableOwner = -1;

/**
 * The client that each schema and each database belongs to (shared/domain/access/README.md#owners).
 * @throws DomainError `store_failed`
 */
export interface Owners {
	/** Returns the id of the owner; null when nobody owns it. Strongly consistent. */
	find(owned: OwnedName): Promise<number | null>;
	/**
	 * Makes the client the owner of all these names, unless another client owns one of them: then nothing changes.
	 * @returns whether all of them belong to the client now
	 */
	claim(names: readonly OwnedName[], clientId: number): Promise<boolean>;
	/** Makes the client the owner, also of what belonged to another one. */
	set(ownership: Ownership): Promise<void>;
	/** Returns every ownership by kind and name. */
	list(): Promise<readonly Ownership[]>;
}

/** The schemas that were ever written to, even when nothing is left in them. */
export interface WrittenSchemas {
	/** Strongly consistent. */
	has(schema: string): Promise<boolean>;
	/** Returns their names in order. Reads every row, so it is for operators' tools only. */
	list(): Promise<readonly string[]>;
}
