import { ConfigError } from '#shared/config.ts';
import { type DecimalSign, readNumber } from './cell-numbers.ts';
import type { CellTimeReader } from './time.ts';

/** One value to send. */
export interface DataPoint {
	readonly topic: string;
	readonly field: string;
	readonly value: number;
	/** Epoch milliseconds. */
	readonly timeMs: number;
}

/** How columns become series. In topic and field, `{column}` stands for the name of the column, or of the series in `seriesColumn`. */
export interface ColumnMapping {
	readonly timeColumn: string;
	readonly topic: string;
	readonly field: string;
	/** The column that names the series of each row, and the one that holds its value; together. By default each column is a series. */
	readonly seriesColumn?: string | undefined;
	readonly valueColumn?: string | undefined;
	/** The column that says how good a row is. Rows are sent when it has one of `good`, in upper or lower case. */
	readonly qualityColumn?: string | undefined;
	readonly good?: readonly string[] | undefined;
}

/** A series that is sent, with the numbers of its cells so far. */
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
	readonly mapping: ColumnMapping;
	/** The number of columns. */
	readonly width: number;
	readonly timeIndex: number;
	/** -1 where the mapping has no such column. */
	readonly seriesIndex: number;
	readonly valueIndex: number;
	readonly qualityIndex: number;
	/** With a column of series, those of the rows so far; `index` is then their order. */
	readonly columns: SentColumn[];
	/** With a column of series, the names of the rows so far; undefined for one that cannot be sent. */
	readonly series: Map<string, SentColumn | undefined>;
	/** `position` counts from 1. */
	readonly skipped: { readonly position: number; readonly name: string; readonly reason: string }[];
}

/** A row that is not sent: why, and a cell that shows it. */
export interface SkippedRow {
	readonly reason: string;
	readonly example?: string | undefined;
}

const placeholder = '{column}';

/** The reason of rows whose time cannot be read. */
export const unreadableTime = 'the time cannot be read';

/** A character of Unicode's category of control characters. */
const controlCharacter = /\p{Cc}/u;

/**
 * Plans from the header which columns are sent: the one of values, or all that have a name and no other role.
 * @throws ConfigError when a column is missing or there twice, or when several series would become one
 */
export function planColumns(header: readonly string[], mapping: ColumnMapping): ColumnPlan {
	const { timeColumn, seriesColumn, valueColumn, qualityColumn } = mapping;
	if ((seriesColumn === undefined) !== (valueColumn === undefined))
		throw new ConfigError('--series-column and --value-column go together.');
	const names = header.map((name) => name.trim());
	const plan: ColumnPlan = {
		mapping,
		width: names.length,
		timeIndex: positionOf(names, timeColumn),
		seriesIndex: positionOf(names, seriesColumn),
		valueIndex: positionOf(names, valueColumn),
		qualityIndex: positionOf(names, qualityColumn),
		columns: [],
		series: new Map(),
		skipped: [],
	};
	for (const [index, name] of names.entries()) {
		if (seriesColumn !== undefined || index === plan.timeIndex || index === plan.qualityIndex) continue;
		addSeries(plan, name, index, names.indexOf(name) < index ? 'an earlier column has the same name' : undefined);
	}
	const isOne = !mapping.topic.includes(placeholder) && !mapping.field.includes(placeholder);
	if (isOne && (seriesColumn !== undefined || plan.columns.length > 1)) {
		const columns = seriesColumn === undefined ? `${plan.columns.length} columns` : `all series of column ${seriesColumn}`;
		throw new ConfigError(`The topic needs ${placeholder} in it: ${columns} would be one series.`);
	}
	return plan;
}

/** Returns the index of a column, or -1 for none. @throws ConfigError when it is not there, or there twice */
function positionOf(names: readonly string[], column: string | undefined): number {
	if (column === undefined) return -1;
	const index = names.indexOf(column.trim());
	if (names.indexOf(column.trim(), index + 1) > index)
		throw new ConfigError(`The file has the column ${column} twice: give each a name of its own.`);
	if (index >= 0) return index;
	const existing = names.filter((name) => name !== '').join(', ');
	const delimiter = [';', '\t', '|'].find((sign) => names.length === 1 && existing.includes(sign));
	const remedy = delimiter === undefined ? '' : ` It is one cell: --delimiter ${JSON.stringify(delimiter)} separates it.`;
	throw new ConfigError(`The file has no column ${column}: it has ${existing === '' ? 'none' : existing}.${remedy}`);
}

/** Adds a series to those that are sent, or to those that cannot be. */
function addSeries(plan: ColumnPlan, name: string, index: number, problem?: string): SentColumn | undefined {
	const [topic, field] = [plan.mapping.topic, plan.mapping.field].map((text) => text.replaceAll(placeholder, () => name));
	const column = { name, index, topic: topic ?? '', field: field ?? '', points: 0, skipped: 0, example: undefined };
	const reason =
		(name === '' ? 'it has no name' : problem) ?? lineProtocolProblem(column.topic) ?? lineProtocolProblem(column.field);
	if (reason === undefined) plan.columns.push(column);
	else plan.skipped.push({ position: index + 1, name, reason });
	return reason === undefined ? column : undefined;
}

/** Returns the instants of a row (see CellTimeReader), or why it is not sent. */
export function instantsOf(plan: ColumnPlan, cells: readonly string[], readTime: CellTimeReader): readonly number[] | SkippedRow {
	if (cells.length < plan.width) return { reason: 'fewer cells than the header, so the last may be cut' };
	const time = cells[plan.timeIndex] ?? '';
	const instants = readTime(time);
	if (instants === null) return { reason: unreadableTime, example: time };
	if (instants.length === 0) return { reason: 'the clock of the zone skips the time', example: time };
	const quality = cells[plan.qualityIndex];
	const isSame = (word: string): boolean => word.trim().toLowerCase() === quality?.trim().toLowerCase();
	if (quality === undefined || plan.mapping.good?.some(isSame)) return instants;
	return { reason: 'the quality is not good', example: quality };
}

/** Returns the cells of a row that are sent if they are numbers, each with its series. */
export function cellsOf(plan: ColumnPlan, cells: readonly string[]): readonly (readonly [column: SentColumn, cell: string])[] {
	if (plan.seriesIndex < 0) return plan.columns.map((column) => [column, cells[column.index] ?? '']);
	const name = (cells[plan.seriesIndex] ?? '').trim();
	if (!plan.series.has(name)) plan.series.set(name, addSeries(plan, name, plan.series.size));
	const column = plan.series.get(name);
	return column === undefined ? [] : [[column, cells[plan.valueIndex] ?? '']];
}

/**
 * Returns the points of a row, and counts its cells in the columns of the plan.
 * @param timeMs the row's time, epoch milliseconds
 */
export function pointsOf(plan: ColumnPlan, cells: readonly string[], timeMs: number, decimal: DecimalSign): readonly DataPoint[] {
	return cellsOf(plan, cells).flatMap(([column, cell]) => {
		const value = readNumber(cell, decimal);
		if (Number.isFinite(value)) {
			column.points += 1;
			return [{ topic: column.topic, field: column.field, value, timeMs }];
		}
		column.skipped += 1;
		if (cell.trim() !== '') column.example ??= cell.trim();
		return [];
	});
}

/** Why InfluxDB's line protocol cannot hold a topic or a field, or undefined when it can. */
function lineProtocolProblem(name: string): string | undefined {
	if (controlCharacter.test(name)) return 'its name holds a control character';
	if (name.endsWith('\\')) return 'its name ends in a backslash, which line protocol cannot hold';
	if (name.startsWith('#')) return 'its topic would begin with #, which line protocol reads as a comment';
	return undefined;
}
