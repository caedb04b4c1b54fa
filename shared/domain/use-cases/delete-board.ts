import { definitionEvents } from '../alarm/definition-event.ts';
import { userOf } from '../changes/change-entry.ts';
import type { BoardKey } from '../ports/schema-store.ts';
import { checkVersion, type VersionMatch } from '../transaction/checks.ts';
import { readBoard, referencedByChanges, unitOf } from '../transaction/referenced-by.ts';
import { type IdempotencyRecordFactory, runTransaction, type WriteDeps } from '../transaction/run-transaction.ts';

/**
 * Deletes a board and removes its references from the rows of its variables. The journal of alarms tells of a deleted alarm.
 * @returns whether the board existed
 * @throws DomainError `version_mismatch`, and the errors of `runTransaction`
 */
export async function deleteBoard(
	deps: WriteDeps,
	schema: string,
	key: BoardKey,
	match: VersionMatch = null,
	createRecord?: IdempotencyRecordFactory<boolean>,
): Promise<boolean> {
	return runTransaction(deps, schema, createRecord, async (read) => {
		const rows = await readBoard(read, { ...deps, schema }, key);
		const stored = rows.get(key);
		if (stored === null) return { changes: [], answer: false };
		checkVersion(match, stored);
		const changes = [{ key, row: null }, ...referencedByChanges(rows, key, null)];
		const events = definitionEvents('deleted', stored, {
			now: deps.now(),
			user: userOf(deps.origin),
			unit: unitOf(rows, stored),
		});
		return { changes, events, answer: true };
	});
}
