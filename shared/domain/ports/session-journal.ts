import type { ChangeEntry } from '../changes/change-entry.ts';

/**
 * The part of the journal of changes that tells who signed in, and who was refused (shared/domain/changes/README.md#sessions).
 * @throws DomainError `store_failed`
 */
export interface SessionJournal {
	/**
	 * Adds an entry, unless an earlier one says the same (`isRepeatedEntry`). The refusal of a person is added only where the schema has that
	 * person. For any other name nothing is added, in the same time, so that nobody can find out who exists.
	 */
	tell(schema: string, entry: ChangeEntry): Promise<void>;
}
