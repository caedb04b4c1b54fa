import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { formatUtc } from '#page/format/time.ts';
import { commonText } from '#page/i18n/common.ts';
import { rowAfter } from '#page/parts/row-after.ts';
import { useListView, visibleRangeOf } from '#page/parts/visible-range.ts';
import { trendText } from './texts.ts';
import { formatLineValue, formatWindowStart } from './trend-format.ts';
import { isCurve, linesIn, middleOf, type TrendModel } from './trend-model.ts';

interface TrendTableProps {
	readonly model: TrendModel;
	/** The window of the crosshair, whose row is selected. */
	readonly index: number | null;
	readonly onMarker: (time: number) => void;
}

/**
 * The windows as rows, newest first; row and crosshair are one. Only the rows near the view are in the page. The table is one stop of
 * Tab; arrows, Page, Home and End move the crosshair from row to row.
 */
export function TrendTable({ model, index, onMarker }: TrendTableProps) {
	const text = trendText();
	const { bounds } = model;
	const lines = linesIn(model);
	const count = bounds.length - 1;
	const box = useRef<HTMLDivElement>(null);
	const { view, measure } = useListView(box, 'tbody tr[data-window]');
	useEffect(() => {
		if (index !== null && box.current !== null) scrollToRow(box.current, count - 1 - index, view.rowHeight);
	}, [index, count]);
	/** The window whose row gets the focus as soon as it is in the page. */
	const wanted = useRef<number | null>(null);
	const focusWanted = (): void => {
		const row = wanted.current === null ? null : box.current?.querySelector<HTMLElement>(`tr[data-window="${wanted.current}"]`);
		if (row === null || row === undefined) return;
		wanted.current = null;
		row.focus({ preventScroll: true });
	};
	useEffect(focusWanted);

	const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>): void => {
		const row = event.target instanceof Element ? event.target.closest('tr[data-window]')?.getAttribute('data-window') : null;
		if (row === null || row === undefined) return;
		const [place, page] = [count - 1 - Number(row), Math.max(1, Math.floor(view.viewportHeight / view.rowHeight) - 1)];
		const target = event.key === 'Enter' || event.key === ' ' ? place : rowAfter(event.key, place, page, count);
		if (target === null) return;
		event.preventDefault();
		wanted.current = count - 1 - target;
		onMarker(middleOf(bounds, wanted.current));
		focusWanted();
	};
	const { from, to } = visibleRangeOf({ ...view, count });
	const stop = index ?? count - 1;
	const rows = Array.from({ length: to - from }, (_, place) => count - 1 - from - place);
	const spacer = (rowCount: number) =>
		rowCount > 0 && (
			<tr>
				<td class="spacer" colSpan={lines.length + 1} style={{ height: `${rowCount * view.rowHeight}px` }} />
			</tr>
		);
	return (
		<section class="panel trend-rows" aria-label={text.table}>
			<div class="line">
				<h2>{text.table}</h2>
				<span class="muted end">{text.rows(count)}</span>
			</div>
			{/* biome-ignore lint/a11y/noStaticElementInteractions: the rows in it have the focus, and it acts on their keys. */}
			<div class="trend-table table-box" ref={box} onScroll={measure} onKeyDown={onKeyDown}>
				<table {...gridRole} aria-label={text.table} aria-rowcount={count + 1}>
					<thead>
						<tr>
							<th scope="col">{commonText().time}</th>
							{lines.map((line) => (
								<th key={line.key} scope="col" class="end" title={line.name}>
									<span>{line.name}</span>
									<small>{isCurve(line) ? line.unit : ''}</small>
								</th>
							))}
						</tr>
					</thead>
					<tbody>
						{spacer(from)}
						{rows.map((row) => (
							<WindowRow key={row} model={model} row={row} isSelected={row === index} isStop={row === stop} onMarker={onMarker} />
						))}
						{spacer(count - to)}
					</tbody>
				</table>
			</div>
		</section>
	);
}

interface WindowRowProps extends Pick<TrendTableProps, 'model' | 'onMarker'> {
	/** The window. */
	readonly row: number;
	readonly isSelected: boolean;
	/** Whether Tab comes to this row. */
	readonly isStop: boolean;
}

function WindowRow({ model, row, isSelected, isStop, onMarker }: WindowRowProps) {
	const { bounds } = model;
	return (
		<tr
			data-window={row}
			aria-rowindex={bounds.length - row}
			aria-selected={isSelected}
			tabIndex={isStop ? 0 : -1}
			onClick={() => onMarker(middleOf(bounds, row))}
		>
			<th scope="row" title={formatUtc(bounds[row] ?? 0)}>
				{formatWindowStart(bounds, row)}
			</th>
			{linesIn(model).map((line) => (
				<td key={line.key} class="end">
					{formatLineValue(line, line.values[row] ?? null)}
				</td>
			))}
		</tr>
	);
}

/** Rows can be selected in a grid only. */
const gridRole = { role: 'grid' } as const;

/** Scrolls the row to the middle where it is out of view. It scrolls the box, never the page: the pointer is in the curves. */
function scrollToRow(box: HTMLElement, place: number, rowHeight: number): void {
	const head = box.querySelector('thead')?.getBoundingClientRect().height ?? 0;
	const top = place * rowHeight;
	const isInView = top >= box.scrollTop && top + rowHeight + head <= box.scrollTop + box.clientHeight;
	if (!isInView) box.scrollTop = top - (box.clientHeight - head - rowHeight) / 2;
}
