import { type Signal, useSignal } from '@preact/signals';
import type { TargetedClipboardEvent, TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { language } from '#page/core/preferences.ts';
import { useShortcuts } from '#page/core/shortcuts.ts';
import { commonText } from '#page/i18n/common.ts';
import { Banner } from '#page/parts/banner.tsx';
import { KeyHints } from '#page/parts/key-hints.tsx';
import { lazyScreen } from '#page/shell/lazy-screen.tsx';
import { editorText } from '../editor-texts.ts';
import type { CheckedRows } from './checked-rows.ts';
import { columnHeads } from './column-heads.ts';
import { DescribeRow } from './describe-row.tsx';
import { describeText } from './describe-texts.ts';
import { type ColumnChoices, columns, rowAggregates, rowKinds } from './grid-row.ts';
import { createGridState, type GridState } from './grid-state.ts';

const BitsDialog = lazyScreen(async () => (await import('./bits-dialog.tsx')).BitsDialog);

/** The grid of the rows that become variables. The Tab key stops at one cell; arrows move from cell to cell. */
export function DescribeGrid({ checkedRows }: { readonly checkedRows: CheckedRows }) {
	const text = describeText();
	const heads = columnHeads();
	const grid = useMemo(() => createGridState(checkedRows, columnChoices), []);
	const box = useRef<HTMLDivElement>(null);
	/** The key of the row whose bits are being named; null without one. */
	const bitsOf = useSignal<string | null>(null);
	useCellFocus(grid, box.current);
	useShortcuts([{ key: 'F8', label: text.nextFault, run: () => toFault(grid, box.current) }]);
	const rowOfBits = checkedRows.checked.value.find(({ row }) => row.key === bitsOf.value);
	return (
		<>
			{grid.notTaken.value > 0 && <Banner look="error">{text.notTaken(grid.notTaken.value)}</Banner>}
			{grid.unplaced.value.length > 0 && <Banner look="error">{text.unplaced(listed(grid.unplaced.value))}</Banner>}
			<div class="table-box describe-grid" ref={box} onPaste={(event) => paste(event, grid)}>
				<table {...gridRole} aria-label={text.table} onKeyDown={(event) => handleKey(event, grid)}>
					<thead>
						<tr>
							<th scope="col">{text.topicField}</th>
							{columns.map((column) => (
								<th key={column} scope="col">
									{heads[column]}
								</th>
							))}
							<th scope="col">{text.check}</th>
							<th scope="col">
								<span class="sr">{commonText().actions}</span>
							</th>
						</tr>
					</thead>
					<tbody>
						<Rows checkedRows={checkedRows} grid={grid} bitsOf={bitsOf} />
					</tbody>
				</table>
			</div>
			<KeyHints keys={text.keys} note={text.unitsFrom} />
			{rowOfBits !== undefined && (
				<BitsDialog
					checked={rowOfBits}
					onChange={(bits) => checkedRows.nameBits(rowOfBits.row.key, bits)}
					onClose={() => {
						bitsOf.value = null;
					}}
				/>
			)}
		</>
	);
}

/** Returns the choices of the columns that have a fixed set of values, with their words. */
function columnChoices(): ColumnChoices {
	const { kinds, aggregates } = editorText();
	return {
		kind: rowKinds.map((value) => ({ value, label: kinds[value] })),
		// A simple variable may have every aggregate that a byte may have. The field in a cell leaves out those that its row may not have.
		aggregate: rowAggregates('simple').map((value) => ({ value, label: aggregates[value] })),
	};
}

/** Returns the first names of a list, and how many more there are. */
function listed(names: readonly string[]): string {
	const most = 5;
	return `${names.slice(0, most).join(', ')}${names.length > most ? ` +${names.length - most}` : ''}`;
}

/** Arrows move between the cells of the table. */
const gridRole = { role: 'grid' } as const;

interface GridRowsProps {
	readonly checkedRows: CheckedRows;
	readonly grid: GridState;
	/** The key of the row whose bits are being named; null without one. */
	readonly bitsOf: Signal<string | null>;
}

function Rows({ checkedRows, grid, bitsOf }: GridRowsProps) {
	const checked = checkedRows.checked.value;
	const focus = grid.focus.value;
	const anchorRow = grid.anchorRow.value;
	const typing = grid.typing.value;
	const rowsByName = Map.groupBy(checked, ({ body }) => body.name);
	const choices = columnChoices();
	const lang = language.value;
	const acts = useMemo(
		() => ({
			nameBits: (key: string) => {
				bitsOf.value = key;
			},
			leaveOut: checkedRows.leaveOut,
		}),
		[],
	);
	return checked.map((row, index) => {
		const isInRange = index >= Math.min(anchorRow, focus.row) && index <= Math.max(anchorRow, focus.row);
		return (
			<DescribeRow
				key={row.row.key}
				grid={grid}
				choices={choices}
				lang={lang}
				acts={acts}
				index={index}
				checked={row}
				hasTwin={row.body.name !== '' && (rowsByName.get(row.body.name)?.length ?? 0) > 1}
				rangeColumn={isInRange ? focus.column : null}
				// After rows were left out, the focus may be below the last row. Then the last row has it.
				focusColumn={index === Math.min(focus.row, checked.length - 1) ? focus.column : null}
				typing={index === focus.row ? typing : null}
			/>
		);
	});
}

/**
 * Moves the focus of the page to the cell that the keys have moved to. It does so only while the grid has the focus. The field that is
 * removed at the end of typing takes the focus with it, so that case counts, too.
 */
function useCellFocus({ focus, typing }: GridState, box: HTMLElement | null): void {
	const { row, column } = focus.value;
	const isTyping = typing.value !== null;
	const wasTyping = useRef(false);
	useLayoutEffect(() => {
		if (box?.contains(document.activeElement) === true || wasTyping.current) cellIn(box)?.focus();
		wasTyping.current = isTyping;
	}, [row, column, isTyping]);
}

/** Accepts what is typed, and moves to the next row with a fault. The focus follows once the grid has been rendered. */
function toFault(grid: GridState, box: HTMLElement | null): void {
	box?.querySelector<HTMLElement>('td input, td select')?.blur();
	grid.toNextFault();
	requestAnimationFrame(() => cellIn(box)?.focus());
}

/** Returns the field of the cell while somebody types in it, otherwise the cell. */
function cellIn(box: HTMLElement | null): HTMLElement | null {
	const cell = box?.querySelector<HTMLElement>('td[tabindex="0"]') ?? null;
	return cell?.querySelector<HTMLElement>('input, select') ?? cell;
}

/** Hands a key that was pressed on a cell to the grid. */
function handleKey(event: TargetedKeyboardEvent<HTMLElement>, grid: GridState): void {
	// Fields and buttons in a cell handle their own keys.
	if (!(event.target instanceof Element) || !event.target.matches('td[tabindex]') || event.isComposing) return;
	// AltGr and Option type signs such as µ. For some of these keys, browsers report Ctrl as well.
	const isSign = event.altKey && event.key.length === 1;
	if (event.altKey && !isSign) return;
	const control = !isSign && (event.ctrlKey || event.metaKey);
	if (grid.press(event.key, { control, shift: event.shiftKey })) event.preventDefault();
}

/**
 * While somebody types a text in a cell, a single text is pasted into its field. Spreadsheets copy it with a line end, which the field
 * drops. Anything else is pasted into the cells.
 */
function paste(event: TargetedClipboardEvent<HTMLElement>, grid: GridState): void {
	const text = event.clipboardData?.getData('text/plain') ?? '';
	const isInField = event.target instanceof HTMLInputElement;
	if (text === '' || (isInField && !/[\t\r\n]/.test(text.replace(/\r?\n$/, '')))) return;
	event.preventDefault();
	grid.paste(text);
}
