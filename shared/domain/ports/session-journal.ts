import type { ChangeEntry } from '../changes/change-entry.ts';

/**
 * The part of the journal of changes that tells who signed in, and who was refused (shared/domain/changes/README.md#sessions).
 * @throws DomainError `store_failed`
 */
export interface SessionJournal {
	/**
	 * Adds an entry, unless it is told already (`isTold`). Of a refused person only where the schema has that person: whoever guesses names
	 * adds nothing, and takes as long.
	 */
	tell(schema: string, entry: ChangeEntry): Promise<void>;
}
