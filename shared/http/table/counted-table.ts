import { calendarOf } from '#domain/calendar/days.ts';
import type { ReadReport } from '#domain/report/assemble-report.ts';
import type { CorrectedLine } from '#domain/totals/apply-corrections.ts';
import type { Totals } from '#domain/use-cases/read-totals.ts';
import type { Table } from './table.ts';
import type { TableOptions } from './table-request.ts';
import { type FilledColumn, windowsTable } from './windows-table.ts';

/** How a line is shown: its name, unit and decimals, and what it counts. */
interface LineHead {
	readonly name: string;
	readonly function?: string;
	readonly unit: string;
	readonly decimals?: number | undefined;
}

/** Returns the table of a report: a row for each window, with the state of its days. */
export function reportTable(
	{ report, bounds, states, period, lines }: ReadReport,
	{ columns }: Pick<TableOptions, 'columns'>,
): Table {
	const heads = new Map(report.lines.map((line) => [line.key, line]));
	const windows = { bounds, calendar: calendarOf(report), hasDates: period !== 'hour', hasEnds: columns === 'all' };
	return windowsTable(`report-${report.id}`, windows, [
		{ key: 'state', name: 'State', unit: '', type: 'text', cells: states },
		...lines.flatMap((line) => lineColumns(line, heads.get(line.key) ?? { name: line.key, unit: '' }, columns)),
	]);
}

/** Returns the table of totals: a row for each window. @param heads of the lines, by their keys */
export function totalsTable(
	totals: Totals,
	heads: ReadonlyMap<string, LineHead>,
	{ columns }: Pick<TableOptions, 'columns'>,
): Table {
	const { bounds, period, lines } = totals;
	const windows = { bounds, calendar: calendarOf(totals), hasDates: isOfDays(period), hasEnds: columns === 'all' };
	return windowsTable(
		'totals',
		windows,
		lines.flatMap((line) => lineColumns(line, heads.get(line.key) ?? { name: line.key, unit: '' }, columns)),
	);
}

/** Whether windows are days, months or years. One window over the whole range is of days, too: it begins with one. */
export function isOfDays(period: Totals['period']): boolean {
	return period === null || ['d', 'mo', 'y'].includes(period.unit);
}

/** Returns the columns of a line: its numbers, and with `all` their known share, their bounds and why one is missing. */
function lineColumns(
	{ key, values, faults }: CorrectedLine,
	{ name, unit, decimals, function: lineFunction }: LineHead,
	columns: TableOptions['columns'],
): readonly FilledColumn[] {
	const { windows } = values;
	// A format rounds to the nearest number. A share within limits and bounds would say more than is known, so that they have all of their digits.
	const exact = { unit, type: 'number' } as const;
	const rounded = lineFunction === 'within' ? exact : { ...exact, decimals };
	const value = { key, name, ...rounded, cells: windows.map((each) => each.value) };
	if (columns === 'value') return [value];
	// A fault of the whole range explains the windows without a number.
	const faultsIn = (value: number | null, window: number): string | null => {
		const own = faults.filter((fault) => fault.window === window || (fault.window === undefined && value === null));
		return own.length === 0 ? null : [...new Set(own.map(({ code }) => code))].join(' ');
	};
	return [
		value,
		{ key: `${key}.known`, name: `${name} known`, unit: '', type: 'number', cells: windows.map(({ known }) => known) },
		{ key: `${key}.low`, name: `${name} low`, ...exact, cells: windows.map(({ low }) => low) },
		{ key: `${key}.high`, name: `${name} high`, ...exact, cells: windows.map(({ high }) => high) },
		{
			key: `${key}.fault`,
			name: `${name} fault`,
			unit: '',
			type: 'text',
			cells: windows.map(({ value: number }, window) => faultsIn(number, window)),
		},
	];
}
