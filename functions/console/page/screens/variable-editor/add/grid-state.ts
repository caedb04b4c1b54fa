import { batch, type ReadonlySignal, signal } from '@preact/signals';
import type { CheckedRow, CheckedRows } from './checked-rows.ts';
import {
	type Cell,
	type CellEdit,
	cellAfter,
	filledDown,
	type GridSize,
	type HeldKeys,
	nextFault,
	pastedAt,
	sheetRows,
	within,
} from './grid-edits.ts';
import { type ColumnChoices, columns, type GridColumn, type GridRow, takenText, withoutTyped } from './grid-row.ts';
import { editsByName } from './pasted-table.ts';

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
	/** Number of cells of the last edit (typed, pasted or filled down) whose text is not one of the column's choices. */
	readonly notTaken: ReadonlySignal<number>;
	/** The heads and topics of the last edit that name no column and no single row of the grid. */
	readonly unplaced: ReadonlySignal<readonly string[]>;
	/** Moves the focus. With `extends` the range reaches from its first row to the new cell, otherwise it is that cell alone. */
	moveTo(cell: Cell, range?: { readonly extends: boolean }): void;
	/** Begins typing in the cell, with the given text or with the text of the cell. */
	edit(text?: string): void;
	/** Accepts the typed text unless typing has ended, and moves the focus by a number of rows and columns. */
	commit(text: string, move: readonly [rows: number, columns: number]): void;
	/** Ends typing. The cell keeps the text of before. */
	putBack(): void;
	/** Drops the typed texts of the range, so that its cells follow the proposals again. */
	clear(): void;
	/** Fills the range with the text of its first cell; a range of one cell with the text of the cell above. */
	fillDown(): void;
	/** Ends typing, and pastes rows of a spreadsheet: by their heads and topics, otherwise beginning at the first cell of the range. */
	paste(text: string): void;
	/** Handles a key while nobody types in a cell. Returns whether the key was handled. */
	press(key: string, held: HeldKeys): boolean;
	/** Moves to the first wrong cell of the next row with a fault. */
	toNextFault(): void;
}

/** Creates the grid of a checkedRows. */
export function createGridState({ checked, rows, type }: CheckedRows, choices: () => ColumnChoices): GridState {
	const focus = signal<Cell>({ row: 0, column: 0 });
	const anchorRow = signal(0);
	const typing = signal<CellTyping | null>(null);
	const notTaken = signal(0);
	const unplaced = signal<readonly string[]>([]);
	const sizeOf = (): GridSize => ({ rows: checked.value.length, columns: columns.length });
	const textAt = ({ row, column }: Cell): string => checked.value[row]?.cells[columnAt(column)] ?? '';
	const typeInto = (edits: readonly CellEdit[], names: readonly string[] = []): void => {
		const accepted = edits.flatMap((edit) => acceptedEdit(edit, rows.value, choices()) ?? []);
		notTaken.value = edits.length - accepted.length;
		unplaced.value = names;
		type(accepted);
	};
	const moveTo: GridState['moveTo'] = (cell, range) =>
		batch(() => {
			focus.value = cell;
			if (range?.extends !== true) anchorRow.value = cell.row;
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
		rows.value = clearedRows(rows.value, rangeStart(), focus.value.row);
	};
	const fillDown = (): void => typeInto(filledDown(rangeStart(), focus.value.row, textAt));
	return {
		focus,
		anchorRow,
		typing,
		notTaken,
		unplaced,
		moveTo,
		edit,
		clear,
		fillDown,
		commit: (text, [rowStep, columnStep]) => {
			// A field that is removed at the end of typing loses the focus. Its text must not be accepted then.
			if (typing.value === null) return;
			const { row, column } = focus.value;
			// A text that was not changed is not typed, so that the cell goes on following its proposal.
			if (text !== textAt({ row, column })) typeInto([{ row, column, text }]);
			const size = sizeOf();
			moveTo({ row: within(row + rowStep, size.rows), column: within(column + columnStep, size.columns) });
		},
		putBack: () => {
			typing.value = null;
		},
		paste: (text) => {
			const table = sheetRows(text);
			const first = { ...focus.value, row: Math.min(anchorRow.value, focus.value.row) };
			const named = editsByName(table, first, rows.value);
			typing.value = null;
			typeInto(named?.edits ?? pastedAt(rangeStart(), focus.value.row, table, sizeOf()), named?.unplaced);
		},
		press: (key, held) => {
			const cell = cellAfter(key, focus.value, sizeOf(), held);
			if (cell === null) return pressEditKey(key, held, { focus, anchorRow, moveTo, edit, clear, fillDown });
			// A range stays in its column.
			moveTo(held.shift ? { ...cell, column: focus.value.column } : cell, { extends: held.shift });
			return true;
		},
		toNextFault: () => {
			const cell = nextFaultyCell(focus.value.row, checked.value);
			if (cell !== null) moveTo(cell);
		},
	};
}

/** Returns rows without the typed texts of a range in a column. */
function clearedRows(rows: readonly GridRow[], from: Cell, toRow: number): readonly GridRow[] {
	const [first, last] = [Math.min(from.row, toRow), Math.max(from.row, toRow)];
	const column = columnAt(from.column);
	return rows.map((row, index) => (index < first || index > last ? row : withoutTyped(row, [column])));
}

/** Handles a key that edits cells. Returns whether it is such a key. */
function pressEditKey(
	key: string,
	{ control }: HeldKeys,
	{
		focus,
		anchorRow,
		moveTo,
		edit,
		clear,
		fillDown,
	}: Pick<GridState, 'focus' | 'anchorRow' | 'moveTo' | 'edit' | 'clear' | 'fillDown'>,
): boolean {
	if (control && key.toLowerCase() === 'd') fillDown();
	else if (control) return false;
	else if (key === 'Enter' || key === 'F2') edit();
	else if (key === 'Delete' || key === 'Backspace') clear();
	else if (key === 'Escape' && anchorRow.value !== focus.value.row) moveTo(focus.value);
	// The name of a key that types a sign is that sign.
	else if (key.length === 1) edit(key);
	else return false;
	return true;
}

/** Returns an edit in the form that checked rows take; null if the column has choices and the text is none of them. */
function acceptedEdit(
	{ row, column, text }: CellEdit,
	rows: readonly GridRow[],
	choices: ColumnChoices,
): { readonly key: string; readonly column: GridColumn; readonly text: string } | null {
	const key = rows[row]?.key;
	const name = columnAt(column);
	const accepted = takenText(name, text, choices);
	return key === undefined || accepted === null ? null : { key, column: name, text: accepted };
}

/** Returns the first wrong cell of the next wrong row; its first cell if no column shows its problem. Null when no row is wrong. */
function nextFaultyCell(afterRow: number, checked: readonly CheckedRow[]): Cell | null {
	const row = nextFault(
		afterRow,
		checked.map(({ state }) => state === 'wrong'),
	);
	if (row === null) return null;
	const column = columns.findIndex((name) => checked[row]?.faults.has(name) === true);
	return { row, column: Math.max(0, column) };
}

/** Returns the column at an index of the grid. */
function columnAt(index: number): GridColumn {
	return columns[index] ?? 'name';
}
