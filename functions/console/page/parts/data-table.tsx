import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { rowAfter } from './row-after.ts';

/** One column of a DataTable. */
export interface TableColumn<Row> {
	readonly key: string;
	readonly head: ComponentChildren;
	readonly cell: (row: Row) => ComponentChildren;
	/** `end` for numbers, `wide` for text that may take several lines, `buttons` for actions. */
	readonly look?: 'end' | 'wide' | 'buttons' | undefined;
	/** The cells name their rows. One column of a table has it. */
	readonly isRowHead?: boolean | undefined;
	readonly sortable?: boolean | undefined;
}

/** The column that the rows are sorted by, and in which direction. */
export interface TableSort {
	readonly column: string;
	readonly direction: 'ascending' | 'descending';
}

/** The rows come sorted; `onSort` asks for another order. */
interface DataTableProps<Row> {
	/** Names the table for screen readers. */
	readonly caption: string;
	readonly columns: readonly TableColumn<Row>[];
	readonly rows: readonly Row[];
	readonly keyOf: (row: Row) => string | number;
	readonly sort?: TableSort | undefined;
	readonly onSort?: ((sort: TableSort) => void) | undefined;
	readonly selected?: string | number | null | undefined;
	/** Makes the rows selectable, by click, Enter and Space. */
	readonly onSelect?: ((row: Row) => void) | undefined;
	readonly class?: string | undefined;
}

/** Number of rows that Page Up and Page Down pass over. */
const pageRows = 10;

/** A table. Selectable rows are one stop of Tab; arrows, Page, Home and End move from row to row. */
export function DataTable<Row>({
	caption,
	columns,
	rows,
	keyOf,
	sort,
	onSort,
	selected,
	onSelect,
	class: extra,
}: DataTableProps<Row>) {
	const body = useRef<HTMLTableSectionElement>(null);
	const [focused, setFocused] = useState<string | number | null>(null);
	const stop = [focused, selected].find((key) => rows.some((row) => keyOf(row) === key)) ?? rows.slice(0, 1).map(keyOf)[0];

	const onRowKey = (event: TargetedKeyboardEvent<HTMLTableRowElement>, row: Row, index: number) => {
		// Keys of the controls inside a row are theirs.
		if (event.target !== event.currentTarget) return;
		if (event.key === 'Enter' || event.key === ' ') {
			event.preventDefault();
			onSelect?.(row);
		}
		const target = rowAfter(event.key, index, pageRows, rows.length);
		if (target === null) return;
		event.preventDefault();
		body.current?.rows[target]?.focus();
	};

	const renderRow = (row: Row, index: number) => {
		const key = keyOf(row);
		const cells = columns.map(({ key: column, cell, look, isRowHead = false }) =>
			isRowHead ? (
				<th key={column} scope="row" class={look}>
					{cell(row)}
				</th>
			) : (
				<td key={column} class={look}>
					{cell(row)}
				</td>
			),
		);
		if (onSelect === undefined) return <tr key={key}>{cells}</tr>;
		return (
			<tr
				key={key}
				tabIndex={key === stop ? 0 : -1}
				aria-selected={key === selected}
				onClick={(event) => {
					const isControl = event.target instanceof Element && event.target.closest('button, a, input, select, label') !== null;
					if (!isControl) onSelect(row);
				}}
				onFocus={() => setFocused(key)}
				onKeyDown={(event) => onRowKey(event, row, index)}
			>
				{cells}
			</tr>
		);
	};

	return (
		<div class={classNames('table-box', extra)}>
			<table role={onSelect === undefined ? undefined : 'grid'} aria-label={caption}>
				<thead>
					<tr>
						{columns.map((column) => (
							<TableHead key={column.key} column={column} sort={sort} onSort={onSort} />
						))}
					</tr>
				</thead>
				<tbody ref={body}>{rows.map(renderRow)}</tbody>
			</table>
		</div>
	);
}

interface TableHeadProps {
	readonly column: Omit<TableColumn<never>, 'cell'>;
	readonly sort: TableSort | undefined;
	readonly onSort: ((sort: TableSort) => void) | undefined;
}

/** The head of a column: a button when it sorts. */
function TableHead({ column: { key, head, look, sortable = false }, sort, onSort }: TableHeadProps) {
	if (!sortable || onSort === undefined)
		return (
			<th scope="col" class={look}>
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
