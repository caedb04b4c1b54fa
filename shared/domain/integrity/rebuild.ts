import { definitionEvents } from '../alarm/definition-event.ts';
import { referencesOf } from '../board/board.ts';
import { bitsByVariable } from '../board/reference.ts';
import { DomainError } from '../errors.ts';
import { parseBoardKey, variableKey } from '../transaction/read-set.ts';
import { boardRowWithout, withReference } from '../transaction/referenced-by.ts';
import { type Decision, noRecord, type ReadRows, runTransaction, type WriteDeps } from '../transaction/run-transaction.ts';
import { deleteBoard } from '../use-cases/delete-board.ts';
import { deleteVariable } from '../use-cases/delete-variable.ts';
import { countsOfBoards, type Inconsistency, wrongCountersOf } from './find-inconsistencies.ts';
import { readStoredSchema, retryAfterWrites } from './stored-schema.ts';

const unchanged = { changes: [], answer: false } as const;

/**
 * Why an inconsistency is not repaired. `needs_person`: a person must choose. `too_large`: the repaired row would be. `write_contention`: the
 * rows changed during every attempt. `wrong_reference_left`: the deletion relies on a reference that is not repaired.
 */
export type UnrepairedReason = 'needs_person' | 'too_large' | 'write_contention' | 'wrong_reference_left';

/** The outcome for an inconsistency. `left` is the reason why it was not repaired; null when it was. */
export interface Repair {
	readonly inconsistency: Inconsistency;
	readonly left: UnrepairedReason | null;
}

/**
 * Rebuilds `referencedBy` and the counters from the boards, drops references to missing variables as deleting the variable would
 * have done, sets rows aside that cannot be read, and finishes deletions. Every change is decided on the rows as they are now and conditioned on them, so it is safe
 * beside other writes. It can be interrupted and run again. An inconsistency that is gone meanwhile is skipped.
 * @throws DomainError `store_failed`; `outcome_unknown` when a change may have happened
 */
export async function* rebuild(
	deps: WriteDeps,
	schema: string,
	inconsistencies: readonly Inconsistency[],
): AsyncGenerator<Repair, void, undefined> {
	const wronglyReferenced = new Set<number>();
	for (const inconsistency of inconsistencies) {
		const { kind } = inconsistency;
		// A deletion changes the boards that `referencedBy` names, so it must be right first.
		const isBlocked = kind === 'unfinished_deletion' && wronglyReferenced.has(inconsistency.varId);
		const outcome = isBlocked ? 'wrong_reference_left' : await repairOne(deps, schema, inconsistency);
		if (outcome === 'gone') continue;
		const left = outcome === 'repaired' ? null : outcome;
		if (kind === 'wrong_reference' && left !== null) wronglyReferenced.add(inconsistency.varId);
		yield { inconsistency, left };
	}
}

/** Repairs one inconsistency. `gone`: it was repaired meanwhile. */
async function repairOne(
	deps: WriteDeps,
	schema: string,
	inconsistency: Inconsistency,
): Promise<'repaired' | 'gone' | UnrepairedReason> {
	if (inconsistency.kind === 'undefined_bit') return 'needs_person';
	try {
		return (await repair(deps, schema, inconsistency)) ? 'repaired' : 'gone';
	} catch (error) {
		// It was saved anew meanwhile.
		if (error instanceof DomainError && error.code === 'version_mismatch') return 'gone';
		if (error instanceof DomainError && (error.code === 'too_large' || error.code === 'write_contention')) return error.code;
		throw error;
	}
}

/** Returns whether there was something to repair. */
function repair(
	deps: WriteDeps,
	schema: string,
	inconsistency: Exclude<Inconsistency, { readonly kind: 'undefined_bit' }>,
): Promise<boolean> {
	switch (inconsistency.kind) {
		case 'wrong_counters':
			return correctCounters(deps, schema, inconsistency.actual.lastId);
		case 'unread_row':
			return setAside(deps, schema, inconsistency);
		case 'wrong_reference':
		case 'missing_variable':
			return runTransaction(deps, schema, noRecord, (read) => decideReference(read, inconsistency, deps.now()));
		case 'unfinished_deletion':
			return deleteVariable(deps, schema, inconsistency.varId);
	}
}

/**
 * Deletes a row that cannot be read, as a client would. What was stored stays in the journal of changes, from where it comes back.
 * @throws DomainError `version_mismatch` when the row was saved anew
 */
function setAside(
	deps: WriteDeps,
	schema: string,
	{ key, version }: Extract<Inconsistency, { readonly kind: 'unread_row' }>,
): Promise<boolean> {
	if (key.kind === 'variable') return deleteVariable(deps, schema, key.id, [version]);
	if (key.kind !== 'panel') return deleteBoard(deps, schema, key, [version]);
	return runTransaction(deps, schema, noRecord, async (read) => {
		const stored = (await read([key])).get(key);
		return stored?.unread === undefined ? unchanged : { changes: [{ key, row: null }], answer: true };
	});
}

/**
 * Counts the variables and boards at one revision and stores the counts on condition of that revision.
 * @param lastId the highest id when the inconsistency was found; its row may be deleted since, and its id must not be assigned again
 */
function correctCounters(deps: WriteDeps, schema: string, lastId: number): Promise<boolean> {
	return retryAfterWrites(deps.pause, async () => {
		const stored = await readStoredSchema(deps, schema);
		const { metadata, variables } = stored;
		const wrong = wrongCountersOf(stored);
		if (wrong === null && metadata.lastId >= lastId) return false;
		const correction = {
			expectedRevision: metadata.revision,
			variables: variables.length,
			boards: countsOfBoards(stored.boards),
			lastId: Math.max(lastId, wrong?.actual.lastId ?? 0),
		};
		const outcome = await deps.store.correctMetadata(schema, correction);
		// Null: the schema changed meanwhile, so it is counted again.
		return outcome === 'committed' ? true : null;
	});
}

/**
 * Decides how to repair a reference from one board to one variable. When the variable is missing, the board loses the reference;
 * otherwise the variable's `referencedBy` gets what the board holds.
 */
async function decideReference(
	read: ReadRows,
	{ board: boardText, varId }: { readonly board: string; readonly varId: number },
	now: number,
): Promise<Decision<boolean>> {
	// `referencedBy` may hold a text that is not the key of a board: then there is no board.
	const boardKey = parseBoardKey(boardText);
	const key = variableKey(varId);
	const rows = await read(boardKey === null ? [key] : [boardKey, key]);
	const board = boardKey === null ? null : rows.get(boardKey);
	const bits = board === null ? undefined : bitsByVariable(referencesOf(board.board)).get(varId);
	const variable = rows.get(key);
	if (variable !== null) {
		const row = withReference(variable, boardText, bits);
		return row === null ? unchanged : { changes: [{ key, row }], answer: true };
	}
	if (boardKey === null || board === null || bits === undefined) return unchanged;
	const change = { now, user: null, unit: null, comment: 'Its variable does not exist.' };
	// An alarm is deleted with its reference. Boards of other kinds have no event.
	const events = definitionEvents('deleted', board, change);
	return { changes: [{ key: boardKey, row: boardRowWithout(board, varId) }], events, answer: true };
}
