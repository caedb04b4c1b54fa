/**
 * Parses InfluxDB's annotated CSV in chunks as they arrive. The client's own parser builds an object for every row, and reports no
 * error when a response was cut short or ends with an error.
 */

/** The columns of the rows that follow. */
export interface Header {
	readonly result: string;
	readonly names: readonly string[];
	readonly types: readonly string[];
}

/** Receives the tables of a response. */
export interface CsvSink {
	header(header: Header): void;
	/** @param cells one for each column of the header; the reader uses the array again for the next row */
	row(cells: readonly string[]): void;
}

/** Parses one response. */
export interface CsvReader {
	/** Parses the next chunk. @throws CsvError, and what the sink throws */
	push(text: string): void;
	/** Whether the text so far ends with a whole line. */
	isWhole(): boolean;
}

/** A response that is not annotated CSV. */
export class CsvError extends Error {
	override readonly name = 'CsvError';
}

/** The column with the name of the result. Its value is in the `#default` annotation of each table. */
const resultColumn = 1;

/** Longer than any line: a string in InfluxDB has at most 64 KB, and so has a name. */
const maxLineLength = 1_000_000;

/** Creates a reader that gives `sink` the columns and the rows of each table. */
export function createCsvReader(sink: CsvSink): CsvReader {
	const cells: string[] = [];
	/** The start of a line whose end has not arrived yet. */
	let unfinished = '';
	let types: readonly string[] = [];
	let defaults: readonly string[] = [];
	/** The number of columns of the current table; 0 when a header comes next. */
	let columns = 0;

	/** Keeps an annotation of the table that follows. Others than these two are not needed. */
	const annotate = (): void => {
		if (cells[0] === '#datatype') types = [...cells];
		if (cells[0] === '#default') defaults = [...cells];
		columns = 0;
	};
	/** Passes a whole line to the sink. An empty line ends a table. */
	const line = (text: string): void => {
		if (text === '') {
			columns = 0;
			return;
		}
		split(text, cells);
		if (text.startsWith('#')) annotate();
		else if (cells[0] !== '') throw new CsvError('A line is neither a row nor an annotation.');
		else if (columns === 0) {
			columns = cells.length;
			sink.header({ result: defaults[resultColumn] ?? '', names: [...cells], types });
		} else if (cells.length !== columns) throw new CsvError(`A row has ${cells.length} cells of ${columns}.`);
		else sink.row(cells);
	};

	return {
		push: (text) => {
			const all = unfinished + text;
			let from = 0;
			/** The next quote that may begin a quoted cell. */
			let quote = all.indexOf('"');
			for (;;) {
				let end = all.indexOf('\n', from);
				// Steps over each quoted cell that begins before the newline. Two quotes within a cell look like two cells side by side.
				while (end >= 0 && quote >= 0 && quote < end) {
					const closing = all.indexOf('"', quote + 1);
					if (closing < 0) {
						// The cell is not whole yet, and neither is the line.
						end = -1;
						break;
					}
					// The newline lies in the cell, so the next one after it counts.
					if (closing > end) end = all.indexOf('\n', closing);
					quote = all.indexOf('"', closing + 1);
				}
				if (end < 0) break;
				const hasReturn = end > from && all[end - 1] === '\r';
				line(all.slice(from, hasReturn ? end - 1 : end));
				from = end + 1;
			}
			unfinished = all.slice(from);
			if (unfinished.length > maxLineLength) throw new CsvError('A line has no end.');
		},
		isWhole: () => unfinished === '',
	};
}

const split = (line: string, cells: string[]): void => (line.includes('"') ? splitQuoted : splitPlain)(line, cells);

/**
 * Splits a line with quoted cells. A quote within a quoted cell is doubled. InfluxDB writes a newline in a cell as CR LF, and leaves out
 * every CR, so CR LF is a newline.
 */
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
		cells.push(
			line
				.slice(from + 1, end)
				.replaceAll('""', '"')
				.replaceAll('\r\n', '\n'),
		);
		from = end + 2;
	}
}

/** Splits a line without quotes. */
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
