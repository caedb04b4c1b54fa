import { describe, expect, test } from 'vitest';
import type { SeriesKey } from '#domain/ports/time-series.ts';
import { lookbackClassOf } from '#domain/reading/lookback-class.ts';
import { streamGroupOf } from '#domain/reading/stream-group.ts';
import { makeDuration } from '#test/support/builders/durations.ts';

describe('lookbackClassOf', () => {
	test.each([
		[1, 'ms', 0],
		[10, 'm', 0],
		[600_001, 'ms', 1],
		[2, 'h', 1],
		[7_200_001, 'ms', 2],
		[1, 'd', 2],
		[25, 'h', 3],
		[14, 'd', 3],
		[15, 'd', 4],
		[1, 'mo', 4],
		[12, 'mo', 4],
		[1, 'y', 4],
		[13, 'mo', 5],
		[100, 'y', 5],
	] as const)('%d %s is of class %d', (count, unit, expected) =>
		expect(lookbackClassOf(makeDuration(count, unit))).toBe(expected),
	);
});

describe('streamGroupOf', () => {
	const newest = (ms: number): SeriesKey => ({ read: 'newest', topic: 't', field: 'f', lookback: { ms } });
	const windows = {
		read: 'history',
		topic: 't',
		field: 'f',
		lookback: { ms: 3_600_000 },
		period: { ms: 60_000 },
		aggregate: 'mean',
	} as const satisfies SeriesKey;

	test('newest reads share a group by the class of their lookbacks, whatever their topic', () => {
		expect(streamGroupOf(newest(600_000))).toBe(streamGroupOf({ ...newest(1), topic: 'u', field: 'g' }));
		expect(streamGroupOf(newest(600_001))).not.toBe(streamGroupOf(newest(600_000)));
	});

	test('windowed reads share a group only with the same read, lookback, period and aggregate', () => {
		const others: readonly SeriesKey[] = [
			{ ...windows, read: 'trailing' },
			{ ...windows, lookback: { ms: 3_600_001 } },
			{ ...windows, lookback: { ms: 3_600_000, months: 1 } },
			{ ...windows, period: { ms: 60_001 } },
			{ ...windows, aggregate: 'last' },
		];
		expect(streamGroupOf({ ...windows, topic: 'u', field: 'g' })).toBe(streamGroupOf(windows));
		expect(new Set([windows, ...others].map(streamGroupOf)).size).toBe(others.length + 1);
	});
});
