import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellAfter, filledDown, nextFault, pastedAt, sheetRows } from '#page/screens/variable-editor/add/grid-edits.ts';
import { readVectors } from '#test/support/vectors.ts';

interface PasteCase {
	readonly reason: string;
	readonly at: readonly [row: number, column: number];
	readonly to: number;
	readonly text: string;
	readonly edits: readonly (readonly [row: number, column: number, text: string])[];
}

const size = { rows: 4, columns: 3 };
const keys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End'] as const;

describe('pasting', () => {
	test.each(readVectors<PasteCase>('grid-edits'))('$reason', ({ at: [row, column], to, text, edits }) => {
		const pasted = pastedAt({ row, column }, to, sheetRows(text), size).map((edit) => [edit.row, edit.column, edit.text]);
		expect(pasted).toEqual(edits);
	});

	test('a block of plain texts puts each into its place', () => {
		const cell = fc.stringMatching(/^[a-z0-9 ³/µ]{0,6}$/).map((text) => text.trim());
		const block = fc
			.integer({ min: 2, max: 4 })
			.chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 2, maxLength: 6 }));
		fc.assert(
			fc.property(block, fc.constantFrom('\n', '\r\n'), (rows, end) => {
				const text = rows.map((texts) => texts.join('\t')).join(end);
				const expected = rows.flatMap((texts, row) => texts.map((each, column) => ({ row, column, text: each })));
				expect(pastedAt({ row: 0, column: 0 }, 0, sheetRows(`${text}${end}`), { rows: 50, columns: 50 })).toEqual(expected);
			}),
		);
	});

	test('never leaves the grid, whatever is pasted', () => {
		fc.assert(
			fc.property(
				fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', '\r', ' ') }),
				fc.nat(3),
				fc.nat(2),
				(text, row, column) => {
					for (const edit of pastedAt({ row, column }, row, sheetRows(text), size)) {
						expect(edit.row).toBeLessThan(size.rows);
						expect(edit.column).toBeLessThan(size.columns);
					}
				},
			),
		);
	});
});

describe('filling down', () => {
	const textAt = ({ row, column }: { row: number; column: number }): string => `${row}/${column}`;
	test.each([
		['one cell takes that above', 2, 2, [[2, '1/1']]],
		['the first row has none above', 0, 0, []],
		[
			'a range takes its first',
			1,
			3,
			[
				[2, '1/1'],
				[3, '1/1'],
			],
		],
		[
			'a range upwards, too',
			3,
			1,
			[
				[2, '1/1'],
				[3, '1/1'],
			],
		],
	] as const)('%s', (_, row, to, expected) => {
		expect(filledDown({ row, column: 1 }, to, textAt).map((edit) => [edit.row, edit.text])).toEqual(expected);
	});
});

describe('the keys of a grid', () => {
	test('lead from cell to cell, and to the ends', () => {
		const from = { row: 1, column: 1 };
		const targets = keys.map((key) => cellAfter(key, from, size, { control: false }));
		expect(targets.map((cell) => [cell?.row, cell?.column])).toEqual([
			[0, 1],
			[2, 1],
			[1, 0],
			[1, 2],
			[0, 1],
			[3, 1],
			[1, 0],
			[1, 2],
		]);
		expect(cellAfter('ArrowDown', from, size, { control: true })).toEqual({ row: 3, column: 1 });
		expect(cellAfter('End', from, size, { control: true })).toEqual({ row: 3, column: 2 });
		expect(cellAfter('x', from, size, { control: false })).toBeNull();
		expect(cellAfter('constructor', from, size, { control: false })).toBeNull();
	});

	test('never leave the grid', () => {
		const press = fc.tuple(fc.constantFrom(...keys), fc.boolean());
		fc.assert(
			fc.property(fc.array(press, { maxLength: 30 }), (presses) => {
				let cell = { row: 0, column: 0 };
				for (const [key, control] of presses) cell = cellAfter(key, cell, size, { control }) ?? cell;
				expect([cell.row < 4, cell.column < 3, cell.row >= 0, cell.column >= 0]).toEqual([true, true, true, true]);
			}),
		);
	});

	test('lead to the next fault, and from the last one to the first', () => {
		expect([0, 1, 2, 3].map((row) => nextFault(row, [false, true, false, true]))).toEqual([1, 3, 3, 1]);
		expect(nextFault(0, [false, false])).toBeNull();
	});
});
