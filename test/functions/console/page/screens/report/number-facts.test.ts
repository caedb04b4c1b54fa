import { expect, test } from 'vitest';
import { functionFields, lineFunctions } from '#domain/board/line.ts';
import { measuring, type NumberFactsInput, numberFacts, termsOf } from '#page/screens/report/number-facts.ts';
import { shownCalendarOf } from '#page/screens/report/report-periods.ts';
import { makeColumn } from './report-columns.ts';

const calendar = shownCalendarOf({ timeZone: 'Europe/Madrid', dayStart: '00:00' });
const hours = (from: string, to: string) => ({ start: Date.parse(from), end: Date.parse(to) });
const day = hours('2026-11-10T00:00+01:00', '2026-11-11T00:00+01:00');

const words = (input: Partial<NumberFactsInput> & Pick<NumberFactsInput, 'column' | 'counted'>): readonly string[] =>
	numberFacts({ columns: [], window: null, span: day, calendar, ...input }).map((fact) => fact.words);

const bounded = (value: number, known = 1) => ({ value, known, low: value, high: value });

test('the known hours within limits are rounded down, the unknown ones up', () => {
	const column = makeColumn({ function: 'within', limits: [null, 0.3], unit: '%' });
	expect(words({ column, counted: bounded((100 * 19) / 22, 22 / 24) })).toEqual(['19.0 of 22.0 known hours; 2.0 h unknown.']);
	expect(words({ column, counted: bounded(99.99) })).toEqual(['23.9 of 24.0 known hours.']);
	expect(words({ column, counted: bounded(100, 0.999) })).toEqual(['23.9 of 23.9 known hours; 0.1 h unknown.']);
	expect(words({ column, counted: { value: null, known: 0, low: 0, high: 100 } })).toEqual([]);
});

test('hours of the day are those that the line counts, also on the day of a clock change', () => {
	const column = makeColumn({ function: 'within', limits: [null, 0.3], between: ['01:00', '05:00'] });
	expect(words({ column, counted: bounded(75) })).toEqual(['3.0 of 4.0 known hours.']);
	const spring = hours('2026-03-29T00:00+01:00', '2026-03-30T00:00+02:00');
	expect(words({ column, counted: bounded(50), span: spring })).toEqual(['1.5 of 3.0 known hours.']);
});

test('readings tell how many were taken, nights how many have a value, and a stretch where it goes on', () => {
	const within = makeColumn({ function: 'within', limits: [null, 0.3], every: 14_400 });
	expect(words({ column: within, counted: { ...bounded(75), expected: 6, taken: 4 } })).toEqual(['Readings taken: 4 of 6.']);
	const night = makeColumn({ function: 'leastMean', over: 3600 });
	expect(words({ column: night, counted: { ...bounded(17), expected: 30, taken: 28 } })).toEqual(['Median of 28 of 30 nights.']);
	const longest = makeColumn({ function: 'longest', limits: [null, 0.3] });
	expect(words({ column: longest, counted: { ...bounded(3), cut: [true, false] } })).toEqual([
		'It went on before: it may be longer than it reads.',
	]);
});

test('a rise is told with its bounds, and beyond twice the spread as more than usual', () => {
	const rise = { value: 12, low: 10, high: 14, percent: { value: 60, low: 50, high: 70 } };
	const reference = { from: '2026-10-01', nights: 28, taken: 28, value: 20, low: 20, high: 20, spread: 3 };
	const raised = { since: '2026-11-08', nights: 3, certain: true };
	const numbers = { values: [32], known: [1], low: [32], high: [32], total: bounded(32) };
	const column = makeColumn({ function: 'leastMean' }, { reference, raised, rise: { windows: [rise], total: rise }, ...numbers });
	const told = numberFacts({ column, columns: [], counted: bounded(32), window: null, span: day, calendar });
	expect(told).toEqual([
		{ words: '12 m³/h (+60\u202f%) above the reference.', isBeyond: true },
		{ words: 'The rise is +10 to +14 m³/h (+50 to +70\u202f%), whatever is not known.' },
		{ words: 'More than usual: beyond ±\u202f6 m³/h, twice the spread of the reference.', isBeyond: true },
		{ words: 'Raised since Sun 8 Nov: 3 nights, whatever is not known.', isBeyond: true },
	]);
	// What is raised is the newest day, not each night.
	expect(words({ column, counted: bounded(32), window: 0 })).toHaveLength(3);
});

test('the terms of a window are those of the window, and shares are those of sums alone', () => {
	const inlet = makeColumn(
		{ key: 'in', name: 'Inlet', unit: 'm³' },
		{ values: [null, 5], known: [0.9, 1], low: [10, 5], high: [103, 5] },
	);
	const outlet = makeColumn(
		{ key: 'out', name: 'Outlet', unit: 'm³' },
		{ values: [null, null], known: [0.9, 0.5], low: [0, 0], high: [7, null] },
	);
	const terms = [
		{ key: 'in', width: 93 },
		{ key: 'out', width: null },
	];
	const equationOf = (text: string) =>
		text.split(' ').map((value) => ({ value, type: /^[a-z]+$/.test(value) ? ('variable' as const) : ('operator' as const) }));
	const balance = makeColumn({ key: 'b', function: 'formula', unit: 'm³', equation: equationOf('in - out') }, { terms });
	const of = (window: number | null, columns = [inlet, outlet, balance]) =>
		termsOf({ column: balance, columns, counted: bounded(0), window, span: day, calendar });
	expect(of(0)).toEqual({
		terms: [
			{ key: 'in', words: 'Inlet 93 % · 93 m³' },
			{ key: 'out', words: 'Outlet 7 % · 7 m³' },
		],
		isWithoutError: true,
	});
	expect(of(1)?.terms).toEqual([{ key: 'out', words: 'Outlet: nothing says how much' }]);
	expect(of(null)?.terms).toEqual([
		{ key: 'out', words: 'Outlet: nothing says how much' },
		{ key: 'in', words: 'Inlet: 93 m³' },
	]);
	// Of a quotient no width says how much of its own is unknown.
	const quotient = makeColumn({ key: 'b', function: 'formula', equation: equationOf('in / out') }, { terms });
	const withError = makeColumn({ key: 'out', name: 'Outlet', unit: 'm³', error: [1, 0] }, outlet.line);
	expect(termsOf({ column: quotient, columns: [inlet, withError], counted: bounded(0), window: 0, span: day, calendar })).toEqual(
		{
			terms: [
				{ key: 'in', words: 'Inlet: 93 m³' },
				{ key: 'out', words: 'Outlet: 7 m³' },
			],
			isWithoutError: false,
		},
	);
});

test('where all of a balance is known, it still says that the errors of the meters are left out', () => {
	const whole = makeColumn({ key: 'in', unit: 'm³' }, { values: [5], known: [1], low: [5], high: [5] });
	const balance = makeColumn({ key: 'b', function: 'formula' }, { terms: [{ key: 'in', width: 0 }] });
	const input = { column: balance, columns: [whole, balance], counted: bounded(5), window: null, span: day, calendar };
	expect(termsOf(input)).toEqual({ terms: [], isWithoutError: true });
	expect(termsOf({ ...input, column: whole })).toBeNull();
});

test('a fall beyond twice the spread is no usual night, and an upper bound is no rise', () => {
	const of = (value: number, low: number, known: number) => {
		const rise = { value: value - 20, low: low - 20, high: value - 20, percent: { value: null, low: null, high: null } };
		const reference = { from: '2026-10-01', nights: 28, taken: 28, value: 20, low: 20, high: 20, spread: 1 };
		const total = { value, known, low, high: value, expected: 1, taken: 1 };
		const column = makeColumn({ function: 'leastMean' }, { reference, total, rise: { windows: [], total: rise } });
		return numberFacts({ column, columns: [], counted: total, window: null, span: day, calendar });
	};
	expect(of(0, 0, 1)).toEqual([
		{ words: '20 m³/h below the reference.', isBeyond: false },
		{ words: 'Less than usual: beyond ±\u202f2 m³/h, twice the spread of the reference.', isBeyond: false },
	]);
	// A quarter of each hour is missing: nobody knows that it rose.
	expect(of(65, 15, 0.75)).toEqual([{ words: 'The rise is −5 to +45 m³/h, whatever is not known.' }]);
	const pending = makeColumn({ function: 'leastMean' }, { reference: null });
	expect(words({ column: pending, counted: bounded(5) })).toEqual([
		'Nothing to compare with yet: the nights of the reference are not over, or have no data.',
	]);
});

test('a formula of alarms or of entered numbers has no meters, and one over other times says so', () => {
	const raised = makeColumn({ key: 'a', function: 'raised' });
	const formula = makeColumn({ key: 'f', function: 'formula' }, { terms: [{ key: 'a', width: 0 }], mixed: true });
	const input = { column: formula, columns: [raised, formula], counted: bounded(5), window: null, span: day, calendar };
	expect(termsOf(input)?.isWithoutError).toBe(false);
	expect(words(input)).toEqual(['Its lines count different times, such as whole months beside known hours.']);
});

test('the functions that measure are those whose lines take an error', () => {
	const taking = lineFunctions.filter((each) => functionFields[each].optional.includes('error'));
	expect([...measuring].sort()).toEqual([...taking].sort());
});
