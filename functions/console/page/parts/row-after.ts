/**
 * Returns the row to which a key moves the focus; null for a key that does not move it.
 * @param row the row with the focus, from 0 to `count` - 1
 * @param pageRows the number of rows that Page Up and Page Down pass over
 */
export function rowAfter(
	key: string,
	row: number,
	{ pageRows, count }: { readonly pageRows: number; readonly count: number },
): number | null {
	const targets: Readonly<Record<string, number>> = {
		ArrowDown: row + 1,
		ArrowUp: row - 1,
		PageDown: row + pageRows,
		PageUp: row - pageRows,
		Home: 0,
		End: count - 1,
	};
	const target = Object.hasOwn(targets, key) ? targets[key] : undefined;
	return target === undefined ? null : Math.min(count - 1, Math.max(0, target));
}
