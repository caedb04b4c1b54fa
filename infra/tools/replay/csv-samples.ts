import { parseNumber } from '#domain/equation/token.ts';
import { ConfigError } from '#shared/config.ts';
import { type CellTimeReader, parseTime } from './time.ts';

/** One value to send. */
export interface DataPoint {
	readonly topic: string;
	readonly field: string;
	readonly value: number;
	/** Epoch milliseconds. */
	readonly timeMs: number;
}

/** How columns become series. In topic and field, `{column}` stands for the name of the column. */
export interface ColumnMapping {
	readonly timeColumn: string;
	readonly topic: string;
	readonly field: string;
	/** Default: `parseTime`. */
	readonly readTime?: CellTimeReader;
}

/** A column that is sent, with the numbers of its cells so far. */
export interface SentColumn {
	readonly name: string;
	readonly index: number;
	readonly topic: string;
	readonly field: string;
	/** Cells that are numbers. */
	points: number;
	/** Cells that are not numbers. */
	skipped: number;
	/** The first cell that is neither empty nor a number. */
	example: string | undefined;
}

/** The columns of a CSV file, sorted into the time, those that are sent and those that cannot be sent. */
export interface ColumnPlan {
	readonly timeIndex: number;
	readonly readTime: CellTimeReader;
	readonly columns: readonly SentColumn[];
	/** `position` counts from 1. */
	readonly skipped: readonly { readonly position: number; readonly name: string; readonly reason: string }[];
}

const placeholder = '{column}';

/** A character of Unicode's category of control characters. */
const controlCharacter = /\p{Cc}/u;

/**
 * Plans from the header which columns are sent: all that have a name, except the time.
 * @throws ConfigError when the time column is missing, or when several columns would become one series
 */
export function planColumns(
	header: readonly string[],
	{ timeColumn, topic, field, readTime = (cell) => parseTime(cell) }: ColumnMapping,
): ColumnPlan {
	const names = header.map((name) => name.trim());
	const timeIndex = names.indexOf(timeColumn.trim());
	if (timeIndex < 0) {
		const existing = names.filter((name) => name !== '').join(', ');
		throw new ConfigError(`The file has no column ${timeColumn}: it has ${existing === '' ? 'none' : existing}.`);
	}
	const columns: SentColumn[] = [];
	const skipped: ColumnPlan['skipped'][number][] = [];
	for (const [index, name] of names.entries()) {
		if (index === timeIndex) continue;
		const column = {
			name,
			index,
			topic: topic.replaceAll(placeholder, () => name),
			field: field.replaceAll(placeholder, () => name),
		};
		const isRepeated = names.indexOf(name) < index;
		const reason = nameProblem(name, { isRepeated }) ?? lineProtocolProblem(column.topic) ?? lineProtocolProblem(column.field);
		if (reason === undefined) columns.push({ ...column, points: 0, skipped: 0, example: undefined });
		else skipped.push({ position: index + 1, name, reason });
	}
	if (columns.length > 1 && !topic.includes(placeholder) && !field.includes(placeholder))
		throw new ConfigError(`The topic needs ${placeholder} in it: ${columns.length} columns would be one series.`);
	return { timeIndex, readTime, columns, skipped };
}

function nameProblem(name: string, { isRepeated }: { readonly isRepeated: boolean }): string | undefined {
	if (name === '') return 'it has no name';
	return isRepeated ? 'an earlier column has the same name' : undefined;
}

/**
 * Returns the points of a row, and counts its cells in the columns of the plan.
 * @param timeMs the row's time, epoch milliseconds
 */
export function pointsOf({ columns }: ColumnPlan, row: readonly string[], timeMs: number): readonly DataPoint[] {
	return columns.flatMap((column) => {
		const cell = (row[column.index] ?? '').trim();
		const value = parseNumber(cell);
		if (Number.isFinite(value)) {
			column.points += 1;
			return [{ topic: column.topic, field: column.field, value, timeMs }];
		}
		column.skipped += 1;
		if (cell !== '') column.example ??= cell;
		return [];
	});
}

/** Returns the time of a row in epoch milliseconds, or null when it cannot be read. */
export function timeOf({ timeIndex, readTime }: ColumnPlan, row: readonly string[]): number | null {
	return readTime(row[timeIndex] ?? '');
}

/** Why InfluxDB's line protocol cannot hold a topic or a field, or undefined when it can. */
function lineProtocolProblem(name: string): string | undefined {
	if (controlCharacter.test(name)) return 'its name holds a control character';
	if (name.endsWith('\\')) return 'its name ends in a backslash, which line protocol cannot hold';
	if (name.startsWith('#')) return 'its topic would begin with #, which line protocol reads as a comment';
	return undefined;
}
