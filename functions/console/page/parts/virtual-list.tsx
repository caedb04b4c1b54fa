import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { hasModifier } from '#page/core/modifier-keys.ts';
import { classNames } from './class-names.ts';
import { rowAfter } from './row-after.ts';
import { useListView } from './visible-range.ts';

/** Properties of VirtualList. All rows have the height of the custom property `--virtual-row`, which `class` may set. */
interface VirtualListProps<Item> {
	readonly label: string;
	readonly items: readonly Item[];
	readonly keyOf: (item: Item) => string | number;
	/** Whether the row of an item has a link or a button. Keys skip rows without one. */
	readonly isStop: (item: Item) => boolean;
	/** Renders a row. The first link or button in the row takes the focus. */
	readonly children: (item: Item) => ComponentChildren;
	readonly class?: string | undefined;
}

/** A long list of which only the rows near the view are in the page. Arrows, Page, Home and End move the focus from row to row. */
export function VirtualList<Item>({ label, items, keyOf, isStop, children, class: extra }: VirtualListProps<Item>) {
	const box = useRef<HTMLElement>(null);
	const { view, range, measure } = useListView(box, '.probe', items.length);
	const { from, to } = range;
	/** The index of the row that has the focus or is to get it; null while the focus is elsewhere. */
	const [focusRow, setFocusRow] = useState<number | null>(null);
	useLayoutEffect(() => {
		if (focusRow === null) return;
		const row = box.current?.querySelector(`[data-row="${focusRow}"]`);
		// A row may hold several links; the one that has the focus keeps it.
		if (row?.contains(document.activeElement) === false) row.querySelector<HTMLElement>(':is(a, button, [tabindex])')?.focus();
	}, [focusRow]);

	/** Returns the row to focus on the way from a row to `target`: the first stop at `target` or beyond it, otherwise the outermost stop. */
	const nearestStop = (target: number, start: number): number | undefined => {
		const isForward = target >= start;
		const stops = items.flatMap((item, index) => (isStop(item) ? [index] : []));
		const beyond = isForward ? stops.find((index) => index >= target) : stops.findLast((index) => index <= target);
		return beyond ?? (isForward ? stops.at(-1) : stops[0]);
	};
	const move = (event: TargetedKeyboardEvent<HTMLElement>) => {
		const row = rowOf(event.target);
		if (row === null || hasModifier(event)) return;
		// One row of the page before stays in view.
		const pageRows = Math.max(1, Math.floor(view.viewportHeight / view.rowHeight) - 1);
		const target = rowAfter(event.key, row, { pageRows, count: items.length });
		if (target === null) return;
		event.preventDefault();
		setFocusRow(nearestStop(target, row) ?? row);
	};
	// The row with the focus stays in the page when it is scrolled away. It keeps its place in the order: moving its element would lose the focus.
	const rows = Array.from({ length: to - from }, (_, index) => from + index);
	if (focusRow !== null && focusRow < from) rows.unshift(focusRow);
	if (focusRow !== null && focusRow >= to && focusRow < items.length) rows.push(focusRow);
	return (
		<section
			class={classNames('virtual-list', extra)}
			ref={box}
			aria-label={label}
			onScroll={measure}
			onKeyDown={move}
			onFocusCapture={(event) => {
				const row = rowOf(event.target);
				if (row !== null) setFocusRow(row);
			}}
			onBlurCapture={() => setFocusRow(null)}
		>
			{/* Has the height of a row, which is measured also while the list is empty. */}
			<div class="probe" />
			{/* biome-ignore lint/a11y/noRedundantRoles: a list without marks loses its role in Safari. */}
			<ul role="list" style={{ '--rows': items.length }}>
				{rows.map((index) => {
					const item = items[index];
					if (item === undefined) return null;
					return (
						<li
							key={keyOf(item)}
							data-row={index}
							aria-setsize={items.length}
							aria-posinset={index + 1}
							style={{ top: `calc(${index} * var(--virtual-row))` }}
						>
							{children(item)}
						</li>
					);
				})}
			</ul>
		</section>
	);
}

/** Returns the index of the row that an element is in; null outside of the rows. */
function rowOf(target: EventTarget | null): number | null {
	const row = target instanceof Element ? target.closest('[data-row]')?.getAttribute('data-row') : null;
	return row === null || row === undefined ? null : Number(row);
}
