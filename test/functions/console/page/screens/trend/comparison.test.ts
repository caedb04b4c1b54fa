import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { History } from '#page/core/past/read-history.ts';
import { chosenZone } from '#page/core/time-zone.ts';
import { type Comparison, comparedSpan, comparisonFrom, comparisonText } from '#page/screens/trend/comparison.ts';
import { linesIn, trendModel } from '#page/screens/trend/trend-model.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

afterEach(() => {
	chosenZone.value = '';
});

type Row = History['variables'][number];
const flow = (own: Row['values']['own'], more: Partial<Row> = {}): Row => ({
	id: 13,
	name: 'Flow',
	unit: 'm³/h',
	quality: 'good',
	period: { count: 5, unit: 's' },
	aggregate: 'last',
	values: own === undefined ? {} : { own },
	...more,
});
const historyOf = (bounds: number[], period: History['period'], ...variables: Row[]): History => ({
	bounds,
	period,
	timeZone: 'UTC',
	dayStart: '00:00',
	variables,
});
const every = (start: number, ms: number, count: number) => Array.from({ length: count + 1 }, (_, index) => start + index * ms);
const minutes = { count: 1, unit: 'm' } as const;
const modelOf = (shown: History, comparison: Comparison, history: History) =>
	trendModel(shown, { variables: new Map(), alarms: [], labels: new Map(), compared: { comparison, history } });

describe('the compared range', () => {
	test.each([
		// The clock of Madrid goes back on 25 October 2026 and forward on 28 March 2027.
		['day', '2026-11-20T12:00+01:00', '2026-11-19T12:00+01:00'],
		['day', '2026-10-25T12:00+01:00', '2026-10-24T12:00+02:00'],
		['week', '2026-10-28T12:00+01:00', '2026-10-21T12:00+02:00'],
		['day', '2027-03-28T12:00+02:00', '2027-03-27T12:00+01:00'],
		[36 * hour, '2026-10-25T12:00+01:00', '2026-10-24T01:00+02:00'],
		[-hour, '2026-11-20T12:00+01:00', '2026-11-20T13:00+01:00'],
	] as const)('%s before %s is %s', (comparison, time, expected) => {
		chosenZone.value = 'Europe/Madrid';
		const at = Date.parse(time);
		const { start, end } = comparedSpan(comparison, { start: at, end: at + hour });
		expect([new Date(start).toISOString(), end - start]).toEqual([new Date(expected).toISOString(), hour]);
	});

	test('begins where it was typed, and not at the shown range itself', () => {
		const span = { start: 10 * day, end: 11 * day };
		const comparison = comparisonFrom(3 * day + hour, span);
		expect(comparedSpan(comparison ?? 0, span).start).toBe(3 * day + hour);
		expect(comparisonText(comparisonFrom(12 * day, span) ?? 0)).toBe('-2d');
		expect(comparisonFrom(10 * day, span)).toBeNull();
	});

	test.each([0, 1, 499, 500, 999])(
		'never begins before the typed minute, where the shown range begins %i ms after a second',
		(restMs) => {
			const span = { start: 10 * day + restMs, end: 11 * day };
			for (const typed of [3 * day + hour, 12 * day]) {
				const { start } = comparedSpan(comparisonFrom(typed, span) ?? 0, span);
				expect(start - typed).toBe(restMs);
			}
		},
	);
});

describe('a compared line', () => {
	beforeEach(() => {
		chosenZone.value = 'UTC';
	});
	const start = Date.parse('2026-11-20T12:00Z');
	const shown = historyOf(every(start, minute, 4), minutes, flow([1, 2, 3, 4]));

	test('has the value of the same minute, its gaps, and its own mean', () => {
		const model = modelOf(shown, 'day', historyOf(every(start - day, minute, 4), minutes, flow([10, null, null, 40])));
		expect(linesIn(model)[0]?.compared).toEqual({
			values: [10, null, null, 40],
			gaps: [{ kind: 'no_data', from: 1, to: 3 }],
			mean: 25,
		});
		expect(linesIn(model)[0]?.values).toEqual([1, 2, 3, 4]);
		expect(model.panes[0]?.scale.max).toBeGreaterThanOrEqual(40);
	});

	test('has no value where the compared range has no window, such as one that has not come yet', () => {
		const model = modelOf(shown, -2 * minute, historyOf(every(start + 2 * minute, minute, 2), minutes, flow([7, 8])));
		expect(linesIn(model)[0]?.compared?.values).toEqual([7, 8, null, null]);
	});

	test('is bad where its windows were', () => {
		const past = historyOf(every(start - day, minute, 4), minutes, flow([10, null, 30, 40], { faults: { not_finite: [1] } }));
		expect(linesIn(modelOf(shown, 'day', past))[0]?.compared?.gaps).toEqual([{ kind: 'bad', from: 1, to: 2 }]);
	});

	test('is none where the variable is not in the compared range', () => {
		const model = modelOf(shown, 'day', historyOf(every(start - day, minute, 4), minutes));
		expect(linesIn(model)[0]?.compared).toBeNull();
	});

	test('of a state has the share in which it was on', () => {
		const pump = (own: Row['values']['own']) => flow(own, { unit: 'boolean' });
		const past = historyOf(every(start - day, minute, 4), minutes, pump([0, 1, 1, 1]));
		const model = modelOf(historyOf(every(start, minute, 4), minutes, pump([0, 0, 0, 0])), 'day', past);
		expect(linesIn(model)[0]?.compared).toMatchObject({ values: [0, 1, 1, 1], mean: 0.75 });
	});

	test('is none where a window is longer than what is between the ranges: it would be compared with itself', () => {
		const weeks = { count: 7, unit: 'd' } as const;
		const long = historyOf(every(start, 7 * day, 4), weeks, flow([1, 2, 3, 4]));
		const past = historyOf(every(start - day, 7 * day, 4), weeks, flow([1, 2, 3, 4]));
		const model = modelOf(long, 'day', past);
		expect([model.isTooCoarse, model.comparison, linesIn(model)[0]?.compared]).toEqual([true, null, null]);
		const weekBefore = modelOf(long, 'week', historyOf(every(start - 7 * day, 7 * day, 4), weeks, flow([0, 1, 2, 3])));
		expect(linesIn(weekBefore)[0]?.compared?.values).toEqual([0, 1, 2, 3]);
	});
});
