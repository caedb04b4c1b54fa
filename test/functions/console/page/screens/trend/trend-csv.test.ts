import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { trendCsv } from '#page/screens/trend/trend-csv.ts';
import { trendModel } from '#page/screens/trend/trend-model.ts';
import { bounds, historyOf, type HistoryRow as Row, row } from './histories.ts';

const flow = row(13, 'Flow', 'm³/h', { own: [9, 9, 9], mean: [1, 0, 3], min: [0, 0, 2], max: [4, 0, 5] });
const nothing = { variables: new Map(), alarms: [], labels: new Map<number, string>(), compared: null };

const words = { utc: 'Time (UTC)', local: 'Time (CET)', min: 'min', max: 'max', compared: '' };
const rowsOf = (...rows: Row[]): string[][] => parse(trendCsv(trendModel(historyOf(...rows), nothing), words), { bom: true });

test('has a row for each window, and a column for each line, its least and its greatest value', () => {
	const rows = rowsOf(flow, row(11, 'Pump', 'boolean', { own: [0, 1, null], mean: [0, 0.5, null] }));
	expect(rows[0]).toEqual(['Time (UTC)', 'Time (CET)', 'Flow [m³/h]', 'Flow min [m³/h]', 'Flow max [m³/h]', 'Pump']);
	expect(rows.slice(1).map((cells) => cells.slice(2))).toEqual([
		['1', '0', '4', '0'],
		['0', '0', '0', '0.5'],
		['3', '2', '5', ''],
	]);
});

test('has the values of the compared range beside those of the line', () => {
	const past = { ...historyOf(row(13, 'Flow', 'm³/h', { own: [7, 8, null] })), bounds: bounds.map((time) => time - 3_600_000) };
	const model = trendModel(historyOf(row(13, 'Flow', 'm³/h', { own: [9, 9, 9] })), {
		...nothing,
		compared: { comparison: 3_600_000, history: past },
	});
	const rows: string[][] = parse(trendCsv(model, { ...words, compared: 'From 14:00' }), { bom: true });
	expect(rows.map((cells) => cells.slice(2))).toEqual([
		['Flow [m³/h]', 'Flow From 14:00 [m³/h]'],
		['9', '7'],
		['9', '8'],
		['9', ''],
	]);
});

test('has the same instants in UTC and in local time', () => {
	const rows = rowsOf(flow).slice(1);
	expect(rows.map(([utc]) => utc)).toEqual(bounds.slice(0, -1).map((time) => new Date(time).toISOString()));
	expect(rows.map(([, local]) => Date.parse(local ?? ''))).toEqual(bounds.slice(0, -1));
});

test('quotes names with commas, quotes and line ends, and none acts as a formula', () => {
	const names = ['a, "b"\nc', '=HYPERLINK("x")', '+1', '-x', '@y'];
	const rows = rowsOf(...names.map((name, index) => row(index + 1, name, '', { own: [1, 2, -3] })));
	expect(rows[0]?.slice(2)).toEqual(['a, "b"\nc', '\'=HYPERLINK("x")', '+1', "'-x", "'@y"]);
	expect(rows[3]?.slice(2)).toEqual(names.map(() => '-3'));
});

test('keeps every digit of a number', () => {
	const exact = row(4, 'Level', 'm', { own: [0.1 + 0.2, 1e-7, 1e21] });
	expect(
		rowsOf(exact)
			.slice(1)
			.map((cells) => Number(cells[2])),
	).toEqual([0.1 + 0.2, 1e-7, 1e21]);
});
