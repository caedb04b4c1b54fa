import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { Button } from '#page/parts/button.tsx';
import { classNames } from '#page/parts/class-names.ts';
import { columnHeads } from './column-heads.ts';
import { describeText } from './describe-texts.ts';
import { type ColumnChoices, columns, type GridColumn, processListId, rowAggregates } from './described.ts';
import type { CheckedRow } from './description.ts';
import { faultText } from './fault-text.ts';
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
export function DescribeRow({ grid, choices, acts, lang, index, ...shown }: DescribeRowProps) {
	const { checked, hasTwin, rangeColumn, focusColumn, typing } = shown;
	return useMemo(
		() => <RowContent {...{ grid, choices, acts, lang, index, ...shown }} />,
		[checked, hasTwin, rangeColumn, focusColumn, typing, index, lang],
	);
}

function RowContent({ grid, choices, acts, index, checked, hasTwin, rangeColumn, focusColumn, typing }: DescribeRowProps) {
	const { row, cells, faults, state } = checked;
	const checkId = `check-${index}`;
	return (
		<tr class={state === 'wrong' ? 'wrong' : undefined}>
			<th scope="row" title={`${row.topic} ${row.field}`}>
				<span class="mono">{row.topic}</span>
				<small class="mono">{row.field}</small>
			</th>
			{columns.map((column, place) => {
				const fault = faults.get(column);
				const isFocused = focusColumn === place;
				return (
					// biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of its cells.
					// biome-ignore lint/a11y/useAriaPropsSupportedByRole: a cell of a table with the role grid is a gridcell.
					<td
						key={column}
						tabIndex={isFocused ? 0 : -1}
						aria-selected={rangeColumn === place}
						aria-invalid={fault !== undefined || undefined}
						aria-describedby={fault === undefined ? undefined : checkId}
						title={faultText(fault)}
						class={classNames('cell', isFocused && typing !== null && 'typing')}
						onFocus={(event) => {
							if (event.target === event.currentTarget && !isFocused) grid.moveTo({ row: index, column: place }, false);
						}}
						// A press with Shift would select the text between the cells.
						onMouseDown={(event) => {
							if (event.shiftKey) event.preventDefault();
						}}
						onClick={(event) => {
							if (event.target instanceof Element && event.target.closest('input, select') !== null) return;
							grid.moveTo({ row: index, column: place }, event.shiftKey);
							if (!event.shiftKey) grid.edit();
						}}
					>
						{isFocused && typing !== null ? (
							<CellField {...{ grid, column, typing, choices }} kind={cells.kind} />
						) : (
							cellText(column, cells[column], choices)
						)}
					</td>
				);
			})}
			<td id={checkId} class="row-check">
				<RowCheck checked={checked} hasTwin={hasTwin} onNameBits={() => acts.nameBits(row.key)} />
			</td>
			<td class="buttons">
				<Button
					small
					icon="i-x"
					aria-label={describeText().leaveOut(`${row.topic} ${row.field}`)}
					onClick={() => acts.leaveOut(row.key)}
				/>
			</td>
		</tr>
	);
}

/** Returns the text of a cell as it is shown: the word of a choice, otherwise the text itself. */
function cellText(column: GridColumn, text: string, choices: ColumnChoices): string {
	return choices[column]?.find(({ value }) => value === text)?.label ?? text;
}

interface CellFieldProps {
	readonly grid: GridState;
	readonly column: GridColumn;
	readonly kind: string;
	readonly typing: CellTyping;
	readonly choices: ColumnChoices;
}

/** The field in a cell. Enter, Tab, up and down accept the typed text; Esc restores the text of before. */
function CellField({ grid, column, kind, typing, choices }: CellFieldProps) {
	const field = useRef<HTMLInputElement & HTMLSelectElement>(null);
	/** Whether a key has ended the typing. Then the field is removed, and losing the focus must not accept its text again. */
	const isEnded = useRef(false);
	useLayoutEffect(() => {
		field.current?.focus();
		if (typing.isWhole && field.current?.matches('input') === true) field.current.select();
	}, []);
	const label = columnHeads()[column];
	/** The choices of the cell; undefined where any text may be typed. */
	const cellChoices = choices[column]?.filter(
		({ value }) => column !== 'aggregate' || rowAggregates(kind).some((each) => each === value),
	);
	const accept = (move: readonly [rows: number, columns: number]): void => {
		isEnded.current = true;
		grid.commit(field.current?.value ?? typing.text, move);
	};
	const onKeyDown = (event: KeyboardEvent): void => {
		const isText = cellChoices === undefined;
		if (event.isComposing) return;
		if (event.key === 'Enter') accept([event.shiftKey ? -1 : 1, 0]);
		else if (event.key === 'Tab') accept([0, event.shiftKey ? -1 : 1]);
		else if (isText && event.key === 'ArrowDown') accept([1, 0]);
		else if (isText && event.key === 'ArrowUp') accept([-1, 0]);
		else if (event.key === 'Escape') {
			isEnded.current = true;
			grid.putBack();
		} else return;
		event.preventDefault();
		event.stopPropagation();
	};
	const onBlur = (): void => {
		if (!isEnded.current) grid.commit(field.current?.value ?? typing.text, [0, 0]);
	};
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
	const list = column === 'process' ? processListId : undefined;
	return (
		<input
			type="text"
			class="input"
			autocomplete="off"
			{...{ ref: field, list, onKeyDown, onBlur }}
			aria-label={label}
			defaultValue={typing.text}
		/>
	);
}
