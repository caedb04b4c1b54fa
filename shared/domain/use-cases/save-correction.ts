import { type Board, boardOf } from '../board/board.ts';
import { type Correction, spanOfCorrection } from '../board/correction.ts';
import { signedContent } from '../board/signed-content.ts';
import type { BoardRow } from '../ports/schema-store.ts';
import type { VersionMatch } from '../transaction/checks.ts';
import { variableKey } from '../transaction/read-set.ts';
import type { IdempotencyRecordFactory, WriteDeps } from '../transaction/run-transaction.ts';
import { checkStartIsPast, ValidationIssues } from '../validation/parse.ts';
import { problem } from '../validation/problem.ts';
import { type NextBoard, previewBoard, saveBoard } from './save-board.ts';

/**
 * Saves a correction as `saveBoard` does, with its author and the time of the save (shared/domain/totals/README.md#corrections).
 * @throws DomainError `invalid` also where it begins in the future, or exchanges the meter of a formula; and as `saveBoard`
 */
export async function saveCorrection(
	deps: WriteDeps,
	schema: string,
	correction: Board,
	match: VersionMatch = null,
	createRecord?: IdempotencyRecordFactory<BoardRow>,
): Promise<BoardRow> {
	return saveBoard(deps, schema, correction, match, createRecord, async (next) => ({ row: signed(deps, next), events: [] }));
}

/**
 * Returns the row that `saveCorrection` would store, and stores nothing. A new correction keeps the id 0.
 * @throws DomainError as `saveCorrection`
 */
export async function previewCorrection(
	deps: WriteDeps,
	schema: string,
	correction: Board,
	match: VersionMatch,
): Promise<BoardRow> {
	return signed(deps, await previewBoard(deps, schema, correction, match));
}

/** Adds an issue when a correction does not begin before `now` (epoch milliseconds): what was not measured yet cannot be wrong. */
export function checkStart(correction: Correction, now: number, issues: ValidationIssues): void {
	checkStartIsPast(issues, correction.type === 'exchange' ? 'at' : 'from', spanOfCorrection(correction).start, now);
}

/** Returns the row with author and time. */
function signed(deps: WriteDeps, { rows, stored, row }: NextBoard): BoardRow {
	const { board } = row;
	if (board.kind !== 'correction') throw new RangeError('Only a correction is signed.');
	const { content } = board;
	const issues = new ValidationIssues();
	const isFormula = rows.get(variableKey(content.varId))?.variable.calc === true;
	checkStart(content, deps.now(), issues);
	if (content.type === 'exchange' && isFormula)
		issues.add('type', problem('formula_has_no_counter', 'A calculated variable has no counter: correct its inputs.'));
	issues.throwIfAny();
	const before = stored?.board.kind === 'correction' ? stored.board.content : null;
	return { ...row, board: boardOf('correction', signedContent(deps, content, before)) };
}
