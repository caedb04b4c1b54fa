/** The mark that an import stores before its rows. */
export interface ImportStart {
	/** Identifies the content of the file, so that only an import of the same content can continue after an interruption. */
	readonly importId: string;
	/** The revision from which the commits of the import count. */
	readonly revision: number;
	/** The highest id that the schema ever assigned. Ids that are assigned meanwhile are above it. */
	readonly lastId: number;
}

/**
 * The imports of exports into empty schemas (infra/tools/schema/README.md#importing). The rows of an import are commits of `SchemaStore`; this
 * port marks the schema from the first of them to the last. Only operators' tools use it.
 * @throws DomainError `store_failed`
 */
export interface SchemaImports {
	/** Returns the id of the import that began and did not end; null: there is none. Strongly consistent. */
	current(schema: string): Promise<string | null>;
	/**
	 * Marks the schema and stores its revision and its last id, on condition that it never had a commit or assigned an id.
	 * @returns whether the condition held; otherwise nothing changed
	 * @throws DomainError `outcome_unknown` when it may have begun or not
	 */
	begin(schema: string, start: ImportStart): Promise<boolean>;
	/** Takes the mark of this import away. Does nothing where the schema has another mark or none, so it may be repeated. */
	end(schema: string, importId: string): Promise<void>;
}
