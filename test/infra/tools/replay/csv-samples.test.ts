import { expect, test } from 'vitest';
import { type Mapping, planColumns, pointsOf } from '#infra/tools/replay/csv-samples.ts';
import { emptyOutcome, summaryLines } from '#infra/tools/replay/summary.ts';

const makeMapping = (overrides: Partial<Mapping> = {}): Mapping => ({
	timeColumn: 'DATETIME',
	topic: 'ctown/{column}',
	field: 'value',
	...overrides,
});

test('makes every named column but the time a series', () => {
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
	['DATETIME', 'an earlier column has the same name'],
	['a\nb', 'its name holds a control character'],
	['a\\', 'its name ends in a backslash, which line protocol cannot say'],
])('skips a column named %j, saying why', (name, reason) => {
	expect(planColumns(['DATETIME', 'L_T1', name], makeMapping()).skipped).toEqual([{ position: 3, name, reason }]);
});

test('skips a topic that would be a comment', () => {
	expect(planColumns(['DATETIME', '#1', 'a#'], makeMapping({ topic: '{column}' })).skipped).toMatchObject([{ name: '#1' }]);
});

test('takes a column name as it is, whatever it means to a replacement', () => {
	expect(planColumns(['DATETIME', '$&'], makeMapping({ topic: 'a/{column}/{column}' })).columns[0]?.topic).toBe('a/$&/$&');
});

test('names the columns that exist where the time column does not', () => {
	expect(() => planColumns(['', 'Time', 'L_T1'], makeMapping())).toThrow('The file has no column DATETIME: it has Time, L_T1.');
	expect(() => planColumns([''], makeMapping())).toThrow('The file has no column DATETIME: it has none.');
});

test('refuses one topic for several columns, not for a single one', () => {
	expect(() => planColumns(['DATETIME', 'a', 'b'], makeMapping({ topic: 'ctown' }))).toThrow('The topic needs {column} in it');
	expect(planColumns(['DATETIME', 'a'], makeMapping({ topic: 'ctown' })).columns.length).toBe(1);
	expect(planColumns(['DATETIME', 'a', 'b'], makeMapping({ topic: 'ctown', field: '{column}' })).columns[1]?.field).toBe('b');
});

test('makes points of the numbers of a row, zero included, and counts the rest', () => {
	const plan = planColumns(['DATETIME', 'a', 'b', 'c', 'd'], makeMapping());
	const timeMs = Date.UTC(2017, 0, 4);
	expect(pointsOf(plan, ['2017-01-04 00:00:00', '0', ' -1.5e1 ', '', 'benign'], 0)).toEqual([
		{ topic: 'ctown/a', field: 'value', value: 0, timeMs },
		{ topic: 'ctown/b', field: 'value', value: -15, timeMs },
	]);
	expect(pointsOf(plan, ['2017-01-04 00:00:00', '1,5', 'NaN'], 1000)).toBe('no numbers');
	expect(pointsOf(plan, ['2017-01-04 00:00:00', '7'], 1000)).toMatchObject([{ value: 7, timeMs: timeMs + 1000 }]);
	expect(plan.columns.map(({ points, emptyCells, otherCells, example }) => [points, emptyCells, otherCells, example])).toEqual([
		[2, 0, 1, '1,5'],
		[1, 1, 1, 'NaN'],
		[0, 3, 0, undefined],
		[0, 2, 1, 'benign'],
	]);
	expect(pointsOf(plan, ['never', '1'], 0)).toBe('time');
	expect(pointsOf(plan, [], 0)).toBe('time');
	expect(plan.columns[0]?.points).toBe(2);
});

test('says what was sent and what was skipped, with the reasons', () => {
	const plan = planColumns(['', 'DATETIME', 'a', 'b', 'c', 'd'], makeMapping());
	pointsOf(plan, ['', '2017-01-04', '1', '', '', 'benign'], 0);
	pointsOf(plan, ['', '2017-01-05', '1', '2', '', 'attack'], 0);
	pointsOf(plan, ['', '2017-01-06', '1', 'n/a', '', 'attack'], 0);
	const outcome = emptyOutcome();
	outcome.rows = 3;
	outcome.points = 2;
	outcome.skippedRows.time = { count: 1, example: 'never' };
	outcome.skippedRows['no numbers'].count = 2;
	outcome.refusals.set('', { points: 2, atMost: true, words: 'of another type' });
	expect(summaryLines(plan, outcome)).toEqual([
		'Sent 3 rows, 2 points, 2 columns.',
		'Skipped 3 rows, 2 points, 3 columns:',
		'  column 1: it has no name',
		'  1 cell of column b: empty',
		'  1 cell of column b: not a number (such as "n/a")',
		'  column c: every cell is empty',
		'  column d: not numeric (such as "benign")',
		'  1 row: the time cannot be read (such as "never")',
		'  2 rows: no cell is a number',
		'  up to 2 points refused by the server: of another type',
	]);
});
