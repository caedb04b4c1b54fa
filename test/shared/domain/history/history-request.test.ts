import { describe, expect, test } from 'vitest';
import { parseHistoryRequest } from '#domain/history/history-request.ts';
import { issuesOf } from '#test/support/validation-issues.ts';

const now = Date.UTC(2026, 10, 21, 12);
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const body = (overrides: Readonly<Record<string, unknown>> = {}): object => ({ ids: [7], start: now - dayMs, ...overrides });
const parsed = (overrides?: Readonly<Record<string, unknown>>) => parseHistoryRequest(body(overrides), now);
const issues = (overrides: Readonly<Record<string, unknown>>) => issuesOf(() => parsed(overrides));
const fields = (overrides: Readonly<Record<string, unknown>>) => Object.keys(issues(overrides)).sort();

describe('parseHistoryRequest', () => {
	test('fills in the defaults: until now, 500 points, own aggregate, UTC days from 00:00', () => {
		expect(parsed()).toEqual({
			ids: [7],
			range: { start: now - dayMs, stop: now },
			windows: { points: 500 },
			aggregates: ['own'],
			calendar: { zone: expect.objectContaining({ name: 'UTC' }), dayStartMs: 0 },
			dayStart: '00:00',
		});
	});

	test('takes null in an optional field for an absent field', () => {
		const nulls = { end: null, period: null, points: null, aggregates: null, timeZone: null, dayStart: null };
		expect(parsed(nulls)).toEqual(parsed());
		expect(parsed({ ...nulls, points: 100 }).windows).toEqual({ points: 100 });
		expect(fields({ ids: null, start: null })).toEqual(['ids', 'start']);
	});

	test('reads every field, and ignores unknown ones', () => {
		const request = parsed({
			ids: [3, 0, 9],
			start: '2026-11-20T00:00:00+01:00',
			end: '2026-11-21T00:00:00Z',
			period: { count: 1, unit: 'h' },
			aggregates: ['max', 'own', 'coverage'],
			timeZone: 'europe/madrid',
			dayStart: '06:30',
			other: 1,
		});
		expect(request).toMatchObject({
			ids: [3, 0, 9],
			range: { start: Date.UTC(2026, 10, 19, 23), stop: Date.UTC(2026, 10, 21) },
			windows: { period: { count: 1, unit: 'h' } },
			aggregates: ['max', 'own', 'coverage'],
			calendar: { zone: { name: 'Europe/Madrid' }, dayStartMs: 6.5 * hourMs },
			dayStart: '06:30',
		});
	});

	test('takes an end beyond now as now', () => {
		expect(parsed({ end: now + 1 }).range.stop).toBe(now);
		expect(parsed({ end: now - 1 }).range.stop).toBe(now - 1);
	});

	test.each([
		['now', { start: now }],
		['after now, whatever the end', { start: now + 1, end: now + 2 }],
		['the end', { start: now - 10, end: now - 10 }],
		['after the end', { start: now - 10, end: now - 11 }],
	])('refuses a start at %s', (_, overrides) => {
		expect(fields(overrides)).toEqual(['start']);
	});

	test('takes a range of 10 years of 366 days, and none that is longer', () => {
		const tenYearsMs = 3660 * dayMs;
		expect(fields({ start: now - tenYearsMs })).toEqual([]);
		expect(fields({ start: now - tenYearsMs - 1 })).toEqual(['start']);
	});

	test('takes 1 to 50 distinct ids', () => {
		const ids = Array.from({ length: 50 }, (_, index) => index);
		expect(parsed({ ids }).ids).toEqual(ids);
		for (const tooMany of [[...ids, 50], Array(1000).fill(1)])
			expect(() => parsed({ ids: tooMany })).toThrow(
				expect.objectContaining({
					code: 'too_large',
					payload: { field: 'ids', counted: 'ids', actual: tooMany.length, limit: 50 },
				}),
			);
		expect(fields({ ids: [] })).toEqual(['ids']);
		expect(issues({ ids: [4, 5, 4, 5, 6] })).toEqual({
			'ids.2': 'Must be unique: entry 0 is the same.',
			'ids.3': 'Must be unique: entry 1 is the same.',
		});
	});

	test('takes 20 to 5,000 points, or a period', () => {
		for (const points of [20, 5000]) expect(parsed({ points }).windows).toEqual({ points });
		for (const points of [19, 5001, 20.5, '20', {}]) expect(fields({ points })).toEqual(['points']);
		expect(fields({ points: 20, period: { count: 1, unit: 'h' } })).toEqual(['points']);
	});

	test('takes each aggregate once', () => {
		const all = ['own', 'mean', 'min', 'max', 'first', 'last', 'count', 'coverage'];
		expect(parsed({ aggregates: all }).aggregates).toEqual(all);
		expect(fields({ aggregates: [] })).toEqual(['aggregates']);
		expect(fields({ aggregates: ['mean', 'mean'] })).toEqual(['aggregates.1']);
		expect(fields({ aggregates: ['mean', 'sum'] })).toEqual(['aggregates.1']);
	});

	test.each(['+05:30', '', 'Europe/Atlantis', 'x'.repeat(100_000), {}, 1])('refuses the time zone %j', (timeZone) => {
		expect(fields({ timeZone })).toEqual(['timeZone']);
	});

	test('takes days that start from 00:00 to 23:59', () => {
		expect(parsed({ dayStart: '23:59' }).calendar.dayStartMs).toBe(dayMs - 60_000);
		for (const dayStart of ['24:00', '6:30', '06:60', '06:30:00', '', 630]) expect(fields({ dayStart })).toEqual(['dayStart']);
	});

	test('takes periods that are durations', () => {
		expect(parsed({ period: { count: 1.5, unit: 'h' } }).windows).toEqual({ period: { count: 1.5, unit: 'h' } });
		expect(fields({ period: { count: 0, unit: 'h' } })).toEqual(['period.count']);
		expect(fields({ period: { count: 1.5, unit: 'mo' } })).toEqual(['period.count']);
		expect(fields({ period: { count: 1, unit: 'week' } })).toEqual(['period.unit']);
		expect(fields({ period: {} })).toEqual(['period.count', 'period.unit']);
		expect(fields({ period: 'day' })).toEqual(['period']);
		expect(fields({ period: [] })).toEqual(['period']);
	});

	test('requires periods below a day to divide 24 h where days do not start at 00:00 UTC', () => {
		const period = { count: 7, unit: 'h' };
		expect(fields({ period })).toEqual([]);
		expect(fields({ period, timeZone: 'Europe/Madrid' })).toEqual(['period']);
		expect(fields({ period, dayStart: '06:00' })).toEqual(['period']);
		expect(fields({ period: { count: 6, unit: 'h' }, timeZone: 'Europe/Madrid', dayStart: '06:00' })).toEqual([]);
	});

	test('names every wrong field at once', () => {
		const wrong = { ids: ['x'], start: 'yesterday', end: {}, points: 1, aggregates: 'mean', timeZone: 'Mars', dayStart: 'noon' };
		expect(fields(wrong)).toEqual(['aggregates', 'dayStart', 'end', 'ids.0', 'points', 'start', 'timeZone']);
		expect(Object.keys(issuesOf(() => parseHistoryRequest({}, now)))).toEqual(['ids', 'start']);
		expect(fields({ start: now + 1, period: { count: 7, unit: 'h' }, dayStart: '01:00' })).toEqual(['period', 'start']);
	});
});
