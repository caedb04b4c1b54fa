import { expect, test } from 'vitest';
import { parseBacktestRange } from '#domain/alarm/backtest-range.ts';
import { allIssuesOf } from '#test/support/validation-issues.ts';

const now = Date.parse('2026-11-22T12:00:00Z');
const issues = (query: Parameters<typeof parseBacktestRange>[0]) =>
	allIssuesOf(() => parseBacktestRange(query, now)).map(({ path, code }) => [path, code]);

test('is null without parameters', () => {
	expect(parseBacktestRange({}, now)).toBeNull();
});

test('takes ISO-8601 and epoch milliseconds', () => {
	const expected = { start: now - 7_200_000, stop: now - 3_600_000 };
	expect(parseBacktestRange({ start: '2026-11-22T10:00:00Z', end: '2026-11-22T12:00+01:00' }, now)).toMatchObject({
		...{ range: expected, zone: { name: 'UTC' } },
	});
	expect(parseBacktestRange({ start: String(expected.start), end: String(expected.stop) }, now)?.range).toEqual(expected);
});

test('ends now at the latest', () => {
	expect(parseBacktestRange({ start: '2026-11-22T10:00:00Z', end: '2027-01-01T00:00:00Z' }, now)?.range.stop).toBe(now);
});

test.each([
	[{ start: '2026-11-22T10:00:00Z' }, [['end', 'required']]],
	[{ end: '2026-11-22T10:00:00Z' }, [['start', 'required']]],
	[
		{ start: 'yesterday', end: '' },
		[
			['start', 'not_a_time'],
			['end', 'not_a_time'],
		],
	],
	[{ start: '2026-11-22T10:00:00Z', end: '2026-11-22T11:00:00Z', timeZone: 'Mars' }, [['timeZone', 'not_a_time_zone']]],
	[{ start: '9999999999999999', end: '2026-11-22T10:00:00Z' }, [['start', 'not_epoch_ms']]],
	[{ start: '2026-11-22T12:00:00Z', end: '2026-11-23T10:00:00Z' }, [['start', 'start_not_past']]],
	[{ start: '2026-11-22T10:00:00.001Z', end: '2026-11-22T10:00:01Z' }, [['start', 'start_not_before_end']]],
	[{ start: '2026-11-22T10:00:00Z', end: '2026-11-22T10:00:01Z' }, []],
	[{ start: '2026-10-22T11:59:59.999Z', end: '2026-11-22T12:00:00Z' }, [['start', 'range_too_long']]],
	[{ start: '2026-10-22T12:00:00Z', end: '2026-11-22T12:00:00Z' }, []],
])('judges %j', (query, expected) => {
	expect(issues(query)).toEqual(expected);
});
