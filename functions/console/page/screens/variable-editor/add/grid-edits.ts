/** A cell of a grid, by the indexes of its row and its column. */
export interface Cell {
	readonly row: number;
	readonly column: number;
}

/** How many rows and columns a grid has. */
export interface GridSize {
	readonly rows: number;
	readonly columns: number;
}

/** A text that is put into a cell. */
export interface CellEdit extends Cell {
	readonly text: string;
}

/** The rows of a spreadsheet, with the texts of their cells. */
export type SheetRows = readonly (readonly string[])[];

/** Number of rows that Page Up and Page Down pass over. */
const pageRows = 10;

/** The keys that are held while another is pressed. */
export interface HeldKeys {
	/** Ctrl, or the command key. */
	readonly control: boolean;
	readonly shift: boolean;
}

/** Returns the cell to which a key moves the focus; null for a key that does not move it. The cell is always inside the grid. */
export function cellAfter(
	key: string,
	{ row, column }: Cell,
	size: GridSize,
	{ control }: Pick<HeldKeys, 'control'>,
): Cell | null {
	/** More than the way to any edge. The result is limited to the grid. */
	const far = Math.max(size.rows, size.columns);
	/** How far an arrow leads: to the edge with Ctrl, otherwise to the next cell. */
	const arrow = control ? far : 1;
	const steps: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
		ArrowDown: [arrow, 0],
		ArrowUp: [-arrow, 0],
		ArrowRight: [0, arrow],
		ArrowLeft: [0, -arrow],
		PageDown: [pageRows, 0],
		PageUp: [-pageRows, 0],
		Home: [control ? -far : 0, -far],
		End: [control ? far : 0, far],
	};
	const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
	return step === undefined ? null : { row: within(row + step[0], size.rows), column: within(column + step[1], size.columns) };
}

/**
 * Returns the edits that fill a range of a column with the text of its first cell. A range of one cell takes the text of the cell above.
 * @param textAt returns the text of a cell
 */
export function filledDown(from: Cell, toRow: number, textAt: (cell: Cell) => string): readonly CellEdit[] {
	const { column } = from;
	const [first, last] = [Math.min(from.row, toRow), Math.max(from.row, toRow)];
	const source = first === last ? first - 1 : first;
	if (source < 0) return [];
	const text = textAt({ row: source, column });
	return Array.from({ length: last - source }, (_, index) => ({ row: source + 1 + index, column, text }));
}

/**
 * Returns the edits that paste the rows of a spreadsheet into a grid, beginning at a cell. Texts beyond the edges of the grid are left
 * out. A single text fills the whole range of rows.
 */
export function pastedAt(from: Cell, toRow: number, rows: SheetRows, size: GridSize): readonly CellEdit[] {
	const [first, last] = [Math.min(from.row, toRow), Math.max(from.row, toRow)];
	const isSingleText = rows.length === 1 && rows[0]?.length === 1;
	const pastedRows = isSingleText ? Array.from({ length: last - first + 1 }, () => rows[0] ?? []) : rows;
	return pastedRows
		.flatMap((texts, row) => texts.map((text, column) => ({ row: first + row, column: from.column + column, text })))
		.filter(({ row, column }) => row < size.rows && column < size.columns);
}

/** Returns the next row with a fault after a row; after the last row the search goes on at the first. Null when no row has a fault. */
export function nextFault(row: number, hasFault: readonly boolean[]): number | null {
	const faultyRows = hasFault.flatMap((isFaulty, index) => (isFaulty ? [index] : []));
	return faultyRows.find((index) => index > row) ?? faultyRows[0] ?? null;
}

/**
 * Parses rows in the form in which spreadsheets copy them: tabs between cells, line ends between rows. A cell in quotes may contain both,
 * and `""` for a quote; a line end in it becomes a space. Blanks around a text are dropped.
 */
export function sheetRows(pasted: string): SheetRows {
	// A text in quotes, or a plain text; then the tab or line end after it. Each match begins where the one before has ended.
	const cell = /(?:"((?:[^"]|"")*)"(?=\t|\r?\n|$)|([^\t\r\n]*))(\t|\r?\n|\r|$)/gy;
	// A line end at the very end begins no further row.
	const text = pasted.replace(/(?:\r\n|\r|\n)$/, '');
	const rows: string[][] = [[]];
	for (let match = cell.exec(text); match !== null; match = cell.exec(text)) {
		const [, quoted, plain = '', end = ''] = match;
		rows.at(-1)?.push((quoted === undefined ? plain : quoted.replaceAll('""', '"').replace(/\s+/g, ' ')).trim());
		// Nothing ends the last cell. Without this, the match after it would be empty, and would count as a further cell.
		if (end === '') break;
		if (end !== '\t') rows.push([]);
	}
	return rows;
}

/** Returns the index of a row or column, limited to those that there are. */
export function within(index: number, count: number): number {
	return Math.max(0, Math.min(count - 1, index));
}
