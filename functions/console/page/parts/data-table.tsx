import type { ComponentChildren, RefObject, TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { hasModifier } from '#page/core/modifier-keys.ts';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { rowAfter } from './row-after.ts';
import { type ListView, type RowRange, useListView } from './visible-range.ts';

/** One column of a DataTable. */
export interface TableColumn<Row> {
	readonly key: string;
	readonly head: ComponentChildren;
	/** The whole text of the head, as a tooltip: a narrow column may cut the head. */
	readonly title?: string | undefined;
	readonly cell: (row: Row) => ComponentChildren;
	/** `end` for numbers, `wide` for text that may take several lines, `buttons` for actions. */
	readonly look?: 'end' | 'wide' | 'buttons' | undefined;
	/** Whether the cells of this column name their rows. At most one column has this. */
	readonly isRowHead?: boolean | undefined;
	readonly sortable?: boolean | undefined;
}

/** The column that the rows are sorted by, and in which direction. */
export interface TableSort {
	readonly column: string;
	readonly direction: 'ascending' | 'descending';
}

/** Properties of DataTable. `rows` are already sorted. `onSort` asks the parent component for another order. */
interface DataTableProps<Row> {
	/** Names the table for screen readers. */
	readonly caption: string;
	readonly columns: readonly TableColumn<Row>[];
	readonly rows: readonly Row[];
	readonly keyOf: (row: Row) => string | number;
	readonly sort?: TableSort | undefined;
	readonly onSort?: ((sort: TableSort) => void) | undefined;
	readonly selected?: string | number | null | undefined;
	/** The keys of the selected rows, in a table where several can be selected. */
	readonly chosen?: ReadonlySet<string | number> | undefined;
	/** Makes the rows selectable by click, Enter and Space. `isRange`: Shift was held, in a table where several rows can be selected. */
	readonly onSelect?: ((row: Row, isRange: boolean) => void) | undefined;
	/** Whether keys that move from row to row also select. */
	readonly selectsOnMove?: boolean | undefined;
	/** Whether the table scrolls in its own box, with only the rows near the view in the page. All rows are of one height then. */
	readonly isLong?: boolean | undefined;
	/** Names the group of a row. A head stands above the first row of each group. Left out in a long table, whose rows are of one height. */
	readonly groupOf?: ((row: Row) => string) | undefined;
	readonly class?: string | undefined;
}

/** A table with more rows than this sets `isLong`. Its rows are one line high. */
export const longTable = 200;

/** Number of rows that Page Up and Page Down pass over. */
const pageRows = 10;

/** A table. If its rows are selectable, the Tab key stops once in the table, and arrows, Page, Home and End move from row to row. */
export function DataTable<Row>(props: DataTableProps<Row>) {
	const { caption, columns, rows, keyOf, sort, onSort, selected = null, onSelect, isLong = false, groupOf, chosen } = props;
	const box = useRef<HTMLDivElement>(null);
	/** The key of the row that had the focus last; null before one had it. */
	const [focused, setFocused] = useState<string | number | null>(null);
	const indexOf = (key: string | number | null): number => (key === null ? -1 : rows.findIndex((row) => keyOf(row) === key));
	const [selectedAt, focusedAt] = [indexOf(selected), indexOf(focused)];
	// Where keys select, the Tab key returns to the selected row. Elsewhere it returns to the row that the keys have reached.
	const stops = props.selectsOnMove === true ? [selectedAt, focusedAt] : [focusedAt, selectedAt];
	/** The row at which the Tab key stops. */
	const stop = stops.find((index) => index >= 0) ?? 0;
	const { range, rowHeight, measure, focusRow } = useRows(box, { count: rows.length, isLong, selectedAt });

	const onRowKey = (event: TargetedKeyboardEvent<HTMLTableRowElement>, index: number) => {
		// A control inside the row handles its own keys.
		if (event.target !== event.currentTarget || hasModifier(event)) return;
		const isSelectKey = event.key === 'Enter' || event.key === ' ';
		const target = isSelectKey ? index : rowAfter(event.key, index, { pageRows, count: rows.length });
		const row = target === null ? undefined : rows[target];
		if (target === null || row === undefined) return;
		event.preventDefault();
		if (isSelectKey || props.selectsOnMove === true) onSelect?.(row, event.shiftKey && chosen !== undefined);
		if (!isSelectKey) focusRow(target);
	};

	const renderRow = (index: number) => {
		const row = rows[index];
		if (row === undefined) return null;
		const key = keyOf(row);
		const selectable = onSelect !== undefined && {
			tabIndex: index === stop ? 0 : -1,
			'aria-selected': chosen?.has(key) ?? index === selectedAt,
			onClick: ({ target, shiftKey }: MouseEvent) => {
				if (!isInControl(target)) onSelect(row, shiftKey && chosen !== undefined);
			},
			onFocus: () => setFocused(key),
			onKeyDown: (event: TargetedKeyboardEvent<HTMLTableRowElement>) => onRowKey(event, index),
		};
		const rendered = (
			<tr key={key} aria-rowindex={isLong ? ariaRowOf(index) : undefined} {...selectable}>
				{cellsOf(row, columns)}
			</tr>
		);
		const group = groupOf?.(row);
		const before = rows[index - 1];
		const isSameGroup = before !== undefined && groupOf?.(before) === group;
		if (group === undefined || isSameGroup) return rendered;
		return [<GroupHead key={group} group={group} columns={columns.length} />, rendered];
	};

	return (
		<div class={classNames('table-box', isLong && 'long', props.class)} ref={box} onScroll={isLong ? measure : undefined}>
			{/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: only a table with the role grid has it. */}
			<table
				role={onSelect === undefined ? undefined : 'grid'}
				aria-label={caption}
				aria-multiselectable={chosen === undefined ? undefined : true}
				aria-rowcount={isLong ? rows.length + 1 : undefined}
			>
				<thead>
					<tr>
						{columns.map((column) => (
							<TableHead key={column.key} column={column} sort={sort} onSort={onSort} />
						))}
					</tr>
				</thead>
				<tbody>
					{withSpacers(
						shownRows(range, stop, rows.length),
						{ count: rows.length, rowHeight, columns: columns.length },
						renderRow,
					)}
				</tbody>
			</table>
		</div>
	);
}

/** Returns the cells of a row. Narrow tables show the head of its column in each cell. */
function cellsOf<Row>(row: Row, columns: readonly TableColumn<Row>[]) {
	return columns.map(({ key, cell, look, isRowHead = false, head }) =>
		isRowHead ? (
			<th key={key} scope="row" class={look}>
				{cell(row)}
			</th>
		) : (
			<td key={key} class={look} data-head={typeof head === 'string' ? head : undefined}>
				{cell(row)}
			</td>
		),
	);
}

/** Whether an element is in a control, which handles clicks itself. */
function isInControl(target: EventTarget | null): boolean {
	return target instanceof Element && target.closest('button, a, input, select, label') !== null;
}

/** Returns the `aria-rowindex` of a row. It counts from 1, and the head is the first row. */
function ariaRowOf(index: number): number {
	return index + 2;
}

interface RowsOptions {
	readonly count: number;
	readonly isLong: boolean;
	/** The index of the selected row; -1 without one. */
	readonly selectedAt: number;
}

/** Follows which rows are near the view, moves the focus to a row, and keeps the selected row of a long table in view. */
function useRows(box: RefObject<HTMLDivElement | null>, { count, isLong, selectedAt }: RowsOptions) {
	const { view, range, measure } = useListView(box, 'tbody > tr:not(.spacer)', count);
	/** The row that gets the focus as soon as it is in the page. */
	const nextFocus = useRef<number | null>(null);
	const bringIntoView = (index: number): void => {
		if (isLong && box.current !== null) scrollToRow(box.current, index, view.rowHeight);
	};
	const moveFocus = (): void => {
		const rows = [...(box.current?.querySelectorAll<HTMLElement>('tbody > tr[tabindex]') ?? [])];
		// In a long table, only some rows are in the page.
		const isNext = (row: HTMLElement, index: number): boolean =>
			isLong ? row.ariaRowIndex === String(ariaRowOf(nextFocus.current ?? 0)) : index === nextFocus.current;
		const row = nextFocus.current === null ? undefined : rows.find(isNext);
		if (row === undefined) return;
		nextFocus.current = null;
		row.focus();
	};
	useLayoutEffect(moveFocus);
	useLayoutEffect(() => {
		if (selectedAt >= 0) bringIntoView(selectedAt);
	}, [selectedAt, count]);
	const focusRow = (index: number): void => {
		nextFocus.current = index;
		bringIntoView(index);
		moveFocus();
	};
	return { range: isLong ? range : { from: 0, to: count }, rowHeight: view.rowHeight, measure, focusRow };
}

/** Returns the indices of the rows near the view, and of the row at which the Tab key stops. */
function shownRows({ from, to }: RowRange, stop: number, count: number): readonly number[] {
	const near = Array.from({ length: to - from }, (_, place) => from + place);
	if (stop < from) return [stop, ...near];
	return stop >= to && stop < count ? [...near, stop] : near;
}

/** Renders the shown rows. A spacer takes the place of the rows that are left out between them. */
function withSpacers(
	shown: readonly number[],
	{ count, rowHeight, columns }: Pick<ListView, 'count' | 'rowHeight'> & { readonly columns: number },
	renderRow: (index: number) => ComponentChildren,
): ComponentChildren {
	/** The row after the last one that was rendered. */
	let next = 0;
	return [...shown, count].flatMap((index) => {
		const leftOut = index - next;
		next = index + 1;
		return [
			leftOut > 0 && (
				<tr key={`space ${index}`} class="spacer" style={{ height: `${leftOut * rowHeight}px` }}>
					<td colSpan={columns} />
				</tr>
			),
			index < count && renderRow(index),
		];
	});
}

/** Scrolls a row that is out of view to the middle of the box. The page itself is not scrolled. */
function scrollToRow(box: HTMLElement, place: number, rowHeight: number): void {
	const head = box.querySelector('thead')?.getBoundingClientRect().height ?? 0;
	const top = place * rowHeight;
	const isInView = top >= box.scrollTop && top + rowHeight + head <= box.scrollTop + box.clientHeight;
	if (!isInView) box.scrollTop = top - (box.clientHeight - head - rowHeight) / 2;
}

/** The head of a group of rows. */
function GroupHead({ group, columns }: { readonly group: string; readonly columns: number }) {
	return (
		<tr class="group">
			<th scope="colgroup" colSpan={columns}>
				{group}
			</th>
		</tr>
	);
}

interface TableHeadProps {
	readonly column: Omit<TableColumn<never>, 'cell'>;
	readonly sort: TableSort | undefined;
	readonly onSort: ((sort: TableSort) => void) | undefined;
}

/** The head of a column: a button when it sorts. The arrow is only visible while the rows are sorted by the column. */
function TableHead({ column: { key, head, title, look, sortable = false }, sort, onSort }: TableHeadProps) {
	if (!sortable || onSort === undefined)
		return (
			<th scope="col" class={look} title={title}>
				{head}
			</th>
		);
	const current = sort?.column === key ? sort.direction : undefined;
	return (
		<th scope="col" class={look} aria-sort={current}>
			<button
				type="button"
				class="sort"
				onClick={() => onSort({ column: key, direction: current === 'ascending' ? 'descending' : 'ascending' })}
			>
				{head}
				<Icon name={current === 'descending' ? 'i-down' : 'i-up'} />
			</button>
		</th>
	);
}
