import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StoredReport } from '#page/core/definitions.ts';
import { language, numberStyle } from '#page/core/preferences.ts';
import { reportCsv } from '#page/screens/report/report-csv.ts';
import { clockIn, dateTimeIn, dayName } from '#page/screens/report/report-labels.ts';
import {
	changesByCauses,
	changesText,
	isAbout,
	isFillable,
	leastKnown,
	numberIn,
	type ReadPeriod,
	type ReadReport,
	type ReportState,
	reportModel,
	stateName,
} from '#page/screens/report/report-model.ts';
import { rowBounds, shownCalendarOf, spanAt } from '#page/screens/report/report-periods.ts';
import { sheetsOf } from '#page/screens/report/sheet-columns.ts';

const timeZone = 'Europe/Madrid';
const calendar = shownCalendarOf({ timeZone, dayStart: '00:00' });

const csvRows = (period: ReadPeriod) => reportCsv(reportModel(period, stored)).slice(1).trimEnd().split('\r\n');

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

test('a day that cannot be read is named in its row and for the month, also beside a changed day, and in CSV', () => {
	const period = november();
	const states = period.report.states.map((state, window) => (window === 2 ? 'unreadable' : state));
	const unreadable = { ...period, report: { ...period.report, states } };
	const { rows, state } = reportModel(unreadable, stored);
	expect([rows[2]?.state, state]).toEqual(['unreadable', 'unreadable']);
	language.value = 'es';
	expect(stateName(state, period.report.changed)).toBe('ilegible');
	language.value = 'en';
	expect(stateName(state, period.report.changed)).toBe('unreadable');
	expect(csvRows(unreadable)[3]).toContain(',unreadable,');
	expect(csvRows(unreadable)[2]).toContain(',sealed,');
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
	const rows = csvRows(november());
	expect(rows).toHaveLength(1 + 4 * 9);
	expect(rows[0]).toBe(
		'line,start,end,unit,value,low,high,known,window,state,due,taken,cut_begin,cut_end,rise,rise_low,rise_high,rise_percent',
	);
	expect(rows[8]).toBe(
		'Line a,2026-11-08T00:00:00+01:00,2026-11-09T00:00:00+01:00,m³,10,10,10,0.9,Sun 8 Nov,provisional,,,,,,,,',
	);
	expect(rows[9]).toBe('Line a,2026-11-09T00:00:00+01:00,2026-11-09T12:00:00+01:00,m³,10,10,10,1,Mon 9 Nov,open,,,,,,,,');
});

test('CSV says of each day what the screen says: open, provisional, sealed or changed', () => {
	const states = (rows: readonly string[]) => rows.slice(1, 10).map((row) => row.split(/[,;]/).at(-9));
	const [sealed, provisional] = [Array(3).fill('sealed'), Array(2).fill('provisional')];
	expect(states(csvRows(november()))).toEqual(['sealed', 'sealed', 'changed', ...sealed, ...provisional, 'open']);
	language.value = 'es';
	numberStyle.value = ',';
	try {
		expect(states(csvRows(november())).slice(1, 4)).toEqual(['sellado', 'cambiado', 'sellado']);
		expect(csvRows(november())[0]).toMatch(/^línea;inicio;fin;unidad;valor;mínimo;máximo;conocido;ventana;estado;previstas;/);
	} finally {
		language.value = 'en';
		numberStyle.value = 'region';
	}
});

test('CSV has what a line tells of its windows beside their numbers: readings, where a stretch goes on, and the rise', () => {
	const period = november();
	const rise = { value: 2, low: 1, high: 3, percent: { value: 20, low: null, high: null } };
	const [line = expect.unreachable()] = period.report.lines;
	const told = {
		...line,
		expected: line.values.map(() => 6),
		taken: line.values.map(() => 0),
		cut: line.values.map(() => [true, false] as [boolean, boolean]),
		rise: { windows: line.values.map(() => rise), total: rise },
	};
	expect(csvRows({ ...period, report: { ...period.report, lines: [told] } })[1]).toMatch(/,sealed,6,0,1,0,2,1,3,20$/);
});

test('CSV leaves the side of a bound empty that is not known', () => {
	const period = november();
	const lines = period.report.lines.map((line) => ({
		...line,
		known: line.known.map(() => 0.999),
		low: line.low.map(() => null),
	}));
	expect(csvRows({ ...period, report: { ...period.report, lines } })[1]).toContain(',m³,10,,10,0.999,');
});

/** A day of hours in a zone, whose states are `state`. */
const dayOf = (
	zone: string,
	date: string,
	{ state = 'sealed', dayStart = '00:00' }: { state?: ReportState; dayStart?: string } = {},
): ReadPeriod => {
	const calendarOfZone = shownCalendarOf({ timeZone: zone, dayStart });
	const span = spanAt('day', date, calendarOfZone);
	const bounds = [...rowBounds('day', span, calendarOfZone)];
	const each = <Value>(value: Value) => bounds.slice(1).map(() => value);
	const { report } = november();
	const lines = report.lines.map((line) => ({ ...line, values: each(1), known: each(1), low: each(1), high: each(1) }));
	return {
		view: { length: 'day', date, comparison: 'none' },
		span,
		at: span.end,
		compared: null,
		report: {
			...report,
			timeZone: zone,
			dayStart,
			period: 'hour',
			bounds,
			states: each(state),
			partial: each(false),
			lines,
			changed: [],
		},
	};
};
const hourNames = (...day: Parameters<typeof dayOf>) => reportModel(dayOf(...day), stored).rows.map(({ name }) => name);

test.each([
	['Europe/Madrid', '2026-10-25', 25, 1, ['01–02 CEST', '02–03 CEST', '02–03 CET', '03–04 CET']],
	['Europe/Madrid', '2026-03-29', 23, 0, ['00–01 CET', '01–02 CET', '03–04 CEST', '04–05 CEST']],
	['America/New_York', '2026-11-01', 25, 1, ['01–02 UTC-4', '01–02 UTC-5', '02–03 UTC-5', '03–04 UTC-5']],
	['America/New_York', '2026-03-08', 23, 0, ['00–01 UTC-5', '01–02 UTC-5', '03–04 UTC-4', '04–05 UTC-4']],
	// Half an hour: the clock goes back from 02:00 to 01:30, and the last window of the day is half as long.
	[
		'Australia/Lord_Howe',
		'2026-04-05',
		25,
		1,
		['01–02 UTC+11', '01:30–02:30 UTC+10:30', '02:30–03:30 UTC+10:30', '03:30–04:30 UTC+10:30'],
	],
	[
		'Australia/Lord_Howe',
		'2026-10-04',
		24,
		1,
		['01–02 UTC+10:30', '02:30–03:30 UTC+11', '03:30–04:30 UTC+11', '04:30–05:30 UTC+11'],
	],
	['America/Santiago', '2026-04-04', 25, 22, ['22–23 UTC-3', '23–24 UTC-3', '23–24 UTC-4']],
	['America/Havana', '2026-11-01', 25, 0, ['00–01 UTC-4', '00–01 UTC-5', '01–02 UTC-5', '02–03 UTC-5']],
] as const)('in %s, the hours of %s have the abbreviation of their zone', (zone, date, count, from, names) => {
	const rows = hourNames(zone, date);
	expect(rows).toHaveLength(count);
	expect(rows.slice(from, from + 4)).toEqual(names);
	expect(new Set(rows).size).toBe(count);
});

test('the hours of other days have none, and a day that begins at six has those of its night', () => {
	expect(hourNames('Europe/Madrid', '2026-10-24')).toEqual(
		Array.from({ length: 24 }, (_, hour) => `${two(hour)}–${two(hour + 1)}`),
	);
	expect(hourNames('Europe/Madrid', '2026-10-24', { dayStart: '06:30' }).slice(16, 21)).toEqual([
		'22:30–23:30',
		'23:30–00:30',
		'00:30–01:30 CEST',
		'01:30–02:30 CEST',
		'02:30–03:30 CEST',
	]);
});
const two = (hour: number) => String(hour).padStart(2, '0');

test('in any zone and on any day, no two hours of a day have one name, and CSV has those of the screen', () => {
	const zones = [
		'Europe/Madrid',
		'America/New_York',
		'Australia/Lord_Howe',
		'Africa/Casablanca',
		'Asia/Beirut',
		'America/Santiago',
		'Pacific/Chatham',
	];
	fc.assert(
		fc.property(
			fc.constantFrom(...zones),
			fc.integer({ min: 0, max: 3 * 365 }),
			fc.integer({ min: 0, max: 47 }),
			(zone, day, half) => {
				const date = new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10);
				const dayStart = `${two(Math.floor(half / 2))}:${half % 2 === 0 ? '00' : '30'}`;
				const period = dayOf(zone, date, { dayStart });
				const { rows } = reportModel(period, stored);
				expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
				const cells: string[][] = parse(reportCsv(reportModel(period, stored)), { bom: true, fromLine: 2, to: rows.length });
				expect(cells.map((row) => row[8])).toEqual(rows.map(({ name }) => `${name}, ${dayName(date)}`));
			},
		),
		{ numRuns: 500 },
	);
});

test('CSV of a day says its state in each hour, as the row of sums does', () => {
	const day = dayOf('Europe/Madrid', '2026-10-25');
	const changed = november().report.changed;
	const states = (period: ReadPeriod) =>
		new Set(
			csvRows(period)
				.slice(1)
				.map((row) => row.split(',').at(-9)),
		);
	expect(states(day)).toEqual(new Set(['sealed']));
	expect(states({ ...day, report: { ...day.report, changed } })).toEqual(new Set(['changed']));
	expect(states(dayOf('Europe/Madrid', '2026-10-25', { state: 'open' }))).toEqual(new Set(['open']));
});

test('a time of day says its zone on the day of a clock change only', () => {
	const times = ['2026-10-25T00:30Z', '2026-10-25T01:30Z', '2026-10-26T01:30Z'].map(Date.parse);
	expect(times.map((time) => clockIn(time, calendar))).toEqual(['02:30 CEST', '02:30 CET', '02:30']);
	// The year follows unless it is the present one.
	expect(dateTimeIn(times[1] ?? 0, calendar)).toMatch(/^25 Oct( 2026)? 02:30 CET$/);
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

test('a number is entered for a month that is over, and never for a year, where it would count in place of its months', () => {
	const fillable = (length: 'day' | 'week' | 'month' | 'year', end: number) => {
		const { report, span, ...period } = november();
		const counted = { ...report, bounds: [span.start, end] };
		const model = reportModel({ ...period, span, report: counted, view: { length, date: null, comparison: 'none' } }, stored);
		const row = model.rows[0] ?? expect.unreachable();
		const month = { ...row, start: span.start, end: span.end };
		return [null, month].map((each) => isFillable(model, { function: 'entered', decimals: 0 }, each));
	};
	const { end } = november().span;
	expect([fillable('year', end), fillable('month', end)]).toEqual([
		[false, true],
		[true, false],
	]);
	expect([fillable('year', end - 1), fillable('month', end - 1), fillable('week', end), fillable('day', end)]).toEqual(
		Array(4).fill([false, false]),
	);
});

test('a month of changed days is told once for each cause', () => {
	const day = (date: string, cause: 'entry' | 'correction') => ({ date, start: 0, end: 1, causes: [cause], lines: ['a'] });
	const changed = [
		day('2026-10-01', 'entry'),
		day('2026-10-02', 'entry'),
		day('2026-10-03', 'correction'),
		day('2026-10-31', 'entry'),
	];
	expect(changesByCauses(changed).map(changesText)).toEqual([
		'3 days from Thu 1 Oct to Sat 31 Oct: a number that was entered later',
		'Sat 3 Oct: a correction',
	]);
	expect(changesByCauses([])).toEqual([]);
});
