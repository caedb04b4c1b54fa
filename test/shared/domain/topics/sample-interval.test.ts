import { expect, test } from 'vitest';
import { sampleIntervalMs } from '#domain/topics/sample-interval.ts';

test.each([
	[[], null],
	[[1000], null],
	[[1000, 1000], null],
	[[1000, 1001], 1],
	[[0, 5000, 10_000, 75_000], 5000],
	[[0, 5000, 15_000], 7500],
	[[0, 0, 2000, 2000, 4000], 2000],
] as const)('the interval of samples at %j is %j ms', (times, expected) => {
	expect(sampleIntervalMs(times)).toBe(expected);
});
