import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseStoredDay, serializeDay } from '#adapters/stored-report-day.ts';
import { calendarOf } from '#domain/calendar/days.ts';
import { createEvaluator, evaluateLines, evaluateStates } from '#domain/totals/evaluate-lines.ts';
import { foldLines } from '#domain/totals/fold-lines.ts';
import { createSignal } from '#domain/totals/signal.ts';
import { totalsLineOf } from '#domain/totals/totals-request.ts';
import { tokensOf } from '#test/support/builders/equations.ts';
import { makeStoredDay } from '#test/support/reports/report-days.ts';

/** A sealed day as release 0.1 stored it, with a line of each function and a correction. The file never changes. */
const stored = readFileSync(new URL('../../data/sealed-day-0.1.json', import.meta.url), 'utf8').trim();

describe('a sealed day that release 0.1 stored', () => {
	test('is read and written to the last bit', () => {
		const day = parseStoredDay(stored);
		expect(day).toMatchObject({ date: '2026-10-25', revision: 1, seal: { by: 'Ana', reason: 'First' }, corrections: [{}] });
		expect(JSON.parse(serializeDay(day))).toEqual(JSON.parse(stored));
	});

	test('has states that give the numbers with which it was sealed, so that months of it stay what they were', () => {
		const day = parseStoredDay(stored);
		const values = createEvaluator(day.lines.map(({ line }) => totalsLineOf(line, calendarOf(day))))(
			new Map(day.lines.map(({ line, state }) => [line.key, state])),
		);
		expect(day.lines.length).toBeGreaterThanOrEqual(9);
		for (const { line, value } of day.lines) {
			expect(value.value, line.key).not.toBeNull();
			// Since then, the least value that was seen is an upper bound, and the greatest a lower one.
			const sinceSeen =
				line.function === 'min'
					? { high: value.high ?? value.value }
					: line.function === 'max'
						? { low: value.low ?? value.value }
						: {};
			expect(JSON.parse(JSON.stringify(values.get(line.key))), line.key).toEqual({ ...value, ...sinceSeen });
		}
	});
});

test('a sum that no number holds is read as it was', () => {
	const day = makeStoredDay('2026-11-20');
	expect(parseStoredDay(serializeDay(day))).toEqual(day);
});

test('a damaged day is a fault', () => {
	for (const text of ['', '{', 'null', '{}', stored.replace('"known"', '"kept"')])
		expect(() => parseStoredDay(text)).toThrow('A stored day of a report is invalid.');
});

test('days with each function of limits come back as they were stored, and merge to what a direct computation gives', () => {
	const fields = { name: 'N', unit: '', varId: 1 };
	const lines = [
		{ ...fields, key: 'onTime', function: 'onTime' as const, limits: [1, 3] as [number, number] },
		{ ...fields, key: 'within', function: 'within' as const, limits: [null, 3] as [null, number] },
		{ ...fields, key: 'longest', function: 'longest' as const, limits: [null, 3] as [null, number] },
		{ ...fields, key: 'excursions', function: 'excursions' as const, limits: [null, 3] as [null, number], forSeconds: 3600 },
		{ ...fields, key: 'readings', function: 'readings' as const, limits: [1, null] as [number, null], every: 14_400 },
		{ ...fields, key: 'change', function: 'change' as const, range: [0, 9] as [number, number] },
		{ ...fields, key: 'night', function: 'leastMean' as const, over: 3600, range: [-9, 9] as [number, number] },
		{ ...fields, key: 'total', function: 'total' as const, per: 'h' as const },
		{ ...fields, key: 'balance', function: 'formula' as const, equation: tokensOf('total - change + within') },
	];
	const calendar = calendarOf({ timeZone: 'Europe/Madrid', dayStart: '00:00' });
	const asked = lines.map((line) => totalsLineOf(line, calendar));
	const start = Date.parse('2026-10-23T22:00:00Z');
	const bounds = [0, 24, 49, 73].map((hour) => start + hour * 3_600_000);
	const samples = Array.from({ length: 95 }, (_, index) => index - 20).filter((hour) => hour % 11 !== 3);
	const signal = createSignal(
		Float64Array.from(samples, (hour) => start + hour * 3_600_000),
		Float64Array.from(samples, (hour) => ((hour * 7) % 10) + 0.5),
		5_400_000,
	);
	const sources = new Map(lines.map(({ key }) => [key, { signal }]));
	const days = foldLines(asked, sources, bounds);
	const values = days.map(createEvaluator(asked));
	const stored = days.map((states, index) => {
		const day = makeStoredDay('2026-10-24', {
			lines: lines.map((line) => {
				const [state, value] = [states.get(line.key), values[index]?.get(line.key)];
				return { line, source: '', state: state ?? expect.unreachable(), value: value ?? expect.unreachable() };
			}),
		});
		const parsed = parseStoredDay(serializeDay(day));
		expect(parsed).toEqual(day);
		return new Map(parsed.lines.map(({ line, state }) => [line.key, state]));
	});
	const merged = evaluateStates(asked, stored);
	expect(merged).toEqual(evaluateLines(asked, sources, bounds));
	const whole = evaluateLines(asked, sources, [bounds[0] ?? 0, bounds[3] ?? 0]);
	for (const [index, { key, values: of }] of merged.entries()) {
		expect(of.total.value, key).not.toBeNull();
		// The bounds of excursions are sums, and those of sums of floats may differ in the last bit.
		if (key !== 'excursions' && key !== 'balance' && key !== 'total') expect(of.total, key).toEqual(whole[index]?.values.total);
		else expect(of.total.value, key).toBeCloseTo(whole[index]?.values.total.value ?? Number.NaN, 9);
	}
});
