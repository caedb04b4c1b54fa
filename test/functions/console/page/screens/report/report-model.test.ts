import { expect, test } from 'vitest';
import type { StoredReport } from '#page/core/definitions.ts';
import { reportCsv } from '#page/screens/report/report-csv.ts';
import {
	isAbout,
	leastKnown,
	numberIn,
	type ReadPeriod,
	type ReadReport,
	reportModel,
} from '#page/screens/report/report-model.ts';
import { calendarOf, rowBounds, spanAt } from '#page/screens/report/report-periods.ts';
import { sheetsOf } from '#page/screens/report/sheet-columns.ts';

const timeZone = 'Europe/Madrid';
const calendar = calendarOf({ timeZone, dayStart: '00:00' });

const definition = (key: string, part: Partial<StoredReport['lines'][number]> = {}): StoredReport['lines'][number] => ({
	key,
	name: `Line ${key}`,
	function: 'total',
	varId: 13,
	per: 'h',
	unit: 'm³',
	...part,
});

const stored: StoredReport = {
	id: 40,
	title: 'Daily',
	version: 2,
	timeZone,
	dayStart: '00:00',
	lines: [
		definition('a', { group: 'Water', decimals: 0 }),
		definition('b', { group: 'Water', between: ['02:00', '04:00'], function: 'mean', unit: 'm³/h' }),
		definition('c', { function: 'raised', unit: '' }),
		definition('d', { group: 'Water' }),
	],
};

/** November until the 9th at noon; on the 8th a tenth of line a is not known. */
const november = (): ReadPeriod => {
	const span = spanAt('month', '2026-11-01', calendar);
	const now = Date.parse('2026-11-09T12:00+01:00');
	const bounds = [...rowBounds('month', span, calendar).filter((time) => time < now), now];
	const each = <Value>(value: Value) => bounds.slice(1).map(() => value);
	const lines: ReadReport['lines'] = stored.lines.map(({ key, name, unit, decimals, group }) => ({
		key,
		name,
		unit,
		...(typeof decimals === 'number' ? { decimals } : {}),
		...(typeof group === 'string' ? { group } : {}),
		values: each(10),
		known: key === 'c' ? each(0) : each(1).map((share, index) => (key === 'a' && index === 7 ? 0.9 : share)),
		low: each(10),
		high: each(10),
		total: { value: 90, known: 1, low: 90, high: 90 },
	}));
	return {
		view: { length: 'month', date: null, comparison: 'none' },
		span,
		at: now,
		compared: null,
		report: {
			id: 40,
			title: 'Daily',
			timeZone,
			dayStart: '00:00',
			period: 'day',
			bounds,
			states: bounds.slice(1).map((_, index) => (index === 8 ? 'open' : index > 5 ? 'provisional' : 'sealed')),
			partial: each(false),
			lines,
			changed: [
				{
					date: '2026-11-03',
					start: Date.parse('2026-11-03T00:00+01:00'),
					end: Date.parse('2026-11-04T00:00+01:00'),
					causes: ['late_samples'],
					lines: ['a'],
				},
			],
			unsealed: [],
		},
	};
};

test('a month has a row for each of its days, also for those that have not begun', () => {
	const { rows, state } = reportModel(november(), stored);
	expect(rows).toHaveLength(30);
	expect(rows[0]).toMatchObject({ name: 'Sun 1', date: '2026-11-01', window: 0, state: 'sealed', isRuledOff: true });
	expect(rows[8]).toMatchObject({ name: 'Mon 9', window: 8, state: 'open', isRuledOff: false });
	expect(rows[9]).toMatchObject({ name: 'Tue 10', window: null, state: null });
	expect(state).toBe('open');
});

test('a changed day stands in its row', () => {
	const { rows } = reportModel(november(), stored);
	expect(rows.flatMap(({ name, changed }) => changed.map(({ causes }) => [name, causes]))).toEqual([['Tue 3', ['late_samples']]]);
});

test('lines that follow each other in one group stand together', () => {
	const { groups } = reportModel(november(), stored);
	expect(groups.map(({ name, columns }) => [name, columns.length])).toEqual([
		['Water', 2],
		['', 1],
		['Water', 1],
	]);
});

test('a column says its hours and unit, and counts have no decimals', () => {
	const { columns } = reportModel(november(), stored);
	expect(columns.map(({ sub, decimals }) => [sub, decimals])).toEqual([
		['m³', 0],
		['02–04, m³/h', 1],
		['', 0],
		['m³', 1],
	]);
});

test('the share that is known is the least of all lines but alarms', () => {
	const { columns } = reportModel(november(), stored);
	expect(leastKnown(columns, (column) => numberIn(column, 0).known)).toBe(1);
	expect(leastKnown(columns, (column) => numberIn(column, 7).known)).toBe(0.9);
	expect(leastKnown([], () => 1)).toBeNull();
});

test('a report whose definition is gone is shown by what was answered', () => {
	const { columns } = reportModel(november(), undefined);
	expect(columns.map(({ function: counted }) => counted)).toEqual([null, null, null, null]);
});

test('CSV has a row for each line and window, with times of the zone of the report', () => {
	const rows = reportCsv(reportModel(november(), stored)).slice(1).trimEnd().split('\r\n');
	expect(rows).toHaveLength(1 + 4 * 9);
	expect(rows[0]).toBe('line,start,end,unit,value,low,high,known');
	expect(rows[8]).toBe('Line a,2026-11-08T00:00:00+01:00,2026-11-09T00:00:00+01:00,m³,10,10,10,0.9');
	expect(rows[9]).toBe('Line a,2026-11-09T00:00:00+01:00,2026-11-09T12:00:00+01:00,m³,10,10,10,1');
});

test('13 lines are printed on one sheet, more on sheets of about as many each', () => {
	const column = reportModel(november(), stored).columns[0];
	if (column === undefined) throw new Error('The report has no lines.');
	const sizes = (count: number) => sheetsOf(Array.from({ length: count }, () => column)).map(({ length }) => length);
	expect([0, 1, 13, 14, 40].map(sizes)).toEqual([[], [1], [13], [7, 7], [10, 10, 10, 10]]);
});

test('a correction is about a span that it covers a part of, and none that only meets it', () => {
	const span = { start: 100, end: 200 };
	const ranges = [
		[50, 100],
		[50, 101],
		[199, 300],
		[200, 300],
		[50, 300],
	] as const;
	expect(ranges.map(([from, to]) => isAbout({ from, to }, span))).toEqual([false, true, true, false, true]);
	expect([99, 100, 199, 200].map((at) => isAbout({ at }, span))).toEqual([false, true, true, false]);
});
