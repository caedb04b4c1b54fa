import { parseTyped } from '#page/format/typed-number.ts';

/**
 * Returns a formula into which the points of a curve are pasted from two columns: behind the arguments of a `curve` that is being typed, or as a
 * curve of its own, whose operand is still to be named. A row of heads is left out, and the rows are sorted by x.
 * @param pasted two columns, of numbers as people type them
 * @param start the pasted text replaces the formula from `start` up to, but not including, `end`
 * @returns the formula with the caret behind what was pasted, or where the operand belongs. Anything but points is pasted as one line
 */
export function withPoints(
	text: string,
	start: number,
	end: number,
	pasted: string,
): { readonly text: string; readonly caret: number } {
	const [before, after] = [text.slice(0, start), text.slice(end)];
	const insert = (beforeCaret: string, afterCaret = '') => ({
		text: before + beforeCaret + afterCaret + after,
		caret: before.length + beforeCaret.length,
	});
	const lines = pasted
		.trim()
		.split(/\r?\n/)
		.map((line) => line.split('\t').map(parseTyped));
	const rows = lines[0]?.includes(null) ? lines.slice(1) : lines;
	const points = rows.flatMap(([x = null, y = null, ...others]) =>
		x === null || y === null || others.length > 0 ? [] : [{ x, y }],
	);
	if (points.length < rows.length || points.length < 2) return insert(pasted.replace(/\s+/g, ' '));
	const list = points
		.toSorted((a, b) => a.x - b.x)
		.map(({ x, y }) => `${x}, ${y}`)
		.join(', ');
	const isInCurve = /\bcurve\s*\([^()]*$/.test(before);
	return isInCurve ? insert(beforePoints(before) + list) : insert('curve({', `}, ${list})`);
}

/** Returns what must stand between the text before and the points: a comma, unless there is one. */
function beforePoints(before: string): string {
	if (/,\s*$/.test(before)) return before.endsWith(',') ? ' ' : '';
	return ', ';
}
