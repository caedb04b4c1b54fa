import { calendarOf } from '#domain/calendar/days.ts';
import type { History, HistoryColumn, VariableHistory } from '#domain/history/history.ts';
import { type HistoryAggregate, isValue } from '#domain/history/history-aggregates.ts';
import type { Reading } from '#domain/reading/reading.ts';
import { isOfDays } from './counted-table.ts';
import type { Table, TableCell, TableColumn } from './table.ts';
import type { TableOptions } from './table-request.ts';
import { type FilledColumn, windowsTable } from './windows-table.ts';

/** What decides the columns of a table of histories. */
interface HistoryColumns extends Pick<TableOptions, 'columns'> {
	readonly aggregates: readonly HistoryAggregate[];
}

/** Returns the table of histories: a row for each window, a column for each aggregate of each variable, in the order of the request. */
export function historyTable(history: History, asked: HistoryColumns): Table {
	const { bounds, period, variables } = history;
	const windows = { bounds, calendar: calendarOf(history), hasDates: isOfDays(period), hasEnds: asked.columns === 'all' };
	return windowsTable(
		'history',
		windows,
		variables.flatMap((variable) => historyColumns(variable, asked)),
	);
}

/**
 * Returns the columns of a variable, and with `all` the quality of each: why a window has no value, or the quality of the range. An empty
 * window is never good.
 */
function historyColumns(
	{ id, name, unit, quality, columns: read }: VariableHistory,
	{ aggregates, columns }: HistoryColumns,
): readonly FilledColumn[] {
	return aggregates.flatMap((aggregate): FilledColumn[] => {
		const { values, faults } = read.get(aggregate) ?? noColumn;
		const key = `${id}.${aggregate}`;
		const title = `${name ?? id}${aggregate === 'own' ? '' : ` ${aggregate}`}`;
		const numbers = { key, name: title, unit: isValue(aggregate) ? (unit ?? '') : '', type: 'number', cells: values } as const;
		if (columns === 'value') return [numbers];
		const empty = quality === 'good' ? 'no_data' : quality;
		const cells = values.map((value, window) => faults.get(window) ?? (value === null ? empty : quality));
		return [numbers, { key: `${key}.quality`, name: `${title} quality`, unit: '', type: 'text', cells }];
	});
}

/** The column of an aggregate that a variable cannot have: it stays empty. */
const noColumn: HistoryColumn = { values: [], faults: new Map() };

/** The columns of readings. */
const readingColumns = [
	{ key: 'id', name: 'Id', unit: '', type: 'number' },
	{ key: 'name', name: 'Name', unit: '', type: 'text' },
	{ key: 'value', name: 'Value', unit: '', type: 'number' },
	{ key: 'unit', name: 'Unit', unit: '', type: 'text' },
	{ key: 'time', name: 'Time', unit: '', type: 'time' },
	{ key: 'quality', name: 'Quality', unit: '', type: 'text' },
] as const satisfies readonly TableColumn[];

/** Returns the table of readings: a row for each variable. Of a variable that reads a history it has the newest point. */
export function readingsTable(
	readings: readonly Reading[],
	{ columns, timeZone }: Pick<TableOptions, 'columns'> & { readonly timeZone: string },
): Table {
	const others = [
		{ key: 'on', name: 'Bits that are on', unit: '', type: 'text' },
		{ key: 'reason', name: 'Reason', unit: '', type: 'text' },
	] as const;
	const rows = readings.map(({ id, name, unit, content, quality, bits, reason }): TableCell[] => {
		const [time, value] = content.type === 'last' ? [content.time, content.value] : (content.series.at(-1) ?? [null, null]);
		return [id, name, value, unit, time, quality, ...(columns === 'all' ? [bitsOn(bits), reason?.code ?? null] : [])];
	});
	return {
		name: 'readings',
		calendar: calendarOf({ timeZone, dayStart: '00:00' }),
		columns: [...readingColumns, ...(columns === 'all' ? others : [])],
		rows,
	};
}

/** Returns the names of the bits that are on, `none` where all are off; null where the byte is unknown, or the variable has no bits. */
function bitsOn(bits: Reading['bits']): string | null {
	if (bits === null || bits.some(({ value }) => value === null)) return null;
	const on = bits.flatMap(({ name, value }) => (value === 1 ? [name] : []));
	return on.length === 0 ? 'none' : on.join(', ');
}
