import { DomainError } from '../errors.ts';
import type { BoardKey, VariableRow } from '../ports/schema-store.ts';
import { readLimits } from '../reading/budget.ts';
import { shortageOf } from '../reading/plan.ts';
import { excessMessage } from '../reading/skipped.ts';
import { checkRowSize, checkVersion, type VersionMatch } from '../transaction/checks.ts';
import { panelKey, parseBoardKey, variableKey } from '../transaction/read-set.ts';
import { isSameContent } from '../transaction/row-change.ts';
import {
	type IdempotencyRecordFactory,
	noRecord,
	type ReadRows,
	runTransaction,
	type WriteDeps,
} from '../transaction/run-transaction.ts';
import { boardUsage, panelUsage, panelUses } from '../transaction/usages.ts';
import { problem } from '../validation/problem.ts';
import { completeVariable, toJson, type Variable } from '../variable/variable.ts';

/** Most boards that an `in_use` error names. */
const maxNamedBoards = 20;

/**
 * Saves a variable: id 0 creates one, any other id must exist (shared/domain/variable/README.md#kinds). A save that changes nothing
 * stores nothing and keeps the version.
 * @param hasStrayBits as in `SentVariable`; then a variable that is stored as bit-compressed is refused
 * @returns the stored row, with its id
 * @throws DomainError `not_found`, `version_mismatch`, `invalid` for stray bits and when it alone needs more than one request may read, `in_use` when a board
 * or the panel refers to a bit that the new version lacks, and the errors of `runTransaction`
 * @example
 * const { variable, version } = await saveVariable(deps, 'plant', parseVariable(body), [3]); // only if the stored version is 3
 */
export async function saveVariable(
	deps: WriteDeps,
	schema: string,
	sent: Variable,
	match: VersionMatch = null,
	createRecord?: IdempotencyRecordFactory<VariableRow>,
	hasStrayBits = false,
): Promise<VariableRow> {
	const isNew = sent.id === 0;
	// Nothing is stored yet, so any If-Match is refused, before an id is used up.
	if (isNew) checkVersion(match, null);
	const variable = isNew ? { ...sent, id: await deps.store.nextId(schema) } : sent;
	return runTransaction(deps, schema, createRecord, async (read) => {
		const { stored, row } = await nextRow(read, variable, { isNew, match, hasStrayBits });
		if (stored !== null && isSameContent(stored, row)) return { changes: [], answer: stored };
		return { changes: [{ key: variableKey(variable.id), row }], answer: row };
	});
}

/** The row that a save of a variable would store, and the one that it would replace; null: the variable is new. */
export interface VariablePreview {
	readonly row: VariableRow;
	readonly stored: VariableRow | null;
}

/**
 * Returns what `saveVariable` would store, and stores nothing. A new variable keeps id 0.
 * @throws DomainError as `saveVariable`
 */
export async function previewVariable(
	deps: WriteDeps,
	schema: string,
	sent: Variable,
	match: VersionMatch = null,
	hasStrayBits = false,
): Promise<VariablePreview> {
	return runTransaction(deps, schema, noRecord, async (read) => ({
		changes: [],
		answer: await nextRow(read, sent, { isNew: sent.id === 0, match, hasStrayBits }),
	}));
}

/** How a variable is saved. `hasStrayBits`: as in `SentVariable`. */
interface SaveConditions {
	readonly isNew: boolean;
	readonly match: VersionMatch;
	readonly hasStrayBits: boolean;
}

async function nextRow(read: ReadRows, sent: Variable, { isNew, match, hasStrayBits }: SaveConditions): Promise<VariablePreview> {
	const key = variableKey(sent.id);
	// A preview of a new variable has id 0, which is no variable's id: stores may use that key for their own rows.
	const found = sent.id === 0 ? null : (await read([key])).get(key);
	const stored = found?.deleting === true ? null : found;
	if (stored === null && !isNew) throw new DomainError('not_found', key);
	checkVersion(match, stored);
	if (hasStrayBits && stored?.variable.binary_compressed === true) throw unclearCompression();
	const variable = completeVariable(sent, stored?.variable ?? null);
	checkSize(variable);
	if (stored !== null) await checkBits(read, stored, variable);
	const row: VariableRow = {
		kind: 'variable',
		version: (stored?.version ?? 0) + 1,
		rowVersion: (stored?.rowVersion ?? 0) + 1,
		variable,
		referencedBy: stored?.referencedBy ?? new Map(),
		deleting: false,
	};
	checkRowSize([toJson(variable), [...row.referencedBy]]);
	return { stored, row };
}

/** Throws `invalid` when the variable alone needs more than one request may read: it could never be read. */
export function checkSize(variable: Variable): void {
	const shortage = shortageOf(variable);
	if (shortage === null) return;
	const { item, needed: actual } = shortage;
	const cause = problem('variable_too_large', excessMessage(shortage), { item, limit: readLimits[item], actual });
	throw new DomainError('invalid', { issues: [{ path: 'varsTsdb', ...cause }] });
}

/** Returns the error for a save that would lose the bits that it sends. */
function unclearCompression(): DomainError<'invalid'> {
	const message =
		'Is required: the stored variable is bit-compressed and bits were sent. Send true to keep them, or false to drop them.';
	return new DomainError('invalid', { issues: [{ path: 'binary_compressed', ...problem('compression_unclear', message) }] });
}

/** Throws `in_use` when a board or the panel refers to a bit that the variable would lose. */
async function checkBits(read: ReadRows, stored: VariableRow, next: Variable): Promise<void> {
	const remaining = new Set(bitsOf(next));
	const lost = new Set(bitsOf(stored.variable).filter((bit) => !remaining.has(bit)));
	if (lost.size === 0) return;
	const keys = boardsReferringTo(stored, lost);
	const rows = await read([panelKey, ...keys]);
	const panel = rows.get(panelKey);
	const panelBits = panel === null ? [] : [...lost].filter((bit) => panelUses(panel, next.id, new Set([bit])));
	const usages = [
		...keys.flatMap((key) => rows.get(key) ?? []).map(boardUsage),
		...(panel !== null && panelBits.length > 0 ? [panelUsage(panel)] : []),
	];
	if (usages.length === 0) return;
	const field = next.binary_compressed ? 'bits' : 'binary_compressed';
	const boardBits = [...stored.referencedBy.values()].flat().filter((bit) => lost.has(bit));
	throw new DomainError('in_use', { field, bits: [...new Set([...boardBits, ...panelBits])].sort((a, b) => a - b), usages });
}

const bitsOf = (variable: Variable): readonly number[] => (variable.binary_compressed ? variable.bits.map(({ bit }) => bit) : []);

/** The first boards, at most `maxNamedBoards`, that refer to one of the bits. */
const boardsReferringTo = ({ referencedBy }: VariableRow, lost: ReadonlySet<number>): readonly BoardKey[] =>
	[...referencedBy]
		.filter(([, bits]) => bits.some((bit) => lost.has(bit)))
		.slice(0, maxNamedBoards)
		.flatMap(([text]) => parseBoardKey(text) ?? []);
