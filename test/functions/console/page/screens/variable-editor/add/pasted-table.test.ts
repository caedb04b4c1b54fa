import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { language } from '#page/core/preferences.ts';
import { columnHeads } from '#page/screens/variable-editor/add/column-heads.ts';
import { sheetRows } from '#page/screens/variable-editor/add/grid-edits.ts';
import { columns } from '#page/screens/variable-editor/add/grid-row.ts';
import { editsByName } from '#page/screens/variable-editor/add/pasted-table.ts';

const series = [
	{ topic: 'wells/1/flow', field: 'value' },
	{ topic: 'wells/1/level', field: 'value' },
	{ topic: 'wells/2/level', field: 'value' },
	{ topic: 'wells/2/level', field: 'raw' },
].map((one) => ({ ...one, tags: {}, queryTags: {} }));
const devices = ['1', '2'].map((id) => ({
	...{ topic: 'modbus', field: 'flow', tags: { host: 'gw', slave_id: id } },
	queryTags: { slave_id: id },
}));

/** Pastes at a cell, by default the first. Returns the edits as row, column and text, and what was left out; null: by position. */
const paste = (text: string, at = { row: 0, column: 0 }, rows: Parameters<typeof editsByName>[2] = series) => {
	const named = editsByName(sheetRows(text), at, rows);
	return named === null
		? null
		: { edits: named.edits.map(({ row, column, text: each }) => [row, columns[column], each]), unplaced: named.unplaced };
};

afterEach(() => {
	language.value = 'en';
});

describe('a head row', () => {
	test.each([
		['in English', 'Unit\tName'],
		['in Spanish, without accents and in capitals', 'UNIDAD\tnombre'],
		['of the API', 'unit\tname'],
	])('%s names the columns, in both languages of the page', (_, heads) => {
		for (const tag of ['en', 'es'] as const) {
			language.value = tag;
			expect(paste(`${heads}\nm\tA\nbar\tB`, { row: 1, column: 4 })).toEqual({
				edits: [
					[1, 'name', 'A'],
					[1, 'unit', 'm'],
					[2, 'name', 'B'],
					[2, 'unit', 'bar'],
				],
				unplaced: [],
			});
		}
	});

	test('of one column alone is known, one known head beside unknown texts is not', () => {
		expect(paste('Unit\nm')?.edits).toEqual([[0, 'unit', 'm']]);
		expect(paste('Well\tField\nm\tA')).toBeNull();
		expect(paste('Unit')).toBeNull();
		expect(paste('constructor\ttoString\na\tb')).toBeNull();
	});

	test('leaves columns out that the grid does not have, and says so', () => {
		expect(paste('Name\tTag no.\tUnit\nA\t7\tm')).toEqual({
			edits: [
				[0, 'name', 'A'],
				[0, 'unit', 'm'],
			],
			unplaced: ['Tag no.'],
		});
	});

	test('of the API has the number and the unit of a length apart, in any order', () => {
		expect(paste('calc_unit_period\tcalc_period\tcalc_time\tcalc_unit\tcalc_unit_topic\ns\t10\t1,5\th\th')?.edits).toEqual([
			[0, 'period', '10 s'],
			[0, 'lookback', '1,5 h'],
		]);
	});

	test('as the table shows it puts each text into its column, in either language, whatever the order', () => {
		fc.assert(
			fc.property(
				fc.constantFrom('en', 'es'),
				fc.shuffledSubarray([...columns], { minLength: 2 }),
				fc.array(fc.stringMatching(/^[a-z]{1,4}$/), { minLength: 7, maxLength: 7 }),
				(tag, order, texts) => {
					const heads = order.map((column) => columnHeads(tag)[column]).join('\t');
					const { edits = [] } = paste(`${heads}\n${texts.slice(0, order.length).join('\t')}`) ?? {};
					expect(new Map(edits.map(([, column, text]) => [column, text]))).toEqual(
						new Map(order.map((column, index) => [column, texts[index]])),
					);
				},
			),
		);
	});
});

describe('topics', () => {
	test('name the rows, below heads and without them', () => {
		const edits = [
			[1, 'unit', 'm'],
			[0, 'unit', 'l/s'],
		];
		expect(paste('Topic\tUnidad\nwells/1/level\tm\nwells/1/flow\tl/s')).toEqual({ edits, unplaced: [] });
		expect(paste('wells/1/level\tm\nwells/1/flow\tl/s', { row: 2, column: 1 })).toEqual({ edits, unplaced: [] });
		// The topic need not stand first.
		expect(paste('m\twells/1/level\nl/s\twells/1/flow', { row: 2, column: 1 })).toEqual({ edits, unplaced: [] });
	});

	test('with several rows need the field: in its column, after the topic, or below a head', () => {
		const edits = [[3, 'unit', 'm']];
		for (const text of [
			'wells/2/level\traw\tm',
			'wells/2/level raw\tm',
			'Topic, field\tUnit\nwells/2/level raw\tm',
			'calc_topic\tcalc_field\tunit\nwells/2/level\traw\tm',
		])
			expect(paste(text, { row: 0, column: 1 }), text).toEqual({ edits, unplaced: [] });
		expect(paste('wells/2/level\tm', { row: 0, column: 1 })).toEqual({ edits: [], unplaced: ['wells/2/level'] });
	});

	test('that are no row are left out and named, and the other rows are placed', () => {
		expect(paste('Topic\tUnit\nwells/9/level\tm\nwells/1/level\tbar\n\tx')).toEqual({
			edits: [[1, 'unit', 'bar']],
			unplaced: ['wells/9/level'],
		});
	});

	test('in a single column are texts like others', () => {
		expect(paste('wells/1/level\nwells/1/flow')).toBeNull();
	});

	test('reach their own row, whatever the order', () => {
		fc.assert(
			fc.property(fc.shuffledSubarray([0, 1, 2, 3], { minLength: 1 }), fc.nat(3), (order, row) => {
				const text = order.map((index) => `${series[index]?.topic} ${series[index]?.field}\tu${index}`).join('\n');
				expect(paste(text, { row, column: 1 })?.edits).toEqual(order.map((index) => [index, 'unit', `u${index}`]));
			}),
		);
	});
});

test('a table without names is placed by position, and an empty cell of a named one changes nothing', () => {
	expect(paste('a\tm\nb\tbar')).toBeNull();
	expect(paste('Name\tUnit\n\tm')?.edits).toEqual([[0, 'unit', 'm']]);
	expect(paste('Name\tUnit\n1\tm\n2\tm\n3\tm\n4\tm\n5\tm')?.edits).toHaveLength(8);
});

test('rows of one topic are named by it with their tags', () => {
	const table = 'Topic\tUnit\nmodbus slave_id=2\tbar\nmodbus\tm';
	expect(paste(table, { row: 0, column: 0 }, devices)).toEqual({ edits: [[1, 'unit', 'bar']], unplaced: ['modbus'] });
	expect(paste('modbus slave_id=2\tNorth', { row: 0, column: 0 }, devices)).toEqual({
		edits: [[1, 'name', 'North']],
		unplaced: [],
	});
});
