import { type Board, boardOf } from '../board/board.ts';
import { signedContent } from '../board/signed-content.ts';
import type { BoardRow } from '../ports/schema-store.ts';
import { findReport } from '../report/load-report.ts';
import type { VersionMatch } from '../transaction/checks.ts';
import type { IdempotencyRecordFactory, WriteDeps } from '../transaction/run-transaction.ts';
import { ValidationIssues } from '../validation/parse.ts';
import { problem } from '../validation/problem.ts';
import { saveBoard } from './save-board.ts';

/**
 * Saves an entry as `saveBoard` does, with its author and the time of the save (shared/domain/report/ENTRIES.md). Nothing else
 * guards its report: whoever deletes that one meanwhile leaves an entry that nobody reads until the report is restored.
 * @throws DomainError `not_found` also where there is no such report; `invalid` also where it has no such line; and as `saveBoard`
 */
export async function saveEntry(
	deps: WriteDeps,
	schema: string,
	entry: Board,
	match: VersionMatch = null,
	createRecord?: IdempotencyRecordFactory<BoardRow>,
): Promise<BoardRow> {
	return saveBoard(deps, schema, entry, match, createRecord, async ({ stored, row }) => {
		const { board } = row;
		if (board.kind !== 'entry') throw new RangeError('A saver of entries saves no other board.');
		const { reportId, key } = board.content;
		const { report } = await findReport(deps, schema, reportId);
		const issues = new ValidationIssues();
		if (!report.lines.some((line) => line.key === key && line.function === 'entered'))
			issues.add('key', problem('no_entered_line', 'Must be the key of a line of the report that is entered.', { key }));
		issues.throwIfAny();
		const before = stored?.board.kind === 'entry' ? stored.board.content : null;
		return { row: { ...row, board: boardOf('entry', signedContent(deps, board.content, before)) }, events: [] };
	});
}
