import writeWorkbook from 'write-excel-file/node';
import { dateOfDay } from '#domain/calendar/days.ts';
import { localTimeAt } from '#domain/calendar/local-time.ts';
import { type CsvForm, csvText } from '#domain/csv.ts';
import { headingsOf, shownCell, type Table, type TableColumn } from './table.ts';

/** Writes a table as CSV, with its headings. */
export function tableCsv(table: Table, form: CsvForm): string {
	const rows = table.rows.map((row) => row.map((cell, index) => shownCell(table, index, cell)));
	return csvText([headingsOf(table), ...rows], form);
}

/**
 * Writes a table as a workbook of one sheet (Office Open XML). Times are dates of the spreadsheet in local time, because it knows no zones.
 * Text is never a formula.
 */
export async function tableWorkbook(table: Table): Promise<Buffer> {
	const { columns, rows } = table;
	const headings = headingsOf(table);
	const cells = rows.map((row) =>
		row.map((cell, index) => {
			const column = columns[index];
			if (cell === null || column === undefined) return null;
			if (typeof cell === 'string') return { type: String, value: cell };
			if (column.type === 'number' || column.type === 'text') return { type: Number, value: cell, ...formatOf(column) };
			return { type: Date, value: localDate(table, column, cell), ...formatOf(column) };
		}),
	);
	const heads = headings.map((heading) => ({ type: String, value: heading, fontWeight: 'bold' as const }));
	const widths = headings.map((heading) => ({ width: Math.min(Math.max(heading.length + 2, minWidth), maxWidth) }));
	return writeWorkbook([heads, ...cells], { columns: widths, stickyRowsCount: 1, sheet: 'Table' }).toBuffer();
}

/** The width of columns, in characters: a time needs 16. */
const minWidth = 17;
const maxWidth = 60;

/** Returns the format in which a spreadsheet shows a column. */
function formatOf({ type, decimals }: TableColumn): { readonly format?: string } {
	if (type === 'date') return { format: 'yyyy-mm-dd' };
	if (type === 'time') return { format: 'yyyy-mm-dd hh:mm' };
	if (decimals === undefined) return {};
	return { format: decimals === 0 ? '0' : `0.${'0'.repeat(decimals)}` };
}

/** Returns the date whose clock time in UTC is the local one: the library takes dates as UTC. */
function localDate({ calendar }: Table, { type }: TableColumn, time: number): Date {
	return type === 'date' ? new Date(dateOfDay(time, calendar)) : new Date(localTimeAt(time, calendar.zone));
}
