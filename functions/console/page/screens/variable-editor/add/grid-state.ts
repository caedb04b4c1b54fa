import { batch, type ReadonlySignal, signal } from '@preact/signals';
import { type ColumnChoices, columns, type GridColumn, takenText } from './described.ts';
import type { Description } from './description.ts';
import { type Cell, type CellEdit, cellAfter, filledDown, type GridSize, nextFault, pastedAt, within } from './grid-edits.ts';

/** The text that is being typed into the cell with the focus. `isWhole`: all of it is selected, so that further typing replaces it. */
export interface CellTyping {
	readonly text: string;
	readonly isWhole: boolean;
}

/** The state of the grid: the cell with the focus, the selected range, and the text that is being typed. */
export interface GridState {
	readonly focus: ReadonlySignal<Cell>;
	/** The first row of the selected range. The range ends at the row of the focus. */
	readonly anchorRow: ReadonlySignal<number>;
	readonly typing: ReadonlySignal<CellTyping | null>;
	/** Number of cells of the last paste whose text is not one of the column's choices. */
	readonly notTaken: ReadonlySignal<number>;
	/** Moves the focus. With `isRange` the range reaches from its first row to the new cell, otherwise it is that cell alone. */
	moveTo(cell: Cell, isRange: boolean): void;
	/** Begins typing in the cell, with the given text or with the text of the cell. */
	edit(text?: string): void;
	/** Accepts the typed text, and moves the focus by a number of rows and columns. */
	commit(text: string, move: readonly [rows: number, columns: number]): void;
	/** Ends typing. The cell keeps the text of before. */
	putBack(): void;
	/** Drops the typed texts of the range, so that its cells follow the proposals again. */
	clear(): void;
	/** Fills the range with the text of its first cell; a range of one cell with the text of the cell above. */
	fillDown(): void;
	/** Pastes rows of a spreadsheet, beginning at the first cell of the range. */
	paste(text: string): void;
	/** Handles a key while nobody types in a cell. Returns whether the key was handled. */
	press(key: string, held: { readonly control: boolean; readonly shift: boolean }): boolean;
	/** Moves to the first wrong cell of the next row with a fault. */
	toNextFault(): void;
}

/** Creates the grid of a description. */
export function createGridState({ checked, rows, type }: Description, choices: () => ColumnChoices): GridState {
	const [focus, anchorRow] = [signal<Cell>({ row: 0, column: 0 }), signal(0)];
	const [typing, notTaken] = [signal<CellTyping | null>(null), signal(0)];
	const sizeOf = (): GridSize => ({ rows: checked.value.length, columns: columns.length });
	const textAt = ({ row, column }: Cell): string => checked.value[row]?.cells[columnAt(column)] ?? '';
	const put = (edits: readonly CellEdit[]): void => {
		const taken = edits.flatMap(({ row, column, text }) => {
			const [key, name] = [rows.value[row]?.key, columnAt(column)];
			const accepted = takenText(name, text, choices());
			return key === undefined || accepted === null ? [] : [{ key, column: name, text: accepted }];
		});
		notTaken.value = edits.length - taken.length;
		type(taken);
	};
	const moveTo = (cell: Cell, isRange: boolean): void =>
		batch(() => {
			focus.value = cell;
			if (!isRange) anchorRow.value = cell.row;
			typing.value = null;
		});
	const rangeStart = (): Cell => ({ ...focus.value, row: anchorRow.value });
	const edit = (text?: string): void => {
		const isWhole = text === undefined;
		// A field that offers choices cannot begin with a typed sign.
		const isChoice = choices()[columnAt(focus.value.column)] !== undefined;
		typing.value = { text: isWhole || isChoice ? textAt(focus.value) : text, isWhole };
	};
	const clear = (): void => {
		const [first, last] = [Math.min(anchorRow.value, focus.value.row), Math.max(anchorRow.value, focus.value.row)];
		const column = columnAt(focus.value.column);
		rows.value = rows.value.map((row, index) => {
			if (index < first || index > last) return row;
			const { [column]: _, ...typed } = row.typed;
			return { ...row, typed };
		});
	};
	const fillDown = (): void => put(filledDown(rangeStart(), focus.value.row, textAt));
	return {
		...{ focus, anchorRow, typing, notTaken, moveTo, edit, clear, fillDown },
		commit: (text, [rowStep, columnStep]) => {
			if (text !== textAt(focus.value)) put([{ ...focus.value, text }]);
			const [from, size] = [focus.value, sizeOf()];
			const row = within(from.row + rowStep, size.rows);
			moveTo({ row, column: within(from.column + columnStep, size.columns) }, false);
		},
		putBack: () => {
			typing.value = null;
		},
		paste: (text) => put(pastedAt(rangeStart(), focus.value.row, text, sizeOf())),
		press: (key, { control, shift }) => {
			const cell = cellAfter(key, focus.value, sizeOf(), control);
			if (cell !== null) moveTo(shift ? { ...cell, column: focus.value.column } : cell, shift);
			else if (control && key.toLowerCase() === 'd') fillDown();
			else if (control) return false;
			else if (key === 'Enter' || key === 'F2') edit();
			else if (key === 'Delete' || key === 'Backspace') clear();
			else if (key === 'Escape' && anchorRow.value !== focus.value.row) moveTo(focus.value, false);
			else if (key.length === 1) edit(key);
			else return false;
			return true;
		},
		toNextFault: () => {
			const row = nextFault(
				focus.value.row,
				checked.value.map(({ state }) => state === 'wrong'),
			);
			if (row === null) return;
			const column = columns.findIndex((name) => checked.value[row]?.faults.has(name) === true);
			moveTo({ row, column: Math.max(0, column) }, false);
		},
	};
}

/** Returns the column at an index of the grid. */
function columnAt(index: number): GridColumn {
	return columns[index] ?? 'name';
}
