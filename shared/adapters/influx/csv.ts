/**
 * InfluxDB's annotated CSV, in chunks as they arrive. The client's own reader builds an object for every row and takes an answer
 * that was cut short, or that ends in an error, for a whole one.
 */

/** The columns of the rows that follow: names and types are of equal length. */
export interface Header {
	readonly result: string;
	readonly names: readonly string[];
	readonly types: readonly string[];
}

export interface CsvSink {
	header(header: Header): void;
	/** @param cells by the header's columns; the array is the reader's own, and is used again */
	row(cells: readonly string[]): void;
}

export interface CsvReader {
	push(text: string): void;
	/** Whether all that was pushed were whole lines. */
	isWhole(): boolean;
}

/** An answer that is no annotated CSV. */
export class CsvError extends Error {
	override readonly name = 'CsvError';
}

/** The column of the result's name, which is given once a table. */
const resultColumn = 1;

/** No line is as long: a string of InfluxDB has at most 64 KB, and a name 64 KB. */
const maxLineLength = 1_000_000;

/** A reader that gives `sink` each table's columns and its rows. It throws CsvError, and what the sink throws. */
export function createCsvReader(sink: CsvSink): CsvReader {
	const cells: string[] = [];
	let rest = '';
	let types: readonly string[] = [];
	let defaults: readonly string[] = [];
	/** Columns of the table under way; 0 where a header comes next. */
	let columns = 0;

	const annotate = (): void => {
		if (cells[0] === '#datatype') types = [...cells];
		if (cells[0] === '#default') defaults = [...cells];
		columns = 0;
	};
	const line = (text: string): void => {
		if (text === '') {
			columns = 0;
			return;
		}
		split(text, cells);
		if (text.startsWith('#')) annotate();
		else if (cells[0] !== '') throw new CsvError('A line is no row and no annotation.');
		else if (columns === 0) {
			columns = cells.length;
			sink.header({ result: defaults[resultColumn] ?? '', names: [...cells], types });
		} else if (cells.length !== columns) throw new CsvError(`A row has ${cells.length} cells of ${columns}.`);
		else sink.row(cells);
	};

	return {
		push: (text) => {
			const all = rest === '' ? text : rest + text;
			let from = 0;
			let quote = all.indexOf('"');
			for (;;) {
				let end = all.indexOf('\n', from);
				// A quoted cell may hold lines: those ends are skipped.
				while (end >= 0 && quote >= 0 && quote < end) {
					const closing = all.indexOf('"', quote + 1);
					if (closing > end) end = all.indexOf('\n', closing);
					if (closing < 0) end = -1;
					else quote = all.indexOf('"', closing + 1);
				}
				if (end < 0) break;
				line(all.slice(from, all.charCodeAt(end - 1) === 13 && end > from ? end - 1 : end));
				from = end + 1;
			}
			rest = all.slice(from);
			if (rest.length > maxLineLength) throw new CsvError('A line has no end.');
		},
		isWhole: () => rest === '',
	};
}

const split = (line: string, cells: string[]): void => (line.includes('"') ? splitQuoted : splitPlain)(line, cells);

/** Splits a line that has quotes, which are doubled within a quoted cell. */
function splitQuoted(line: string, cells: string[]): void {
	cells.length = 0;
	for (let from = 0; from <= line.length; ) {
		if (line[from] !== '"') {
			const comma = line.indexOf(',', from);
			const end = comma < 0 ? line.length : comma;
			cells.push(line.slice(from, end));
			from = end + 1;
			continue;
		}
		let end = from + 1;
		for (;;) {
			end = line.indexOf('"', end);
			if (end < 0) throw new CsvError('A quoted cell has no end.');
			if (line[end + 1] !== '"') break;
			end += 2;
		}
		cells.push(line.slice(from + 1, end).replaceAll('""', '"'));
		from = end + 2;
	}
}

/** Splits a line that has no quotes into `cells`. */
function splitPlain(line: string, cells: string[]): void {
	let count = 0;
	for (let from = 0; from <= line.length; count += 1) {
		const comma = line.indexOf(',', from);
		const end = comma < 0 ? line.length : comma;
		cells[count] = line.slice(from, end);
		from = end + 1;
	}
	cells.length = count;
}
