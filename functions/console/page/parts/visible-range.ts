import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** The scroll position and the measured sizes of a list, in pixels, and the number of its rows. */
export interface ListView {
	readonly scrollTop: number;
	readonly viewportHeight: number;
	readonly rowHeight: number;
	readonly count: number;
}

/** The rows of a list that are in the page: from `from` up to, but not including, `to`. */
export interface RowRange {
	readonly from: number;
	readonly to: number;
}

/** Number of rows that are shown before anything is measured. */
const unmeasuredRows = 50;

/** Returns the rows in view, and as many rows again above and below, so that a quick scroll shows no empty place. */
export function visibleRangeOf({ scrollTop, viewportHeight, rowHeight, count }: ListView): RowRange {
	if (!(rowHeight > 0) || !(viewportHeight > 0)) return { from: 0, to: Math.min(unmeasuredRows, count) };
	const rowsInView = Math.ceil(viewportHeight / rowHeight);
	const lastTop = Math.max(0, count * rowHeight - viewportHeight);
	const first = Math.floor(Math.min(Math.max(0, scrollTop), lastTop) / rowHeight);
	return { from: Math.max(0, first - rowsInView), to: Math.min(count, first + 2 * rowsInView) };
}

/**
 * Measures the visible part of a list at first and whenever its size changes. Call `measure` when the list is scrolled.
 * `range` is what is to be in the page: on paper all rows.
 * @param row the selector of an element that is as high as a row
 */
export function useListView(box: RefObject<HTMLElement | null>, row: string, count: number) {
	const [view, setView] = useState({ scrollTop: 0, viewportHeight: 0, rowHeight: 0 });
	const [isPrinted, setPrinted] = useState(false);
	const measure = (): void => {
		const rowHeight = box.current?.querySelector(row)?.getBoundingClientRect().height;
		if (box.current === null || rowHeight === undefined) return;
		setView({ scrollTop: box.current.scrollTop, viewportHeight: box.current.clientHeight, rowHeight });
	};
	useLayoutEffect(() => {
		const observer = new ResizeObserver(measure);
		for (const element of [box.current, box.current?.querySelector(row)])
			if (element !== null && element !== undefined) observer.observe(element);
		return () => observer.disconnect();
	}, []);
	useLayoutEffect(() => {
		const prints = new AbortController();
		const { signal } = prints;
		globalThis.addEventListener('beforeprint', () => setPrinted(true), { signal });
		globalThis.addEventListener('afterprint', () => setPrinted(false), { signal });
		return () => prints.abort();
	}, []);
	return { view, range: isPrinted ? { from: 0, to: count } : visibleRangeOf({ ...view, count }), measure };
}
