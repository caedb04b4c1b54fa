import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	lengthText,
	maxLengthMs,
	minLengthMs,
	panned,
	parseLength,
	rangeBetween,
	spanOf,
	type TimeRange,
	zoomed,
} from '#page/screens/trend/time-range.ts';

const hour = 3_600_000;
const now = Date.parse('2026-11-21T15:12:00Z');
const day: TimeRange = { follows: true, lengthMs: 24 * hour };
const yesterday: TimeRange = { follows: false, start: now - 48 * hour, end: now - 24 * hour };

const ranges: fc.Arbitrary<TimeRange> = fc.oneof(
	fc.record({ follows: fc.constant(true as const), lengthMs: fc.integer({ min: minLengthMs, max: maxLengthMs }) }),
	fc
		.record({ end: fc.integer({ min: 0, max: now - 1 }), lengthMs: fc.integer({ min: minLengthMs, max: maxLengthMs }) })
		.map(({ end, lengthMs }) => ({ follows: false as const, start: end - lengthMs, end })),
);

test('a range that follows ends now', () => {
	expect(spanOf(day, now)).toEqual({ start: now - 24 * hour, end: now });
	expect(spanOf(day, now + 1000)).toEqual({ start: now - 24 * hour + 1000, end: now + 1000 });
});

describe('zooming', () => {
	test('keeps a range that follows at now', () => {
		expect(zoomed(day, 0.5, null, now)).toEqual({ follows: true, lengthMs: 12 * hour });
		expect(zoomed(day, 2, null, now)).toEqual({ follows: true, lengthMs: 48 * hour });
	});

	test('puts the time of the anchor where it says, from any range', () => {
		const time = now - 42 * hour;
		expect(zoomed(yesterday, 0.5, { time, share: 0.25 }, now)).toEqual({
			follows: false,
			start: time - 3 * hour,
			end: time + 9 * hour,
		});
		expect(zoomed({ follows: true, lengthMs: hour }, 0.5, { time, share: 0.5 }, now)).toEqual({
			follows: false,
			start: time - hour / 4,
			end: time + hour / 4,
		});
	});

	test('ends now where the anchor would stand in the middle of the future', () => {
		expect(zoomed(day, 0.5, { time: now - hour, share: 0.5 }, now)).toEqual({ follows: true, lengthMs: 12 * hour });
	});

	test('keeps the middle without an anchor', () => {
		expect(zoomed(yesterday, 0.5, null, now)).toEqual({ follows: false, start: now - 42 * hour, end: now - 30 * hour });
	});
});

describe('moving', () => {
	test('into the past ends the following', () => {
		expect(panned(day, -0.5, now)).toEqual({ follows: false, start: now - 36 * hour, end: now - 12 * hour });
	});

	test('up to now follows now', () => {
		expect(panned(yesterday, 1, now)).toEqual({ follows: true, lengthMs: 24 * hour });
		expect(panned(yesterday, 0.99, now)).toMatchObject({ follows: false });
	});
});

test('no change gives a range that the service refuses, or one that ends in the future', () => {
	fc.assert(
		fc.property(ranges, fc.double({ min: -3, max: 3, noNaN: true }), fc.constantFrom(0.5, 2), (range, share, factor) => {
			for (const changed of [
				panned(range, share, now),
				zoomed(range, factor, null, now),
				zoomed(range, factor, { time: now - hour, share: 0.5 }, now),
			]) {
				const { start, end } = spanOf(changed, now);
				expect(end).toBeLessThanOrEqual(now);
				expect(end - start).toBeGreaterThanOrEqual(minLengthMs);
				expect(end - start).toBeLessThanOrEqual(maxLengthMs);
			}
		}),
	);
});

test('a range may be dragged in either direction', () => {
	expect(rangeBetween(now - hour, now - 3 * hour, now)).toEqual(rangeBetween(now - 3 * hour, now - hour, now));
});

test.each([
	['24h', 24 * hour],
	['7d', 168 * hour],
	['90m', 90 * 60_000],
	['61s', 61_000],
])('the length %s is written and read', (text, lengthMs) => {
	expect(parseLength(text)).toBe(lengthMs);
	expect(lengthText(lengthMs)).toBe(text);
});

test.each(['', '24', 'h', '-1h', '59s', '3661d', '1.5h', '24H', '999999999d'])('the length "%s" is refused', (text) => {
	expect(parseLength(text)).toBeNull();
});
