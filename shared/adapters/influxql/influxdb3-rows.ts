import { parseMs, subMsOf } from '../influx-common/rfc3339.ts';
import type { AnswerRows } from './answer.ts';
import type { Influxdb3Column, Influxdb3Statement } from './influxdb3-statement.ts';
import type { JsonRow } from './json-rows.ts';
import type { Cell } from './msgpack.ts';

/** The columns that are no values and no tags. */
const measurementColumn = 'iox::measurement';
const timeColumn = 'time';

/**
 * Converts the rows of InfluxDB 3 to those of each series, in their order. A row without any value is left out.
 * @throws RangeError when a row lacks its measurement, or its time
 */
export function answerRowsOf(rows: Iterable<JsonRow>, { isSelect, columns }: Influxdb3Statement): readonly AnswerRows[] {
	const names = new Set([measurementColumn, timeColumn, ...columns.map(({ name }) => name)]);
	const bySeries = new Map<string, { name: string; tags: AnswerRows['tags']; columns: Cell[][] }>();
	for (const row of rows) {
		const cells = columns.map((column) => cellOf(row, column));
		const isEmpty = columns.every(
			({ aggregate }, index) => cells[index] === null || (aggregate === 'count' && cells[index] === 0n),
		);
		if (isEmpty) continue;
		const name = row.get(measurementColumn);
		if (typeof name !== 'string') throw new RangeError('A row has no measurement.');
		const tags = isSelect ? tagsOf(row, names) : [];
		const key = JSON.stringify([name, tags]);
		const series = bySeries.get(key) ?? {
			name,
			tags,
			columns: Array.from({ length: columns.length + Number(isSelect) }, () => []),
		};
		bySeries.set(key, series);
		for (const [index, cell] of (isSelect ? [nsOf(row.get(timeColumn)), ...cells] : cells).entries())
			series.columns[index]?.push(cell);
	}
	return [...bySeries.values()];
}

/** Returns a value; null for none. A mean without a number is infinite: its sum was larger than every float. */
function cellOf(row: JsonRow, { name, aggregate }: Influxdb3Column): Cell {
	const cell = row.get(name);
	return cell === null && aggregate === 'mean' ? Number.POSITIVE_INFINITY : (cell ?? null);
}

/** Returns the tags of a row, by their names. */
function tagsOf(row: JsonRow, others: ReadonlySet<string>): AnswerRows['tags'] {
	const tags: [string, string][] = [];
	for (const [name, value] of row) if (!others.has(name) && typeof value === 'string' && value !== '') tags.push([name, value]);
	return tags.sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Converts a time, which InfluxDB 3 writes without its zone UTC, to nanoseconds since the Unix epoch. */
function nsOf(cell: Cell | undefined): bigint {
	const text = typeof cell === 'string' ? cell.replace(/Z?$/, 'Z') : '';
	const ms = parseMs(text);
	if (Number.isNaN(ms)) throw new RangeError('A row has no time.');
	return BigInt(ms) * 1_000_000n + BigInt(subMsOf(text));
}
