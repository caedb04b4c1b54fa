import { DomainError } from '../errors.ts';
import type { RowKey, SchemaStore, VariableRow } from '../ports/schema-store.ts';
import { planOf } from '../reading/plan.ts';
import { boardKeyOf, panelKey, ReadSet, variableKey } from '../transaction/read-set.ts';
import { checkRowSize } from '../transaction/row-size.ts';
import {
	type Decision,
	type IdempotencyRecordFactory,
	type ReadRows,
	runTransaction,
	type WriteDeps,
} from '../transaction/run-transaction.ts';
import { checkVersion, type VersionMatch } from '../transaction/version-match.ts';
import { toJson, type Variable } from '../variable/variable.ts';
import { maxWindows } from './read-variables.ts';
import { boardUsage, panelUsage, panelUses } from './usages.ts';

/** More users than these are not named. */
const maxNamedUsers = 20;

/** Decides on a save: the next version of a variable that exists, or the first of one just given its id. */
export function decideSave(rows: ReadSet, variable: Variable, isNew: boolean, match: VersionMatch): Decision<VariableRow> {
	checkReadable(variable);
	const key = variableKey(variable.id);
	const found = rows.get(key);
	const stored = found?.deleting === true ? null : found;
	if (stored === null && !isNew)
		throw new DomainError('not_found', {
			field: 'id',
			message: `There is no variable ${variable.id}; send id 0 to make a new one.`,
		});
	checkVersion(match, stored);
	if (stored !== null) checkBits(rows, stored, variable);
	const row: VariableRow = {
		kind: 'variable',
		version: (stored?.version ?? 0) + 1,
		rowVersion: (stored?.rowVersion ?? 0) + 1,
		variable,
		referencedBy: stored?.referencedBy ?? new Map(),
		deleting: false,
	};
	checkRowSize([toJson(variable), [...row.referencedBy]]);
	return { changes: [{ key, row }], answer: row };
}

/**
 * Saves a variable: id 0 creates one, any other id must exist (specification section 2.1).
 * @returns the row as stored, with its id
 * Throws `in_use` where a bit would go that a board or the panel picks.
 */
export async function saveVariable(
	deps: WriteDeps,
	schema: string,
	sent: Variable,
	match: VersionMatch = null,
	receipted?: IdempotencyRecordFactory<VariableRow>,
): Promise<VariableRow> {
	const isNew = sent.id === 0;
	if (isNew) checkVersion(match, null);
	const variable = isNew ? { ...sent, id: await deps.store.nextId(schema) } : sent;
	return runTransaction(deps, schema, receipted, async (read) =>
		decideSave(await readRelied(read, variable), variable, isNew, match),
	);
}

/** What saving would store, storing nothing: a new variable keeps id 0. */
export async function previewVariable(
	store: SchemaStore,
	schema: string,
	sent: Variable,
	match: VersionMatch = null,
): Promise<VariableRow> {
	const rows = new ReadSet();
	if (sent.id === 0) rows.add(variableKey(0), null);
	const relied = await readRelied(async (keys) => {
		await rows.read(store, schema, keys);
		return rows;
	}, sent);
	return decideSave(relied, sent, sent.id === 0, match).answer;
}

/** Throws `invalid` where reading the variable alone would take more windows than one read may: it could never be shown. */
function checkReadable(variable: Variable): void {
	const { windows } = planOf([variable]);
	if (windows <= maxWindows) return;
	const message = `Its queries take ${windows} windows together, at most ${maxWindows}: take longer periods or shorter times.`;
	throw new DomainError('invalid', { offences: [{ path: 'varsTsdb', message }] });
}

/** Throws `in_use` where something picks a bit that the variable would lose. */
function checkBits(rows: ReadSet, stored: VariableRow, next: Variable): void {
	const lost = lostBits(stored.variable, next);
	if (lost.size === 0) return;
	const boards = boardsLosing(stored, lost).flatMap((key) => {
		const row = rows.get(key);
		return row !== null && 'board' in row ? [boardUsage(row)] : [];
	});
	const panel = rows.get(panelKey);
	const usages = panel !== null && panelUses(panel, next.id, lost) ? [...boards, panelUsage(panel)] : boards;
	if (usages.length === 0) return;
	const field = next.binary_compressed ? 'bits' : 'binary_compressed';
	throw new DomainError('in_use', { field, message: `Bits ${[...lost].join(', ')} would be gone and are in use`, usages });
}

/** The bits that a variable has and would have no more. */
function lostBits(stored: Variable, next: Variable): ReadonlySet<number> {
	const kept = new Set(next.binary_compressed ? next.bits.map(({ bit }) => bit) : []);
	return new Set(stored.binary_compressed ? stored.bits.map(({ bit }) => bit).filter((bit) => !kept.has(bit)) : []);
}

/** Boards that pick a bit which would be lost, as many as will be named. */
const boardsLosing = ({ referencedBy: usedBy }: VariableRow, lost: ReadonlySet<number>): readonly RowKey[] =>
	[...usedBy]
		.filter(([, bits]) => bits.some((bit) => lost.has(bit)))
		.slice(0, maxNamedUsers)
		.map(([text]) => boardKeyOf(text));

/** Reads what a save relies on: the variable itself, and what picks bits that it would lose. */
async function readRelied(read: ReadRows, variable: Variable): Promise<ReadSet> {
	const rows = await read([variableKey(variable.id)]);
	const stored = rows.get(variableKey(variable.id));
	const lost = stored === null ? new Set<number>() : lostBits(stored.variable, variable);
	return stored === null || lost.size === 0 ? rows : read([panelKey, ...boardsLosing(stored, lost)]);
}
