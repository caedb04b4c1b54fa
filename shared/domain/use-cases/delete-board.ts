import type { BoardKey } from '../ports/schema-store.ts';
import { checkVersion, type VersionMatch } from '../transaction/checks.ts';
import { keyText } from '../transaction/read-set.ts';
import { readBoard, referencedByChanges } from '../transaction/referenced-by.ts';
import { type IdempotencyRecordFactory, runTransaction, type WriteDeps } from '../transaction/run-transaction.ts';

/**
 * Deletes a board and removes its references from the rows of its variables.
 * @returns whether the board existed
 * @throws DomainError `version_mismatch`, and the errors of `runTransaction`
 */
export async function deleteBoard(
	deps: WriteDeps,
	schema: string,
	key: BoardKey,
	match: VersionMatch = null,
	recordOf?: IdempotencyRecordFactory<boolean>,
): Promise<boolean> {
	return runTransaction(deps, schema, recordOf, async (read) => {
		const rows = await readBoard(read, key, null);
		const stored = rows.get(key);
		if (stored === null) return { changes: [], answer: false };
		checkVersion(match, stored);
		return { changes: [{ key, row: null }, ...referencedByChanges(rows, keyText(key), stored.board, null)], answer: true };
	});
}
