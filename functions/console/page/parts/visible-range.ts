/** What is scrolled and measured of a list, in pixels. */
export interface ListView {
	readonly scrollTop: number;
	readonly viewportHeight: number;
	readonly rowHeight: number;
	readonly count: number;
}

/** The rows that a list holds: from `from` up to, without, `to`. */
export interface RowRange {
	readonly from: number;
	readonly to: number;
}

/** Number of rows that are shown before anything is measured. */
const unmeasuredRows = 50;

/** Returns the rows in view, with one view above and one below, so that a quick scroll shows no empty place. */
export function visibleRangeOf({ scrollTop, viewportHeight, rowHeight, count }: ListView): RowRange {
	if (!(rowHeight > 0) || !(viewportHeight > 0)) return { from: 0, to: Math.min(unmeasuredRows, count) };
	const rowsInView = Math.ceil(viewportHeight / rowHeight);
	const lastTop = Math.max(0, count * rowHeight - viewportHeight);
	const first = Math.floor(Math.min(Math.max(0, scrollTop), lastTop) / rowHeight);
	return { from: Math.max(0, first - rowsInView), to: Math.min(count, first + 2 * rowsInView) };
}
