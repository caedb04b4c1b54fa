import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundsOf, countBounds } from '#domain/calendar/bounds.ts';
import type { Duration } from '#domain/variable/duration.ts';
import type { Range } from '#domain/variable/window.ts';
import { makeCalendar } from '#test/support/builders/calendars.ts';
import type { StartsCase } from '#test/support/temporal-starts.ts';

const program = fileURLToPath(new URL('../../../support/temporal-starts.ts', import.meta.url));
const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** Windows to compare: the days or months that Temporal lays, divided by `partMs` where it is given. */
interface Comparison extends StartsCase {
	readonly partMs?: number;
}

const temporalStarts = (cases: readonly StartsCase[]): readonly (readonly number[])[] =>
	JSON.parse(
		execFileSync(process.execPath, ['--harmony-temporal', program], {
			input: JSON.stringify(cases),
			encoding: 'utf8',
			maxBuffer: 2 ** 28,
		}),
	) as number[][];

const periodOf = ({ unit, count, partMs }: Comparison): Duration => {
	if (partMs !== undefined) return { ms: partMs };
	return unit === 'days' ? { ms: count * dayMs } : { ms: count * 31 * dayMs, months: count };
};

const expectedBounds = (starts: readonly number[], { start, stop }: Range, partMs = Number.POSITIVE_INFINITY): number[] => {
	const bounds = [start];
	starts.forEach((from, index) => {
		const to = starts[index + 1] ?? from;
		for (let at = from; at < to; at += partMs) if (at > start && at < stop) bounds.push(at);
	});
	bounds.push(stop);
	return bounds;
};

/** Expects the same bounds as Temporal's for all cases. */
const expectAgreement = (comparisons: readonly Comparison[]): void => {
	const starts = temporalStarts(comparisons);
	comparisons.forEach((comparison, index) => {
		const expected = expectedBounds(starts[index] ?? [], comparison, comparison.partMs);
		const calendar = makeCalendar(comparison.zone, comparison.dayStart);
		const actual = boundsOf(comparison, periodOf(comparison), calendar);
		const label = JSON.stringify(comparison);
		const difference = expected.findIndex((bound, place) => actual[place] !== bound);
		expect({ difference, length: actual.length }, label).toEqual({ difference: -1, length: expected.length });
		expect(countBounds(comparison, periodOf(comparison), calendar), label).toBe(expected.length);
	});
};

const zones = [
	'America/Santiago',
	'Europe/Madrid',
	'America/New_York',
	'Australia/Lord_Howe',
	'Asia/Kathmandu',
	'Africa/Casablanca',
	'Pacific/Chatham',
	'America/St_Johns',
	'Pacific/Apia',
	'Asia/Gaza',
	'UTC',
];
const dayStarts = ['00:00', '00:30', '01:30', '02:30', '06:00', '23:30'];
const periods = [
	{ unit: 'days', count: 1, partMs: hourMs },
	{ unit: 'days', count: 1, partMs: 6 * hourMs },
	{ unit: 'days', count: 1 },
	{ unit: 'days', count: 2 },
	{ unit: 'days', count: 7 },
	{ unit: 'months', count: 1 },
	{ unit: 'months', count: 3 },
	{ unit: 'months', count: 12 },
] as const;
const tenYears = { start: Date.UTC(2010, 5, 15, 3, 17, 23, 456), stop: Date.UTC(2020, 5, 15, 3, 17, 23, 456) };

test('bounds over 10 years equal those of Temporal in 11 zones, with 6 starts of the day and 8 periods', {
	timeout: 60_000,
}, () => {
	expectAgreement(
		zones.flatMap((zone) =>
			dayStarts.flatMap((dayStart) => periods.map((period) => ({ zone, dayStart, ...tenYears, ...period }))),
		),
	);
});

test('bounds of any range from 1900 to 2100 equal those of Temporal in any zone', { timeout: 60_000 }, () => {
	const anyPeriod = fc.oneof(
		fc.constantFrom(10_000, 900_000, hourMs, 12 * hourMs).map((partMs) => ({ unit: 'days', count: 1, partMs }) as const),
		fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(1, 7, 14)).map((count) => ({ unit: 'days', count }) as const),
		fc.integer({ min: 1, max: 30 }).map((count) => ({ unit: 'months', count }) as const),
	);
	const anyComparison = fc
		.record({
			zone: fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
			minutes: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1439 })),
			start: fc.integer({ min: Date.UTC(1900, 0), max: Date.UTC(2100, 0) }),
			periods: fc.double({ min: 0.1, max: 25, noNaN: true }),
			period: anyPeriod,
		})
		.map(({ zone, minutes, start, periods, period }): Comparison => {
			const dayStart = new Date(minutes * 60_000).toISOString().slice(11, 16);
			const { ms } = periodOf({ zone, dayStart, start, stop: start, ...period });
			const stop = start + Math.ceil(Math.min(periods * ms, 400 * dayMs));
			return { zone, dayStart, start, stop, ...period };
		});
	expectAgreement(fc.sample(anyComparison, 300));
});
