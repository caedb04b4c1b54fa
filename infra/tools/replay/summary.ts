import type { Plan, RowFault } from './csv-samples.ts';
import type { Refusal } from './refusal.ts';

/** What became of a replay so far. */
export interface Outcome {
	/** Rows of which points were sent. */
	rows: number;
	/** Points that the server took. */
	points: number;
	readonly skippedRows: Record<RowFault, { count: number; example: string | undefined }>;
	/** What the server refused, by its own words. */
	readonly refusals: Map<string, Refusal>;
}

export function emptyOutcome(): Outcome {
	return {
		rows: 0,
		points: 0,
		skippedRows: { time: { count: 0, example: undefined }, 'no numbers': { count: 0, example: undefined } },
		refusals: new Map(),
	};
}

/** A count with its noun: `1 row`, `2,089 rows`. */
export function pluralize(number: number, noun: string): string {
	return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

/** What was sent, and what was skipped and why: a line each. */
export function summaryLines(plan: Plan, { rows, points, skippedRows, refusals }: Outcome): string[] {
	// Which points the server refused it does not say: only where it took none is nothing sent for certain.
	const sentRows = points === 0 ? 0 : rows;
	const sentColumns = points === 0 ? 0 : plan.columns.filter((column) => column.points > 0).length;
	const skippedColumns = plan.skipped.length + plan.columns.length - sentColumns;
	const { time, 'no numbers': noNumbers } = skippedRows;
	const refused = [...refusals.values()];
	const refusedPoints = refused.reduce((sum, refusal) => sum + refusal.points, 0);
	const lines = columnLines(plan);
	if (time.count > 0) lines.push(`${pluralize(time.count, 'row')}: the time cannot be read${quoted(time.example)}`);
	if (noNumbers.count > 0) lines.push(`${pluralize(noNumbers.count, 'row')}: no cell is a number`);
	for (const refusal of refused)
		lines.push(`${refusal.atMost ? 'up to ' : ''}${pluralize(refusal.points, 'point')} refused by the server: ${refusal.words}`);
	if (refused.some(({ words }) => words.includes('retention'))) lines.push('(--shift-to-now moves the newest row to now)');
	const skippedRowCount = time.count + noNumbers.count + rows - sentRows;
	return [
		`Sent ${pluralize(sentRows, 'row')}, ${pluralize(points, 'point')}, ${pluralize(sentColumns, 'column')}.`,
		`Skipped ${pluralize(skippedRowCount, 'row')}, ${pluralize(refusedPoints, 'point')}, ${pluralize(skippedColumns, 'column')}${lines.length > 0 ? ':' : '.'}`,
		...lines.map((line) => `  ${line}`),
	];
}

function columnLines({ columns, skipped }: Plan): string[] {
	const lines = skipped.map(({ position, name, reason }) => `column ${name === '' ? position : name}: ${reason}`);
	for (const { name, points, emptyCells, otherCells, example } of columns) {
		if (points === 0) lines.push(`column ${name}: ${otherCells === 0 ? 'every cell is empty' : `not numeric${quoted(example)}`}`);
		else {
			if (emptyCells > 0) lines.push(`${pluralize(emptyCells, 'cell')} of column ${name}: empty`);
			if (otherCells > 0) lines.push(`${pluralize(otherCells, 'cell')} of column ${name}: not a number${quoted(example)}`);
		}
	}
	return lines;
}

const quoted = (text: string | undefined): string =>
	text === undefined ? '' : ` (such as ${JSON.stringify(text.slice(0, 60))})`;
