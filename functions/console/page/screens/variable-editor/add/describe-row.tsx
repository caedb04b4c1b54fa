import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { Button } from '#page/parts/button.tsx';
import { classNames } from '#page/parts/class-names.ts';
import { topicWithTags } from '../tag-sets.ts';
import type { CheckedRow } from './checked-rows.ts';
import { columnHeads } from './column-heads.ts';
import { describeText } from './describe-texts.ts';
import { faultText } from './fault-text.ts';
import { type ColumnChoices, columns, type GridColumn, processListId, rowAggregates } from './grid-row.ts';
import type { CellTyping, GridState } from './grid-state.ts';
import { RowCheck } from './row-check.tsx';

/** The acts on a row. */
export interface RowActs {
	/** Opens the dialog that names the bits of the row with this key. */
	readonly nameBits: (key: string) => void;
	/** Removes the row with this key. Its series becomes no variable. */
	readonly leaveOut: (key: string) => void;
}

interface DescribeRowProps {
	readonly grid: GridState;
	readonly choices: ColumnChoices;
	/** The language of the view. When it changes, the row is rendered again. */
	readonly lang: string;
	readonly acts: RowActs;
	/** The place of the row in the grid, from 0. */
	readonly index: number;
	readonly checked: CheckedRow;
	/** Whether another row has the same name. */
	readonly hasTwin: boolean;
	/** The index of the column of the selected range if this row is in the range; null otherwise. */
	readonly rangeColumn: number | null;
	/** The index of the column of the cell with the focus; null if the focus is in another row. */
	readonly focusColumn: number | null;
	/** The text that is being typed in this row; null without one. */
	readonly typing: CellTyping | null;
}

/** A row of the grid. It is rendered again only when its own content changes. */
export function DescribeRow(props: DescribeRowProps) {
	const { checked, hasTwin, rangeColumn, focusColumn, typing, index, lang } = props;
	// The grid and the acts stay the same, and the choices change only with the language.
	return useMemo(() => <RowContent {...props} />, [checked, hasTwin, rangeColumn, focusColumn, typing, index, lang]);
}

function RowContent(props: DescribeRowProps) {
	const { acts, index, checked, hasTwin } = props;
	const { row, state } = checked;
	const checkId = checkIdOf(index);
	const source = topicWithTags(row.topic, row.queryTags);
	return (
		<tr class={state === 'wrong' ? 'wrong' : undefined}>
			<th scope="row" title={`${source} ${row.field}`}>
				<span class="mono">{source}</span>
				<small class="mono">{row.field}</small>
			</th>
			{columns.map((column, columnIndex) => (
				<RowCell key={column} {...props} column={column} columnIndex={columnIndex} />
			))}
			<td id={checkId} class="row-check">
				<RowCheck checked={checked} hasTwin={hasTwin} onNameBits={() => acts.nameBits(row.key)} />
			</td>
			<td class="buttons">
				<Button
					small
					icon="i-x"
					aria-label={describeText().leaveOut(`${source} ${row.field}`)}
					onClick={() => acts.leaveOut(row.key)}
				/>
			</td>
		</tr>
	);
}

/** Returns the id of the element that says what is wrong with a row. */
function checkIdOf(index: number): string {
	return `check-${index}`;
}

interface RowCellProps extends DescribeRowProps {
	readonly column: GridColumn;
	readonly columnIndex: number;
}

/** An editable cell. It shows its text, or a field while somebody types in it. */
function RowCell({ grid, choices, index, checked, rangeColumn, focusColumn, typing, column, columnIndex }: RowCellProps) {
	const { cells, faults } = checked;
	const fault = faults.get(column);
	const cell = { row: index, column: columnIndex };
	const isFocused = focusColumn === columnIndex;
	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of its cells.
		// biome-ignore lint/a11y/useAriaPropsSupportedByRole: a cell of a table with the role grid is a gridcell.
		<td
			tabIndex={isFocused ? 0 : -1}
			aria-selected={rangeColumn === columnIndex}
			aria-invalid={fault !== undefined || undefined}
			aria-describedby={fault === undefined ? undefined : checkIdOf(index)}
			title={faultText(fault)}
			class={classNames('cell', isFocused && typing !== null && 'typing')}
			onFocus={(event) => {
				if (event.target === event.currentTarget && !isFocused) grid.moveTo(cell);
			}}
			// A press with Shift would select the text between the cells.
			onMouseDown={(event) => {
				if (event.shiftKey) event.preventDefault();
			}}
			onClick={(event) => {
				if (event.target instanceof Element && event.target.closest('input, select') !== null) return;
				grid.moveTo(cell, { extends: event.shiftKey });
				if (!event.shiftKey) grid.edit();
			}}
		>
			{isFocused && typing !== null ? (
				<CellField grid={grid} column={column} kind={cells.kind} typing={typing} choices={choices} />
			) : (
				cellText(column, cells[column], choices)
			)}
		</td>
	);
}

/** Returns the text of a cell as it is shown: the word of a choice, otherwise the text itself. */
function cellText(column: GridColumn, text: string, choices: ColumnChoices): string {
	return choices[column]?.find(({ value }) => value === text)?.label ?? text;
}

interface CellFieldProps {
	readonly grid: GridState;
	readonly column: GridColumn;
	/** The kind of the row's variable, which decides its aggregates. */
	readonly kind: string;
	readonly typing: CellTyping;
	readonly choices: ColumnChoices;
}

/** The field in a cell. Enter, Tab, up and down accept the typed text; Esc restores the text of before. */
function CellField({ grid, column, kind, typing, choices }: CellFieldProps) {
	const field = useRef<HTMLInputElement & HTMLSelectElement>(null);
	useLayoutEffect(() => {
		field.current?.focus();
		// A text is selected as a whole, or typing goes on at its end. Browsers begin at its start.
		if (cellChoices === undefined) field.current?.setSelectionRange(typing.isWhole ? 0 : typing.text.length, typing.text.length);
	}, []);
	const label = columnHeads()[column];
	/** The choices of the cell; undefined where any text may be typed. */
	const cellChoices = choices[column]?.filter(
		({ value }) => column !== 'aggregate' || rowAggregates(kind).some((name) => name === value),
	);
	const accept = (move: Move): void => grid.commit(field.current?.value ?? typing.text, move);
	const onKeyDown = (event: KeyboardEvent): void => {
		if (event.isComposing) return;
		const move = moveOf(event, { isText: cellChoices === undefined });
		if (move !== null) accept(move);
		else if (event.key === 'Escape') grid.putBack();
		else return;
		event.preventDefault();
		event.stopPropagation();
	};
	const onBlur = (): void => accept([0, 0]);
	if (cellChoices !== undefined)
		return (
			<select class="input" ref={field} aria-label={label} value={typing.text} onKeyDown={onKeyDown} onBlur={onBlur}>
				{cellChoices.map(({ value, label: words }) => (
					<option key={value} value={value}>
						{words}
					</option>
				))}
			</select>
		);
	return (
		<input
			type="text"
			class="input"
			autocomplete="off"
			ref={field}
			list={column === 'process' ? processListId : undefined}
			aria-label={label}
			defaultValue={typing.text}
			onKeyDown={onKeyDown}
			onBlur={onBlur}
		/>
	);
}

/** By how many rows and columns the focus moves. */
type Move = readonly [rows: number, columns: number];

/**
 * Returns how the focus moves after a key has accepted the typed text; null for a key that does not accept it. Up and down accept only a text,
 * because they change the choice in a field with choices.
 */
function moveOf({ key, shiftKey }: KeyboardEvent, { isText }: { readonly isText: boolean }): Move | null {
	const step = shiftKey ? -1 : 1;
	if (key === 'Enter') return [step, 0];
	if (key === 'Tab') return [0, step];
	if (isText && key === 'ArrowDown') return [1, 0];
	if (isText && key === 'ArrowUp') return [-1, 0];
	return null;
}
