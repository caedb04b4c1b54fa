import type { Board } from '../board/board.ts';
import type { Report } from '../board/report.ts';
import { calendarOf, startOfDay } from '../calendar/days.ts';
import type { BoardRow } from '../ports/schema-store.ts';
import { loadLines, type ReportTenant } from '../report/load-report.ts';
import { type CorrectedLine, withCorrections } from '../totals/apply-corrections.ts';
import { evaluateStates } from '../totals/evaluate-lines.ts';
import { checkLinesFit, type DefinedLines, readWindows, type TotalsDeps, withVariables } from '../totals/read-windows.ts';
import { totalsLineOf } from '../totals/totals-request.ts';
import type { VersionMatch } from '../transaction/checks.ts';
import { type ReadSet, variableKey } from '../transaction/read-set.ts';
import { type IdempotencyRecordFactory, noRecord, runTransaction, type WriteDeps } from '../transaction/run-transaction.ts';
import { nextBoard, saveBoard } from './save-board.ts';

/**
 * Saves a report as `saveBoard` does, and binds it to the tenant's database: the task that stores its days reads that one.
 * @throws DomainError `invalid` also where a line does not fit its variable; and as `saveBoard`
 */
export async function saveReport(
	deps: WriteDeps,
	{ schema, database }: ReportTenant,
	report: Board,
	match: VersionMatch = null,
	createRecord?: IdempotencyRecordFactory<BoardRow>,
): Promise<BoardRow> {
	return saveBoard(deps, schema, report, match, createRecord, async ({ rows, row }) => {
		checkLinesFit(linesIn(row, rows));
		return { row: { ...row, database }, events: [] };
	});
}

/** A report as it would be stored, and the numbers that it would have for yesterday. */
export interface TriedReport {
	readonly row: BoardRow;
	readonly bounds: readonly number[];
	readonly lines: readonly CorrectedLine[];
}

/**
 * Counts the numbers that a report would have for yesterday, and stores nothing. A new report keeps the id 0.
 * @throws DomainError as `saveReport`, and `too_large` when the day has too many samples
 */
export async function tryReport(
	deps: WriteDeps & TotalsDeps,
	tenant: ReportTenant,
	sent: Board,
	match: VersionMatch,
): Promise<TriedReport> {
	const row = await runTransaction(deps, tenant.schema, noRecord, async (read) => {
		const next = await nextBoard(read, sent, { isNew: sent.content.id === 0, match });
		checkLinesFit(linesIn(next.row, next.rows));
		return { changes: [], answer: next.row };
	});
	const report = reportIn(row);
	const { calendar, defined } = await loadLines(deps, tenant, report);
	const bounds = [startOfDay(deps.now(), calendar, { daysLater: -1 }), startOfDay(deps.now(), calendar)];
	// A report without lines has no numbers in its one window.
	const windows = report.lines.length === 0 ? [new Map()] : await readWindows(deps, tenant, defined, bounds);
	const range = { start: bounds[0] ?? 0, stop: bounds[1] ?? 0 };
	return { row, bounds, lines: withCorrections(evaluateStates(defined.lines, windows), defined, range) };
}

function reportIn({ board }: BoardRow): Report {
	if (board.kind !== 'report') throw new RangeError('A saver of reports saves no other board.');
	return board.content;
}

/** Returns the lines of a report with their variables, whose rows were read. */
function linesIn(row: BoardRow, rows: ReadSet): DefinedLines {
	const report = reportIn(row);
	const { zone } = calendarOf(report);
	const lines = report.lines.map((line) => totalsLineOf(line, zone));
	return withVariables(lines, (varId) => rows.get(variableKey(varId))?.variable);
}
