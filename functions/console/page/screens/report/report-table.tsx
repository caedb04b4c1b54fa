import type { TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { hasModifier } from '#page/core/modifier-keys.ts';
import { hrefOf } from '#page/core/route.ts';
import { may } from '#page/core/session.ts';
import { commonText } from '#page/i18n/common.ts';
import { classNames } from '#page/parts/class-names.ts';
import { BeyondSign, NumberCell, StateCell } from './number-cell.tsx';
import { changeWords, shareText } from './report-cells.ts';
import { clockIn, spanName } from './report-labels.ts';
import {
	hasBars,
	isFillable,
	leastKnown,
	numberIn,
	type ReportColumn,
	type ReportModel,
	type ReportRow,
} from './report-model.ts';
import { rowLengths } from './report-periods.ts';
import { reportViewParams, rowView } from './report-view.ts';
import { riseWords } from './rise-words.ts';
import { reportScreenText } from './texts.ts';

/** A chosen cell. Its column is a line, or null for the state of the days. Its row is null for the whole period. */
export interface ChosenCell {
	readonly column: ReportColumn | null;
	readonly row: ReportRow | null;
	/** The element of the cell. */
	readonly element: HTMLElement;
}

interface ReportTableProps {
	readonly model: ReportModel;
	/** Whether another period is being read. */
	readonly isChanging: boolean;
	readonly onChoose: (cell: ChosenCell) => void;
}

/** Number of rows that Page Up and Page Down pass over. */
const pageRows = 10;

/** The role of a table whose cells are reached by arrow keys. Spread, because the linter takes a table for something that only shows. */
const grid = { role: 'grid' } as const;

/**
 * A table with a row for each window and a column for each line. Sums, comparison and change stay in view above the rows. Arrow keys move
 * from cell to cell.
 */
export function ReportTable({ model, isChanging, onChoose }: ReportTableProps) {
	const box = useRef<HTMLDivElement>(null);
	const { columns, rows, groups, period } = model;
	// Tab reaches only one cell: the cell that had the focus last, or the first cell.
	useLayoutEffect(() => {
		const cells = [...(box.current?.querySelectorAll<HTMLElement>('[data-cell]') ?? [])];
		if (!cells.some(({ tabIndex }) => tabIndex === 0)) cells[0]?.setAttribute('tabindex', '0');
	});
	const text = reportScreenText();
	return (
		<div class={classNames('table-box report-box only-wide', isChanging && 'changing')} ref={box}>
			<table
				{...grid}
				aria-label={period.report.title}
				class="report-table"
				onFocusIn={(event) => makeTabStop(event.currentTarget, event.target)}
				onKeyDown={onArrow}
			>
				<thead>
					<tr class="groups">
						<th rowSpan={2} scope="col" class="corner">
							{commonText().lengths[rowLengths[period.view.length]]}
						</th>
						{groups.map(({ name, columns: inGroup }, index) => (
							// biome-ignore lint/suspicious/noArrayIndexKey: a group may stand twice, and groups have no order of their own.
							<th key={index} scope="colgroup" colSpan={inGroup.length} class="first">
								<span>{name}</span>
							</th>
						))}
						<th scope="colgroup" colSpan={2} class="first">
							{commonText().data}
						</th>
					</tr>
					<tr class="names">
						{columns.map((column) => (
							<th key={column.line.key} scope="col" class={classNames('end', isFirst(model, column) && 'first')}>
								<span>{column.line.name}</span>
								<small>{column.sub}</small>
							</th>
						))}
						<th scope="col" class="end first">
							<span>{text.known}</span>
							<small>%</small>
						</th>
						<th scope="col">
							<span>{commonText().state}</span>
						</th>
					</tr>
					<SumRows model={model} onChoose={onChoose} />
				</thead>
				<tbody>
					{rows.map((row) => (
						<WindowRow key={row.start} model={model} row={row} onChoose={onChoose} />
					))}
				</tbody>
			</table>
		</div>
	);
}

/** The rows with the numbers of the whole period, those of the compared period, and the change. */
function SumRows({ model, onChoose }: Pick<ReportTableProps, 'model' | 'onChoose'>) {
	const text = reportScreenText();
	const { columns, calendar, period } = model;
	const { view, span, compared, report } = period;
	/** The part of the period that has been counted. */
	const countedSpan = { ...span, end: report.bounds.at(-1) ?? span.end };
	const known = leastKnown(columns, ({ line }) => line.total.known);
	const knownBefore = compared === null ? null : leastKnown(columns, (column) => column.compared?.known ?? null);
	return (
		<>
			<tr class={classNames('sum', compared === null && 'last')}>
				<th scope="row">{spanName(view.length, countedSpan, calendar, span.date)}</th>
				{columns.map((column) => (
					<NumberCell
						key={column.line.key}
						counted={column.line.total}
						column={column}
						isFirst={isFirst(model, column)}
						isFillable={may('engineer') && isFillable(model, column, null)}
						onChoose={(element) => onChoose({ column, row: null, element })}
					/>
				))}
				<KnownCell known={known} />
				<StateCell
					state={model.state}
					changed={report.changed}
					onChoose={(element) => onChoose({ column: null, row: null, element })}
				/>
			</tr>
			{columns.some(({ line }) => line.rise !== undefined) && <RiseRow model={model} />}
			{compared !== null && (
				<>
					<tr class="compared">
						<th scope="row">{spanName(view.length, compared.span, calendar, span.date)}</th>
						{columns.map((column) => (
							<NumberCell key={column.line.key} counted={column.compared} column={column} isFirst={isFirst(model, column)} />
						))}
						<KnownCell known={knownBefore} />
						<td />
					</tr>
					<tr class="compared last">
						<th scope="row">{text.change}</th>
						{columns.map((column) => (
							<ChangeCell key={column.line.key} column={column} isFirst={isFirst(model, column)} />
						))}
						<td class="first" />
						<td />
					</tr>
				</>
			)}
		</>
	);
}

/** How far the numbers of the period are above the references of their lines. */
function RiseRow({ model }: Pick<ReportTableProps, 'model'>) {
	return (
		<tr class="compared">
			<th scope="row">{reportScreenText().rise}</th>
			{model.columns.map((column) => (
				<RiseCell key={column.line.key} column={column} isFirst={isFirst(model, column)} />
			))}
			<td class="first" />
			<td />
		</tr>
	);
}

/** How far a number is above the reference of its line, in its unit and in per cent, with a sign where that is more than usual. */
function RiseCell({ column, isFirst: first }: { readonly column: ReportColumn; readonly isFirst: boolean }) {
	const rise = riseWords(column, null);
	return (
		<td class={classNames('end', first && 'first', rise?.isBeyond && 'bad')}>
			{rise !== null && (
				<>
					{rise.isBeyond && <BeyondSign />}
					{rise.number} {rise.percent !== null && <small>{rise.percent}</small>}
					{rise.bounds !== null && <small class="bound">{rise.bounds}</small>}
				</>
			)}
		</td>
	);
}

/** The change of a line since the compared period. */
function ChangeCell({ column, isFirst: first }: { readonly column: ReportColumn; readonly isFirst: boolean }) {
	const { line, compared } = column;
	const change = compared === null ? null : changeWords(line.total, compared, column);
	return <td class={classNames('end', first && 'first', change?.kind === 'part' && 'bound')}>{change?.bounds}</td>;
}

/** The share of the time that is known. */
function KnownCell({ known }: { readonly known: number | null }) {
	return <td class={classNames('end first', known !== null && known < 1 && 'violet')}>{shareText(known)}</td>;
}

interface WindowRowProps extends Pick<ReportTableProps, 'model' | 'onChoose'> {
	readonly row: ReportRow;
}

/**
 * The numbers of all lines in one window, with the known share and the state of the days. The hours of a day show no state: the row of sums
 * shows that of the day.
 */
function WindowRow({ model, row, onChoose }: WindowRowProps) {
	const { columns, calendar, period } = model;
	const { window, state } = row;
	const { length } = period.view;
	const end = window === null ? row.end : (period.report.bounds[window + 1] ?? row.end);
	/** The window is not over: it was counted until `end`. */
	const isOpen = end < row.end;
	const openedView = rowView(length, row);
	return (
		<tr class={classNames(row.isRuledOff && 'last', isOpen && 'open')}>
			<th scope="row">
				{openedView === null || window === null ? (
					row.name
				) : (
					<a tabIndex={-1} href={hrefOf('report', period.report.id, reportViewParams(openedView))}>
						{row.name}
					</a>
				)}
				{isOpen && <small> {reportScreenText().until(clockIn(end, calendar))}</small>}
			</th>
			{columns.map((column) =>
				window === null ? (
					<td key={column.line.key} class={isFirst(model, column) ? 'first' : undefined} />
				) : (
					<NumberCell
						key={column.line.key}
						counted={numberIn(column, window)}
						column={column}
						isFirst={isFirst(model, column)}
						bar={length === 'day' && hasBars(column) ? mostOf(column) : null}
						isFillable={may('engineer') && isFillable(model, column, row)}
						onChoose={(element) => onChoose({ column, row, element })}
					/>
				),
			)}
			{window === null ? (
				<td class="first" />
			) : (
				<KnownCell known={leastKnown(columns, (column) => numberIn(column, window).known)} />
			)}
			{state === null || length === 'day' ? (
				<td />
			) : (
				<StateCell state={state} changed={row.changed} onChoose={(element) => onChoose({ column: null, row, element })} />
			)}
		</tr>
	);
}

/** Returns the greatest number of a line, which a full bar represents. */
const mostOf = ({ line }: ReportColumn): number =>
	Math.max(0, ...line.high.map((high) => high ?? 0), ...line.values.map((value) => value ?? 0));

/** Whether a column is the first one of its group. */
const isFirst = ({ groups }: ReportModel, column: ReportColumn): boolean => groups.some(({ columns }) => columns[0] === column);

/** Makes the cell that got the focus the only one at which the Tab key stops. */
function makeTabStop(box: HTMLElement, target: EventTarget | null): void {
	if (!(target instanceof HTMLElement) || target.dataset['cell'] === undefined) return;
	for (const cell of box.querySelectorAll('[data-cell][tabindex="0"]')) cell.setAttribute('tabindex', '-1');
	target.setAttribute('tabindex', '0');
}

/** Moves the focus by the arrow keys, Home, End, Page Up and Page Down. */
function onArrow(event: TargetedKeyboardEvent<HTMLElement>): void {
	if (hasModifier(event) || !(event.target instanceof HTMLElement)) return;
	const cell = event.target.closest<HTMLElement>('[data-cell]');
	const rows = [...event.currentTarget.querySelectorAll('tr')].map((row) => [
		...row.querySelectorAll<HTMLElement>('[data-cell]'),
	]);
	const filledRows = rows.filter((cells) => cells.length > 0);
	const rowIndex = filledRows.findIndex((cells) => cells.some((each) => each === cell));
	const row = filledRows[rowIndex];
	if (cell === null || row === undefined) return;
	const column = row.indexOf(cell);
	const nearestIndex = (index: number, count: number): number => Math.min(count - 1, Math.max(0, index));
	/** Returns the cell of the same column `steps` rows below, or above if `steps` is negative. */
	const cellBelow = (steps: number) => {
		const other = filledRows[nearestIndex(rowIndex + steps, filledRows.length)] ?? row;
		return other[nearestIndex(column, other.length)];
	};
	const moves: Readonly<Record<string, () => HTMLElement | undefined>> = {
		ArrowUp: () => cellBelow(-1),
		ArrowDown: () => cellBelow(1),
		ArrowLeft: () => row[nearestIndex(column - 1, row.length)],
		ArrowRight: () => row[nearestIndex(column + 1, row.length)],
		Home: () => row[0],
		End: () => row.at(-1),
		PageUp: () => cellBelow(-pageRows),
		PageDown: () => cellBelow(pageRows),
	};
	const target = moves[event.key]?.();
	if (target === undefined) return;
	event.preventDefault();
	target.focus();
}
