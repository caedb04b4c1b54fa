import type { Board } from '../board/board.ts';
import { calendarOf, startOfDay } from '../calendar/days.ts';
import type { BoardRow } from '../ports/schema-store.ts';
import type { ReportDeps, ReportTenant } from '../report/load-report.ts';
import { type References, readReferences } from '../report/reference-nights.ts';
import { checkLinesFit, withVariables } from '../totals/read-windows.ts';
import { type TotalsRequest, totalsLineOf } from '../totals/totals-request.ts';
import type { VersionMatch } from '../transaction/checks.ts';
import { variableKey } from '../transaction/read-set.ts';
import type { IdempotencyRecordFactory, WriteDeps } from '../transaction/run-transaction.ts';
import { readTotals, type Totals } from './read-totals.ts';
import { type NextBoard, previewBoard, saveBoard } from './save-board.ts';

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
	return saveBoard(deps, schema, report, match, createRecord, async (next) => {
		checkFit(next);
		return { row: { ...next.row, database }, events: [] };
	});
}

/** A report as it would be stored, and the numbers that it would have for yesterday. */
export interface TriedReport extends Totals {
	readonly row: BoardRow;
	readonly references: References;
}

/**
 * Counts the numbers that a report would have for yesterday, and stores nothing. A new report keeps the id 0.
 * @throws DomainError as `saveReport`, and `too_large` when the day has too many samples
 */
export async function tryReport(
	deps: WriteDeps & ReportDeps,
	{ schema, database }: ReportTenant,
	sent: Board,
	match: VersionMatch,
): Promise<TriedReport> {
	const next = await previewBoard(deps, schema, sent, match);
	checkFit(next);
	const { calendar, ...asked } = linesIn(next.row);
	const range = { start: startOfDay(deps.now(), calendar, { daysLater: -1 }), stop: startOfDay(deps.now(), calendar) };
	const { board } = next.row;
	// Days of a report that is not stored are counted.
	const references =
		board.kind === 'report' ? await readReferences(deps, { schema, database }, board.content, deps.now()) : new Map();
	return {
		row: next.row,
		references,
		...(await readTotals(deps, schema, database, { ...asked, calendar, range, period: undefined })),
	};
}

/** Checks that the lines of a report fit their variables, whose rows were read. @throws DomainError as `checkLinesFit` */
function checkFit({ row, rows }: NextBoard): void {
	checkLinesFit(withVariables(linesIn(row).lines, (varId) => rows.get(variableKey(varId))?.variable));
}

/** Returns the lines of a report, and how its days are counted. */
function linesIn({ board }: BoardRow): Pick<TotalsRequest, 'lines' | 'calendar' | 'dayStart'> {
	if (board.kind !== 'report') throw new RangeError('A saver of reports saves no other board.');
	const calendar = calendarOf(board.content);
	const lines = board.content.lines.map((line) => totalsLineOf(line, calendar));
	return { lines, calendar, dayStart: board.content.dayStart };
}
