import type { Calendar } from '#domain/calendar/bounds.ts';
import type { TableCell, TableColumn } from './table.ts';

/** A column with its cells, one for each row. */
export interface FilledColumn extends TableColumn {
	readonly cells: readonly TableCell[];
}

/** The windows of a table. */
export interface TableWindows {
	/** n + 1 epoch milliseconds: window i is from bounds[i] to bounds[i + 1]. */
	readonly bounds: readonly number[];
	readonly calendar: Calendar;
	/** Whether windows are days or longer: their beginning is then shown as a date. */
	readonly hasDates: boolean;
	/** Whether their ends have a column. */
	readonly hasEnds: boolean;
}

/** Returns a table with a row for each window: when it begins, then the columns. */
export function windowsTable(
	name: string,
	{ bounds, calendar, hasDates, hasEnds }: TableWindows,
	columns: readonly FilledColumn[],
) {
	const start = { key: 'start', name: 'Start', unit: '', type: hasDates ? 'date' : 'time', cells: bounds.slice(0, -1) } as const;
	const end = { key: 'end', name: 'End', unit: '', type: 'time', cells: bounds.slice(1) } as const;
	const all: readonly FilledColumn[] = [start, ...(hasEnds ? [end] : []), ...columns];
	const rows = start.cells.map((_, row) => all.map(({ cells }) => cells[row] ?? null));
	return { name, calendar, columns: all.map(({ cells: _, ...column }) => column), rows };
}
