import { numberOf } from '#domain/equation/token.ts';
import { ReplayFailure } from './failure.ts';
import { parseTime } from './time.ts';

/** One value to send. */
export interface DataPoint {
	readonly topic: string;
	readonly field: string;
	readonly value: number;
	/** Epoch milliseconds. */
	readonly timeMs: number;
}

/** Which series a CSV's columns are: `{column}` in topic or field stands for the column's name. */
export interface Mapping {
	readonly timeColumn: string;
	readonly topic: string;
	readonly field: string;
}

/** A column that is sent, and what became of its cells so far. */
export interface ColumnTally {
	readonly name: string;
	readonly index: number;
	readonly topic: string;
	readonly field: string;
	points: number;
	emptyCells: number;
	otherCells: number;
	/** The first cell that was neither empty nor a number. */
	example: string | undefined;
}

/** Where a CSV's time is, and what is sent of it. */
export interface Plan {
	readonly timeIndex: number;
	readonly columns: readonly ColumnTally[];
	/** Columns that cannot be sent whatever they hold: their position from 1, and why. */
	readonly skipped: readonly { readonly position: number; readonly name: string; readonly reason: string }[];
}

/** What of a row cannot be sent: its time, or all of it where no cell is a number. */
export type RowFault = 'time' | 'no numbers';

const placeholder = '{column}';

/**
 * Decides from a CSV's first row what is sent: every column that has a name, except the time.
 * Throws ReplayFailure without the time column, naming those that exist, or where several columns would be one series.
 */
export function planColumns(header: readonly string[], { timeColumn, topic, field }: Mapping): Plan {
	const names = header.map((name) => name.trim());
	const timeIndex = names.indexOf(timeColumn.trim());
	const known = names.filter((name) => name !== '');
	if (timeIndex < 0) {
		const existing = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
		throw new ReplayFailure(`The file has no column ${timeColumn}: ${existing}.`);
	}
	const columns: ColumnTally[] = [];
	const skipped: Plan['skipped'][number][] = [];
	const seen = new Set<string>();
	for (const [index, name] of names.entries()) {
		if (index === timeIndex) continue;
		const tally = { name, index, topic: filled(topic, name), field: filled(field, name) };
		const reason =
			(name === '' ? 'it has no name' : undefined) ??
			(seen.has(name) || name === names[timeIndex] ? 'an earlier column has the same name' : undefined) ??
			unwritable(tally.topic) ??
			unwritable(tally.field);
		if (reason === undefined) columns.push({ ...tally, points: 0, emptyCells: 0, otherCells: 0, example: undefined });
		else skipped.push({ position: index + 1, name, reason });
		seen.add(name);
	}
	if (columns.length > 1 && !topic.includes(placeholder) && !field.includes(placeholder))
		throw new ReplayFailure(`The topic needs ${placeholder} in it: ${columns.length} columns would be one series.`);
	return { timeIndex, columns, skipped };
}

/**
 * The points of one row, every number a float's; the cells are counted in the plan's columns.
 * @param shiftMs added to the row's time
 */
export function pointsOf(plan: Plan, row: readonly string[], shiftMs: number): readonly DataPoint[] | RowFault {
	const timeMs = parseTime(row[plan.timeIndex] ?? '');
	if (timeMs === null) return 'time';
	const points: DataPoint[] = [];
	for (const column of plan.columns) {
		const cell = (row[column.index] ?? '').trim();
		const value = numberOf(cell);
		if (value !== null) {
			column.points += 1;
			points.push({ topic: column.topic, field: column.field, value, timeMs: timeMs + shiftMs });
		} else if (cell === '') column.emptyCells += 1;
		else {
			column.otherCells += 1;
			column.example ??= cell;
		}
	}
	return points.length === 0 ? 'no numbers' : points;
}

const filled = (pattern: string, column: string): string => pattern.split(placeholder).join(column);

/** Why line protocol cannot carry a topic or field as it is, undefined where it can. */
function unwritable(name: string): string | undefined {
	if (/\p{Cc}/u.test(name)) return 'its name holds a control character';
	if (name.endsWith('\\')) return 'its name ends in a backslash, which line protocol cannot say';
	if (name.startsWith('#')) return 'its topic would begin with #, which line protocol reads as a comment';
	return undefined;
}
