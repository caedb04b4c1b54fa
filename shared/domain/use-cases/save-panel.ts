import { itemsOf, type Panel } from '../panel/panel.ts';
import type { PanelRow } from '../ports/schema-store.ts';
import { checkReferences, checkRowSize, checkVersion, type VersionMatch } from '../transaction/checks.ts';
import { panelKey, variableKey } from '../transaction/read-set.ts';
import { isSameContent } from '../transaction/row-change.ts';
import { type IdempotencyRecordFactory, runTransaction, type WriteDeps } from '../transaction/run-transaction.ts';
import { ValidationIssues } from '../validation/parse.ts';
import { problem } from '../validation/problem.ts';

/**
 * Saves the panel of a schema and replaces the previous one. Every variable and bit that an item refers to must exist.
 * A save that changes nothing stores nothing and keeps the version.
 * @returns the stored row
 * @throws DomainError `version_mismatch`, `invalid`, `too_large`, and the errors of `runTransaction`
 */
export async function savePanel(
	deps: WriteDeps,
	schema: string,
	panel: Panel,
	match: VersionMatch = null,
	createRecord?: IdempotencyRecordFactory<PanelRow>,
): Promise<PanelRow> {
	const references = itemsOf(panel).map(({ path, item: { varId, bit } }) => ({ path, varId, bit }));
	return runTransaction(deps, schema, createRecord, async (read) => {
		const rows = await read([panelKey, ...references.map(({ varId }) => variableKey(varId))]);
		const stored = rows.get(panelKey);
		checkVersion(match, stored);
		checkItemIds(panel, stored?.panel);
		checkReferences(rows, references);
		checkRowSize(panel);
		const version = (stored?.version ?? 0) + 1;
		// An imported panel may have a row version ahead of its version.
		const rowVersion = (stored?.rowVersion ?? 0) + 1;
		const row: PanelRow = { kind: 'panel', version, rowVersion, panel };
		if (stored !== null && isSameContent(stored, row)) return { changes: [], answer: stored };
		return { changes: [{ key: panelKey, row }], answer: row };
	});
}

/** Ids of new items are whole numbers. Panels that were stored before may keep others. */
function checkItemIds(panel: Panel, stored: Panel | undefined): void {
	const kept = new Set(stored === undefined ? [] : itemsOf(stored).map(({ item }) => item.id));
	const issues = new ValidationIssues();
	for (const { path, item } of itemsOf(panel))
		if (!Number.isSafeInteger(item.id) && !kept.has(item.id))
			issues.add(`${path}.id`, problem('not_whole_number', 'Must be a whole number.'));
	issues.throwIfAny();
}
