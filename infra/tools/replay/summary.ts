import { pluralize } from '#infra/cli/pluralize.ts';
import type { ColumnPlan, SkippedRow } from './csv-samples.ts';
import { quoted } from './quoted.ts';
import type { RefusedPoints } from './sender.ts';

/** Counts of a replay so far. */
export interface ReplayTotals {
	/** Rows of which points were sent. */
	rows: number;
	/** Points that the server took. */
	points: number;
	/** Rows that were not sent by the reason, and the first cell that shows it. */
	readonly skippedRows: Map<string, { rows: number; readonly example: string | undefined }>;
	/** Refused points by the server's message. */
	readonly refused: Map<string, RefusedPoints>;
	/** The server's warnings, without numbers, and the first of each kind. */
	readonly warnings: Map<string, string>;
}

/** Returns the counts of a replay that has not begun. */
export function newTotals(): ReplayTotals {
	return { rows: 0, points: 0, skippedRows: new Map(), refused: new Map(), warnings: new Map() };
}

/** Counts a row that is not sent. */
export function addSkippedRow({ skippedRows }: ReplayTotals, { reason, example: cell }: SkippedRow): void {
	const skipped = skippedRows.get(reason) ?? { rows: 0, example: cell };
	skipped.rows += 1;
	skippedRows.set(reason, skipped);
}

/** Returns the lines that say what was sent, and what was skipped and why. */
export function summaryLines(plan: ColumnPlan, totals: ReplayTotals): readonly string[] {
	// The server does not say which points it refused, so rows count as sent unless it refused all points.
	const sentRows = totals.points === 0 ? 0 : totals.rows;
	const sentColumns = totals.points === 0 ? 0 : plan.columns.filter((column) => column.points > 0).length;
	const refused = [...totals.refused.values()];
	const skippedRows = [...totals.skippedRows.values()].reduce((sum, { rows }) => sum + rows, totals.rows - sentRows);
	const skippedPoints = refused.reduce((sum, { points }) => sum + points, 0);
	const skippedColumns = plan.skipped.length + plan.columns.length - sentColumns;
	const noun = plan.seriesIndex < 0 ? 'column' : 'series';
	const seriesText = (count: number): string => (noun === 'series' ? `${count} series` : pluralize(count, noun));
	const reasons = columnReasons(plan, noun);
	for (const [reason, { rows, example: cell }] of totals.skippedRows)
		reasons.push(`${pluralize(rows, 'row')}: ${reason}${example(cell)}`);
	for (const { points, isUpperBound, message } of refused)
		reasons.push(`${isUpperBound ? 'up to ' : ''}${pluralize(points, 'point')} refused by the server: ${message}`);
	if (refused.some(({ message }) => message.includes('retention'))) reasons.push('(--shift-to-now moves the newest row to now)');
	return [
		`Sent ${countsText(sentRows, totals.points, seriesText(sentColumns))}.`,
		`Skipped ${countsText(skippedRows, skippedPoints, seriesText(skippedColumns))}${reasons.length > 0 ? ':' : '.'}`,
		...reasons.map((reason) => `  ${reason}`),
		...[...totals.warnings.values()].map((warning) => `The server warns: ${warning}.`),
	];
}

const columnReasons = ({ columns, skipped }: ColumnPlan, noun: string): string[] => [
	...skipped.map(({ position, name, reason }) => `${noun} ${name === '' ? position : name}: ${reason}`),
	...columns
		.filter((column) => column.skipped > 0)
		.map((column) => {
			const cells = column.points === 0 ? 'no cell is a number' : `${pluralize(column.skipped, 'cell')} without a number`;
			return `${noun} ${column.name}: ${cells}${example(column.example)}`;
		}),
];

const countsText = (rows: number, points: number, series: string): string =>
	[pluralize(rows, 'row'), pluralize(points, 'point'), series].join(', ');

const example = (text: string | undefined): string => (text === undefined ? '' : ` (such as ${quoted(text)})`);
