import type { Definition, PackedRevision } from './schema-store.ts';

/**
 * Writes the packs of definitions that `SchemaReader.packed` reads (shared/domain/reading/README.md#packs). Where several
 * write at once, or one ends early, the pack may be left so that nobody can read it until the next `replace`; it never has a wrong definition.
 * @throws DomainError `store_failed`
 */
export interface Packs {
	/** Returns the revision of a schema's pack; null where there is none, or none that this release can read. */
	packedRevision(schema: string): Promise<PackedRevision | null>;
	/** Takes the pack of a schema away from readers, until the next `replace`. */
	forget(schema: string): Promise<void>;
	/** Replaces the whole pack by every definition of the schema at a revision. */
	replace(schema: string, to: PackedRevision, definitions: ReadonlyMap<number, Definition>): Promise<void>;
	/**
	 * Brings a pack from one revision to a later one. `changed`: every definition that changed in between; null: there is none any more.
	 * @returns whether the pack could be read and was at `from`; otherwise nothing readers use changed
	 */
	advance(
		schema: string,
		from: PackedRevision,
		to: PackedRevision,
		changed: ReadonlyMap<number, Definition | null>,
	): Promise<boolean>;
}

/** The packs of a store whose rows are cheap to read: it keeps none. */
export const noPacks: Packs = {
	packedRevision: async () => null,
	forget: async () => undefined,
	replace: async () => undefined,
	advance: async () => false,
};
