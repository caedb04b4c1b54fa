import { expect, test } from 'vitest';
import { rowAfter } from '#page/parts/row-after.ts';

test.each([
	['ArrowDown', 4, 5],
	['ArrowDown', 29, 29],
	['ArrowUp', 4, 3],
	['ArrowUp', 0, 0],
	['PageDown', 4, 14],
	['PageDown', 25, 29],
	['PageUp', 14, 4],
	['PageUp', 4, 0],
	['Home', 4, 0],
	['End', 4, 29],
	['Enter', 4, null],
	['constructor', 4, null],
])('%s leads from row %d of 30 to row %s', (key, row, expected) => {
	expect(rowAfter(key, row, { pageRows: 10, count: 30 })).toBe(expected);
});
