import { describe, expect, test } from 'vitest';
import { localTimeAt } from '#domain/calendar/local-time.ts';
import { openTimeZone, type TimeZone } from '#domain/calendar/time-zone.ts';
import { foldWithin, partsWithin } from '#domain/totals/local-hours.ts';
import { createSignal } from '#domain/totals/signal.ts';

const minute = 60_000;
const hour = 60 * minute;
const zoneOf = (name: string): TimeZone => {
	const zone = openTimeZone(name);
	if (zone === null) throw new Error(`There is no zone ${name}.`);
	return zone;
};
const clock = (text: string): number => {
	const [hours = 0, minutes = 0] = text.split(':').map(Number);
	return hours * hour + minutes * minute;
};

describe('local hours', () => {
	test.each([
		['Europe/Madrid', '2026-03-28T10:10:00Z', '2026-03-31T03:00:00Z', '02:00', '04:00'],
		['Europe/Madrid', '2026-03-28T10:10:00Z', '2026-03-31T03:00:00Z', '02:30', '03:30'],
		['Europe/Madrid', '2026-10-24T00:00:00Z', '2026-10-27T00:00:00Z', '01:30', '02:30'],
		['Europe/Madrid', '2026-10-25T00:30:00Z', '2026-10-25T01:20:00Z', '02:00', '03:00'],
		['Australia/Lord_Howe', '2026-04-03T00:00:00Z', '2026-04-06T00:00:00Z', '01:15', '01:45'],
		['Australia/Lord_Howe', '2026-10-02T00:00:00Z', '2026-10-05T00:00:00Z', '22:00', '02:10'],
		['UTC', '2026-10-02T23:00:00Z', '2026-10-05T01:00:00Z', '22:00', '06:00'],
		['Asia/Kathmandu', '2026-10-02T23:00:00Z', '2026-10-05T01:00:00Z', '06:00', '06:00'],
	])('of %s from %s to %s between %s and %s are those of the clock, minute by minute', (name, start, stop, from, to) => {
		const zone = zoneOf(name);
		const hours = { fromMs: clock(from), toMs: clock(to) };
		const range = { start: Date.parse(start), stop: Date.parse(stop) };
		const parts = partsWithin(range, hours, zone);
		for (let at = range.start; at < range.stop; at += minute) {
			const time = localTimeAt(at, zone) % (24 * hour);
			const isWithin =
				hours.fromMs < hours.toMs ? time >= hours.fromMs && time < hours.toMs : time >= hours.fromMs || time < hours.toMs;
			const within = parts.filter((part) => part.start <= at && at < part.stop);
			expect(within.length, new Date(at).toISOString()).toBe(isWithin ? 1 : 0);
		}
		expect(parts.filter((part, index) => part.start === parts[index - 1]?.stop)).toEqual([]);
	});

	test.each([
		['that of the spring change has 1 h', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', '02:00', '04:00', [[1, 2]]],
		[
			'that of the autumn change has 3 h in one piece',
			'2026-10-24T22:00:00Z',
			'2026-10-25T23:00:00Z',
			'02:00',
			'04:00',
			[[0, 3]],
		],
		[
			'that of the spring change over it has 2 h in one piece',
			'2026-03-28T23:00:00Z',
			'2026-03-29T22:00:00Z',
			'01:00',
			'04:00',
			[[0, 2]],
		],
		[
			'half hours that come twice are two',
			'2026-10-24T22:00:00Z',
			'2026-10-25T23:00:00Z',
			'02:15',
			'02:45',
			[
				[0.25, 0.75],
				[1.25, 1.75],
			],
		],
		[
			'a window that begins in the hour that comes twice',
			'2026-10-25T00:30:00Z',
			'2026-10-25T23:00:00Z',
			'02:00',
			'04:00',
			[[0.5, 3]],
		],
	] as const)('are one piece where pieces meet: %s', (_, start, stop, from, to, expected) => {
		// Hours after 00:00 UTC.
		const day = Date.parse(`${stop.slice(0, 10)}T00:00:00Z`);
		const parts = partsWithin(
			{ start: Date.parse(start), stop: Date.parse(stop) },
			{ fromMs: clock(from), toMs: clock(to) },
			zoneOf('Europe/Madrid'),
		);
		expect(parts.map((part) => [(part.start - day) / hour, (part.stop - day) / hour])).toEqual(expected);
	});

	test('count one hour in March and three in October, of a signal that is always known', () => {
		const zone = zoneOf('Europe/Madrid');
		const hours = { fromMs: clock('02:00'), toMs: clock('04:00') };
		for (const [day, next, expected] of [
			['2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', 1],
			['2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', 3],
		] as const) {
			const bounds = [Date.parse(day), Date.parse(next)];
			const signal = createSignal(Float64Array.of(bounds[0] ?? 0), Float64Array.of(7), 48 * hour);
			const [state] = foldWithin(signal, bounds, { between: hours, zone });
			expect(state).toMatchObject({ span: expected * hour, known: expected * hour, on: expected * hour });
		}
	});

	test('that a window does not have are a state without time', () => {
		const bounds = [0, hour];
		const signal = createSignal(Float64Array.of(0), Float64Array.of(7), hour);
		const [state] = foldWithin(signal, bounds, { between: { fromMs: 5 * hour, toMs: 6 * hour }, zone: zoneOf('UTC') });
		expect(state).toMatchObject({ span: 0, known: 0, min: null, starts: 0 });
	});
});
