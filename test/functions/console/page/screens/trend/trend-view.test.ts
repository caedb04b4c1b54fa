import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxTrendIds, parseTrendView, trendParams } from '#page/screens/trend/trend-view.ts';

const now = Date.parse('2026-11-21T15:12:00Z');
const parse = (query: string) => parseTrendView(new URLSearchParams(query), now);

test('an empty address follows the last 24 hours and has no variables', () => {
	expect(parse('')).toEqual({
		chart: null,
		ids: null,
		range: { follows: true, lengthMs: 86_400_000 },
		isOtherRange: false,
		comparison: null,
	});
});

test('ids are positive integers, each once, in their order', () => {
	expect(parse('ids=16,4,16,x,0,-3,1.5,,13').ids).toEqual([16, 4, 13]);
	expect(parse('ids=').ids).toEqual([]);
});

test('more ids than a chart can keep are left out', () => {
	const ids = Array.from({ length: maxTrendIds + 1 }, (_, index) => index + 1);
	expect(parse(`ids=${ids.join()}`).ids).toEqual(ids.slice(0, -1));
});

test.each([
	['from=2026-11-20T15:12:00Z&to=2026-11-20T16:12:00Z', { follows: false, start: now - 86_400_000, end: now - 82_800_000 }],
	['from=2026-11-20T16:12:00Z&to=2026-11-20T15:12:00Z', { follows: true, lengthMs: 86_400_000 }],
	['from=2027-11-20T15:12:00Z&to=2027-11-21T15:12:00Z', { follows: true, lengthMs: 86_400_000 }],
	['from=nonsense&to=2026-11-20T15:12:00Z&range=1h', { follows: true, lengthMs: 3_600_000 }],
	['range=9999999d', { follows: true, lengthMs: 86_400_000 }],
])('the range of %s', (query, range) => {
	expect(parse(query).range).toEqual(range);
});

const dayMs = 86_400_000;
const at = (ms: number) => new Date(ms).toISOString();
test.each([
	['', false],
	['range=1h', false],
	['range=', true],
	['range=banana', true],
	['range=59s', true],
	['range=60s', false],
	['range=3660d', false],
	['range=3661d', true],
	[`from=${at(now - dayMs)}`, true],
	[`to=${at(now)}`, true],
	['from=banana&to=2026-11-20T15:12:00Z&range=1h', true],
	[`from=${at(now - dayMs)}&to=${at(now)}`, false],
	[`from=${at(now - dayMs)}&to=${at(now + 1)}`, true],
	[`from=${at(now - dayMs)}&to=${at(now - dayMs)}`, true],
	[`from=${at(now)}&to=${at(now + dayMs)}`, true],
	[`from=${at(now - 3660 * dayMs)}&to=${at(now)}`, false],
	[`from=${at(now - 3660 * dayMs - 1)}&to=${at(now)}`, true],
])('the address %s names another range than the shown one: %s', (query, isOther) => {
	expect(parse(query).isOtherRange).toBe(isOther);
});

test.each(['', 'month', '10s', '1', '--2h', '9999999d'])('compare=%s compares with nothing', (text) => {
	expect(parse(`compare=${text}`).comparison).toBeNull();
});

test('what is shown is read back from its address', () => {
	const views = fc.record({
		chart: fc.option(fc.integer({ min: 1, max: 1e9 })),
		ids: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 1e9 }), { maxLength: maxTrendIds })),
		range: fc.oneof(
			fc.integer({ min: 60, max: 300_000_000 }).map((seconds) => ({ follows: true as const, lengthMs: seconds * 1000 })),
			fc
				.tuple(fc.integer({ min: 0, max: now - 1 }), fc.integer({ min: 60_000, max: 1e10 }))
				.map(([end, lengthMs]) => ({ follows: false as const, start: end - lengthMs, end })),
		),
		isOtherRange: fc.constant(false),
		comparison: fc.oneof(
			fc.constantFrom(null, 'day' as const, 'week' as const),
			fc.integer({ min: 60, max: 300_000_000 }).map((seconds) => seconds * 1000),
			fc.integer({ min: 60, max: 300_000_000 }).map((seconds) => seconds * -1000),
		),
	});
	fc.assert(
		fc.property(views, (view) => {
			expect(parseTrendView(new URLSearchParams(trendParams(view)), now)).toEqual(view);
		}),
	);
});
