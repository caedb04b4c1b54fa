import { pluralize } from '#infra/cli/pluralize.ts';
import type { ColumnPlan } from './csv-samples.ts';
import type { RefusedPoints } from './sender.ts';

/** Counts of a replay so far. */
export interface ReplayTotals {
	/** Rows of which points were sent. */
	rows: number;
	/** Points that the server took. */
	points: number;
	/** Rows whose time cannot be read. */
	untimedRows: number;
	/** The first time that cannot be read. */
	untimedExample: string | undefined;
	/** Rows without a number. */
	numberlessRows: number;
	/** Refused points by the server's message. */
	readonly refused: Map<string, RefusedPoints>;
}

/** Returns the counts of a replay that has not begun. */
export function newTotals(): ReplayTotals {
	return { rows: 0, points: 0, untimedRows: 0, untimedExample: undefined, numberlessRows: 0, refused: new Map() };
}

/** The most characters of a cell that are printed. */
const maxQuotedLength = 60;

/** Quotes the beginning of a cell. */
export function quoted(cell: string): string {
	return JSON.stringify(cell.slice(0, maxQuotedLength));
}

/** Returns the lines that say what was sent, and what was skipped and why. */
export function summaryLines(plan: ColumnPlan, totals: ReplayTotals): readonly string[] {
	// The server does not say which points it refused, so rows count as sent unless it refused all points.
	const sentRows = totals.points === 0 ? 0 : totals.rows;
	const sentColumns = totals.points === 0 ? 0 : plan.columns.filter((column) => column.points > 0).length;
	const { untimedRows, numberlessRows } = totals;
	const refused = [...totals.refused.values()];
	const skippedRows = untimedRows + numberlessRows + totals.rows - sentRows;
	const skippedPoints = refused.reduce((sum, { points }) => sum + points, 0);
	const skippedColumns = plan.skipped.length + plan.columns.length - sentColumns;
	const reasons = columnReasons(plan);
	if (untimedRows > 0) reasons.push(`${pluralize(untimedRows, 'row')}: the time cannot be read${example(totals.untimedExample)}`);
	if (numberlessRows > 0) reasons.push(`${pluralize(numberlessRows, 'row')}: no cell is a number`);
	for (const { points, isUpperBound, message } of refused)
		reasons.push(`${isUpperBound ? 'up to ' : ''}${pluralize(points, 'point')} refused by the server: ${message}`);
	if (refused.some(({ message }) => message.includes('retention'))) reasons.push('(--shift-to-now moves the newest row to now)');
	return [
		`Sent ${countsText(sentRows, totals.points, sentColumns)}.`,
		`Skipped ${countsText(skippedRows, skippedPoints, skippedColumns)}${reasons.length > 0 ? ':' : '.'}`,
		...reasons.map((reason) => `  ${reason}`),
	];
}

const columnReasons = ({ columns, skipped }: ColumnPlan): string[] => [
	...skipped.map(({ position, name, reason }) => `column ${name === '' ? position : name}: ${reason}`),
	...columns
		.filter((column) => column.skipped > 0)
		.map((column) => {
			const cells = column.points === 0 ? 'no cell is a number' : `${pluralize(column.skipped, 'cell')} without a number`;
			return `column ${column.name}: ${cells}${example(column.example)}`;
		}),
];

const countsText = (rows: number, points: number, columns: number): string =>
	[pluralize(rows, 'row'), pluralize(points, 'point'), pluralize(columns, 'column')].join(', ');

const example = (text: string | undefined): string => (text === undefined ? '' : ` (such as ${quoted(text)})`);
