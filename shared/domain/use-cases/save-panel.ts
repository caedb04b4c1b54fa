import { DomainError, type ValidationIssue } from '../errors.ts';
import { itemsOf, type Panel } from '../panel/panel.ts';
import type { PanelRow } from '../ports/schema-store.ts';
import { referenceIssues } from '../transaction/check-references.ts';
import { panelKey, type ReadSet, variableKey } from '../transaction/read-set.ts';
import { checkRowSize } from '../transaction/row-size.ts';
import { type Decision, type IdempotencyRecordFactory, runTransaction, type WriteDeps } from '../transaction/run-transaction.ts';
import { checkVersion, type VersionMatch } from '../transaction/version-match.ts';

/** Decides on saving a panel: every item's variable must exist, and have the bit that the item picks. */
export function decidePanel(rows: ReadSet, panel: Panel, match: VersionMatch): Decision<PanelRow> {
	const stored = rows.get(panelKey);
	checkVersion(match, stored);
	const references = itemsOf(panel).map(({ path, item: { varId, bit } }) => ({ path, varId, bit }));
	const offences: readonly ValidationIssue[] = referenceIssues(rows, references);
	if (offences.length > 0) throw new DomainError('invalid', { offences });
	checkRowSize(panel);
	const next = (stored?.version ?? 0) + 1;
	const row: PanelRow = { kind: 'panel', version: next, rowVersion: next, panel };
	return { changes: [{ key: panelKey, row }], answer: row };
}

/** Saves the schema's panel, in place of the one before. */
export async function savePanel(
	deps: WriteDeps,
	schema: string,
	panel: Panel,
	match: VersionMatch = null,
	receipted?: IdempotencyRecordFactory<PanelRow>,
): Promise<PanelRow> {
	const ids = new Set(itemsOf(panel).map(({ item }) => item.varId));
	const keys = [panelKey, ...[...ids].map(variableKey)];
	return runTransaction(deps, schema, receipted, async (read) => decidePanel(await read(keys), panel, match));
}
