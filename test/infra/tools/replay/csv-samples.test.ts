import { describe, expect, test } from 'vitest';
import { type ColumnMapping, instantsOf, planColumns, pointsOf } from '#infra/tools/replay/csv-samples.ts';
import { addSkippedRow, newTotals, summaryLines } from '#infra/tools/replay/summary.ts';

const makeMapping = (overrides: Partial<ColumnMapping> = {}): ColumnMapping => ({
	timeColumn: 'DATETIME',
	topic: 'ctown/{column}',
	field: 'value',
	...overrides,
});

test('plans a series for every named column except the time', () => {
	const plan = planColumns(['', 'DATETIME', ' L_T1', 'S_PU1'], makeMapping());
	expect(plan.timeIndex).toBe(1);
	expect(plan.columns.map(({ name, topic, field, index }) => ({ name, topic, field, index }))).toEqual([
		{ name: 'L_T1', topic: 'ctown/L_T1', field: 'value', index: 2 },
		{ name: 'S_PU1', topic: 'ctown/S_PU1', field: 'value', index: 3 },
	]);
	expect(plan.skipped).toEqual([{ position: 1, name: '', reason: 'it has no name' }]);
});

test.each([
	['L_T1', 'an earlier column has the same name'],
	['a\nb', 'its name holds a control character'],
	['a\\', 'its name ends in a backslash, which line protocol cannot hold'],
])('skips a column named %j, saying why', (name, reason) => {
	expect(planColumns(['DATETIME', 'L_T1', name], makeMapping()).skipped).toEqual([{ position: 3, name, reason }]);
});

test('skips a column whose topic would be a comment', () => {
	expect(planColumns(['DATETIME', '#1', 'a#'], makeMapping({ topic: '{column}' })).skipped).toMatchObject([{ name: '#1' }]);
});

test('does not interpret replacement patterns in a column name', () => {
	expect(planColumns(['DATETIME', '$&'], makeMapping({ topic: 'a/{column}/{column}' })).columns[0]?.topic).toBe('a/$&/$&');
});

test('names the existing columns when the time column is missing', () => {
	expect(() => planColumns(['', 'Time', 'L_T1'], makeMapping())).toThrow('The file has no column DATETIME: it has Time, L_T1.');
	expect(() => planColumns([''], makeMapping())).toThrow('The file has no column DATETIME: it has none.');
	expect(() => planColumns(['Time;L_T1'], makeMapping())).toThrow('It is one cell: --delimiter ";" separates it.');
});

test('rejects one topic for several columns and accepts it for one column', () => {
	expect(() => planColumns(['DATETIME', 'a', 'b'], makeMapping({ topic: 'ctown' }))).toThrow('The topic needs {column} in it');
	expect(planColumns(['DATETIME', 'a'], makeMapping({ topic: 'ctown' })).columns.length).toBe(1);
	expect(planColumns(['DATETIME', 'a', 'b'], makeMapping({ topic: 'ctown', field: '{column}' })).columns[1]?.field).toBe('b');
});

test('makes points of the numbers of a row, zero included, and counts the other cells', () => {
	const plan = planColumns(['DATETIME', 'a', 'b', 'c', 'd'], makeMapping());
	const timeMs = Date.UTC(2017, 0, 4);
	expect(pointsOf(plan, ['', '0', ' -1.5e1 ', '', 'benign'], timeMs, '.')).toEqual([
		{ topic: 'ctown/a', field: 'value', value: 0, timeMs },
		{ topic: 'ctown/b', field: 'value', value: -15, timeMs },
	]);
	expect(pointsOf(plan, ['', '1,5', 'NaN', '', ''], timeMs, '.')).toEqual([]);
	expect(pointsOf(plan, ['', '7', '', '', ''], timeMs + 1, '.')).toMatchObject([{ value: 7, timeMs: timeMs + 1 }]);
	expect(pointsOf(plan, ['', '1e999', '', '', ''], timeMs, '.')).toEqual([]);
	expect(plan.columns.map(({ points, skipped, example }) => [points, skipped, example])).toEqual([
		[2, 2, '1,5'],
		[1, 3, 'NaN'],
		[0, 4, undefined],
		[0, 4, 'benign'],
	]);
});

const readTime = (cell: string) => (cell === '' ? null : cell === 'skipped' ? [] : [Number(cell)]);

test.each([
	[['1', '5', 'Good'], [5]],
	[['1', '5', ' OK '], [5]],
	[['1', '5', 'Bad'], { reason: 'the quality is not good', example: 'Bad' }],
	[['1', '5', ''], { reason: 'the quality is not good', example: '' }],
	[['1', '', 'Good'], { reason: 'the time cannot be read', example: '' }],
	[['1', 'skipped', 'Good'], { reason: 'the clock of the zone skips the time', example: 'skipped' }],
	[['1', '5'], { reason: 'fewer cells than the header, so the last may be cut' }],
])('the row %j has the instants %j', (cells, expected) => {
	const plan = planColumns(['a', 'DATETIME', 'state'], makeMapping({ qualityColumn: 'state', good: ['good', 'ok'] }));
	expect(plan.columns.map(({ name }) => name)).toEqual(['a']);
	expect(instantsOf(plan, cells, readTime)).toEqual(expected);
});

describe('a file of one row a value', () => {
	const mapping = makeMapping({ seriesColumn: 'tag', valueColumn: 'v' });

	test('becomes the series of its rows', () => {
		const plan = planColumns(['DATETIME', 'tag', 'v', 'unit'], mapping);
		const rows = [
			['', 'P1', '1', '2'],
			['', 'P2', '-0.5', '2'],
			['', ' P1 ', 'x', '2'],
			['', '', '1', '2'],
			['', 'a\nb', '1', '2'],
		];
		expect(rows.flatMap((cells) => pointsOf(plan, cells, 0, '.'))).toEqual([
			{ topic: 'ctown/P1', field: 'value', value: 1, timeMs: 0 },
			{ topic: 'ctown/P2', field: 'value', value: -0.5, timeMs: 0 },
		]);
		expect(plan.columns).toMatchObject([
			{ name: 'P1', points: 1, skipped: 1, example: 'x' },
			{ name: 'P2', points: 1, skipped: 0 },
		]);
		expect(plan.skipped).toEqual([
			{ position: 3, name: '', reason: 'it has no name' },
			{ position: 4, name: 'a\nb', reason: 'its name holds a control character' },
		]);
	});

	test.each([
		[{ valueColumn: undefined }, '--series-column and --value-column go together.'],
		[{ seriesColumn: undefined }, '--series-column and --value-column go together.'],
		[{ seriesColumn: 'Tag' }, 'The file has no column Tag: it has DATETIME, tag, v, v2.'],
		[{ valueColumn: 'V' }, 'The file has no column V'],
		[{ qualityColumn: 'q' }, 'The file has no column q'],
		[{ topic: 'plant' }, 'The topic needs {column} in it: all series of column tag would be one series.'],
	])('needs its columns: %j is refused', (overrides, problem) => {
		expect(() => planColumns(['DATETIME', 'tag', 'v', 'v2'], { ...mapping, ...overrides })).toThrow(problem);
	});
});

test.each(['DATETIME', 'tag', 'v', 'q'])('refuses a file that has the column %s twice', (name) => {
	const mapping = makeMapping({ seriesColumn: 'tag', valueColumn: 'v', qualityColumn: 'q' });
	expect(() => planColumns(['DATETIME', 'tag', 'v', 'q', name], mapping)).toThrow(`The file has the column ${name} twice`);
});

test('summarizes what was sent and what was skipped, with the reasons', () => {
	const plan = planColumns(['', 'DATETIME', 'a', 'b', 'c', 'd'], makeMapping());
	pointsOf(plan, ['', '', '1', '', '', 'benign'], 0, '.');
	pointsOf(plan, ['', '', '1', '2', '', 'attack'], 0, '.');
	pointsOf(plan, ['', '', '1', 'n/a', '', 'attack'], 0, '.');
	const totals = { ...newTotals(), rows: 3, points: 2 };
	addSkippedRow(totals, { reason: 'the time cannot be read', example: 'never' });
	addSkippedRow(totals, { reason: 'no cell is a number' });
	addSkippedRow(totals, { reason: 'no cell is a number' });
	totals.refused.set('', { points: 2, isUpperBound: true, message: 'of another type' });
	totals.warnings.set('', '2 samples ahead of the clock');
	expect(summaryLines(plan, totals)).toEqual([
		'Sent 3 rows, 2 points, 2 columns.',
		'Skipped 3 rows, 2 points, 3 columns:',
		'  column 1: it has no name',
		'  column b: 2 cells without a number (such as "n/a")',
		'  column c: no cell is a number',
		'  column d: no cell is a number (such as "benign")',
		'  1 row: the time cannot be read (such as "never")',
		'  2 rows: no cell is a number',
		'  up to 2 points refused by the server: of another type',
		'The server warns: 2 samples ahead of the clock.',
	]);
});
