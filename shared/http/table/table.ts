import type { Calendar } from '#domain/calendar/bounds.ts';
import { dateOfDay } from '#domain/calendar/days.ts';
import { localIsoTime } from '#domain/calendar/local-time.ts';
import { titleOf } from '#domain/csv.ts';

/** How a column is written: `time` and `date` hold epoch milliseconds, of which a date shows only the local day that begins then. */
export const columnTypes = ['text', 'number', 'time', 'date'] as const;

/** A column of a table. */
export interface TableColumn {
	/** The name of its field in JSON. */
	readonly key: string;
	readonly name: string;
	/** Empty where there is none. */
	readonly unit: string;
	readonly type: (typeof columnTypes)[number];
	/** With how many decimals a spreadsheet shows its numbers; files hold all digits. */
	readonly decimals?: number | undefined;
}

/** A cell: text, a number, epoch milliseconds, or nothing. */
export type TableCell = string | number | null;

/** A table as an address answers it, before it is written as JSON, CSV or a workbook. */
export interface Table {
	/** The name of its file, without the extension: `report-46`. */
	readonly name: string;
	/** The calendar of its times and dates. */
	readonly calendar: Calendar;
	readonly columns: readonly TableColumn[];
	/** Each row has a cell for each column. */
	readonly rows: readonly (readonly TableCell[])[];
}

/** Returns the JSON form of a table: a row is an object. */
export function tableToJson(table: Table) {
	const keys = distinct(table.columns.map(({ key }) => key));
	return {
		timeZone: table.calendar.zone.name,
		columns: table.columns.map(({ name, unit, type }, index) => ({ key: keys[index] ?? '', name, unit, type })),
		data: table.rows.map((row) =>
			Object.fromEntries(row.map((cell, index) => [keys[index] ?? '', shownCell(table, index, cell)])),
		),
	};
}

/** Returns the headings of a table, all different: `Level [m]`. */
export function headingsOf({ columns }: Table): readonly string[] {
	return distinct(columns.map(({ name, unit }) => titleOf(name, unit)));
}

/** Returns a cell as text files have it: a time with its offset, a date as `2026-11-20`. */
export function shownCell({ columns, calendar }: Table, index: number, cell: TableCell): TableCell {
	const type = columns[index]?.type;
	if (typeof cell !== 'number' || type === 'number' || type === 'text') return cell;
	return type === 'date' ? dateOfDay(cell, calendar) : localIsoTime(cell, calendar.zone);
}

/** Gives repeated names a number: `Level`, `Level 2`. */
function distinct(names: readonly string[]): readonly string[] {
	const taken = new Set<string>();
	return names.map((name) => {
		let free = name;
		for (let count = 2; taken.has(free); count += 1) free = `${name} ${count}`;
		taken.add(free);
		return free;
	});
}
