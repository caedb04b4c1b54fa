import { expect, test } from 'vitest';
import type { Correction } from '#domain/board/correction.ts';
import { applyCorrections } from '#domain/totals/apply-corrections.ts';
import { evaluateLines } from '#domain/totals/evaluate-lines.ts';
import { nightsValue } from '#domain/totals/fold-nights.ts';
import { foldSignal } from '#domain/totals/fold-signal.ts';
import { widened } from '#domain/totals/instrument-error.ts';
import { createSignal } from '#domain/totals/signal.ts';
import { signalValue } from '#domain/totals/signal-values.ts';
import { parseTotalsRequest } from '#domain/totals/totals-request.ts';
import { readVectors } from '#test/support/vectors.ts';

/** A line over one window. Times are epoch milliseconds; a sample of null has no number. */
interface WaterCase {
	readonly id: string;
	readonly rule: string;
	readonly line: { readonly function: string };
	readonly timeZone: string;
	readonly start: number;
	readonly end: number;
	readonly samples: readonly (readonly [at: number, value: number | null])[];
	readonly holdMs: number;
	readonly corrections: readonly Partial<Correction>[];
	/** `ok` follows from the others. */
	readonly expect: Readonly<Record<string, unknown>> & { readonly ok?: number };
	readonly note?: string;
}

const rounded = (value: unknown): unknown => (typeof value === 'number' ? expect.closeTo(value, 8) : value);

test.each(readVectors<WaterCase>('water'))('$id $rule: $line.function, $note', (each) => {
	const { line, start, end, timeZone } = each;
	const { lines } = parseTotalsRequest({ lines: [{ key: 'a', varId: 1, ...line }], start, end, timeZone }, end);
	const times = Float64Array.from(each.samples, ([at]) => at);
	const values = Float64Array.from(each.samples, ([, value]) => value ?? Number.NaN);
	const corrections = each.corrections.map((fields) => ({ id: 1, varId: 1, type: 'exclude' as const, reason: 'R', ...fields }));
	const signal = applyCorrections(createSignal(times, values, each.holdMs), corrections, { isCounter: false });
	const [evaluated] = evaluateLines(lines, new Map([['a', { signal }]]), [start, end]);
	const { ok: _ok, ...expected } = each.expect;
	expect(evaluated?.values.total).toMatchObject(
		Object.fromEntries(Object.entries(expected).map(([field, value]) => [field, rounded(value)])),
	);
});

test('B12 N4: a window of several days has the median of its nights, within the medians of their bounds', () => {
	const night = (value: number | null, low: number | null, high: number | null) => ({ value, low, high, at: null, known: 1 });
	const state = (...nights: readonly ReturnType<typeof night>[]) => ({ span: nights.length, known: nights.length, nights });
	const five = [night(10, 10, 10), night(12, 12, 12), night(11, 8, 14), night(null, 0, 50), night(13, 13, 13)];
	expect(nightsValue(state(...five))).toMatchObject({ value: 11.5, known: 1, low: 10, high: 13, taken: 4, expected: 5 });
	// A missing bound is infinite, and so may be the median.
	expect(nightsValue(state(night(5, null, 5)))).toMatchObject({ value: 5, low: null, high: 5 });
	expect(nightsValue(state(night(5, null, 5), night(6, 6, null), night(7, 7, 7)))).toMatchObject({ low: 6, high: 7, value: 6 });
	// A night without a value has bounds all the same, which limit the median of the others.
	expect(nightsValue(state(night(10, 10, 10), night(null, 0, 1)))).toMatchObject({ value: 5.5, low: 5, high: 5.5 });
	expect(nightsValue(state())).toMatchObject({ value: null, low: null, high: null, expected: 0 });
});

test('a least mean needs hours within one day, and windows that divide none', () => {
	const asked = (fields: object) => () =>
		parseTotalsRequest(
			{ lines: [{ key: 'a', varId: 1, function: 'leastMean', over: 3600, ...fields }], start: 0, ...fields },
			1e9,
		);
	expect(asked({ between: ['23:00', '05:00'] })).toThrow();
	expect(asked({ between: ['23:00', '05:00'], dayStart: '12:00' })).not.toThrow();
	expect(asked({ between: ['22:00', '00:00'] })).not.toThrow();
	expect(asked({ period: { count: 1, unit: 'h' } })).toThrow();
	expect(asked({ period: { count: 1, unit: 'd' } })).not.toThrow();
});

test.each([
	['leastMean', 7201, '02:00', '04:00', '00:00', 'longer_than_hours'],
	['leastMean', 7200, '02:00', '04:00', '00:00', null],
	['leastMean', 7201, '23:00', '01:00', '12:00', 'longer_than_hours'],
	['leastMean', 7200, '23:00', '01:00', '12:00', null],
	['readings', 14_400, '01:00', '04:00', '00:00', 'no_reading_in_hours'],
	['within', 14_400, '01:00', '04:00', '00:00', 'no_reading_in_hours'],
	['readings', 14_400, '04:00', '04:01', '00:00', null],
	['readings', 14_400, '01:00', '04:01', '00:00', null],
	['readings', 14_400, '01:00', '04:00', '06:00', null],
	['readings', 14_400, '03:00', '06:00', '07:00', null],
	['readings', 14_400, '04:00', '07:00', '07:00', 'no_reading_in_hours'],
	['readings', 86_400, '22:00', '00:00', '00:00', 'no_reading_in_hours'],
	['readings', 86_400, '22:00', '00:01', '00:00', null],
])('%s of %i s between %s and %s, in days from %s: %s', (functionName, seconds, from, to, dayStart, code) => {
	const count = functionName === 'leastMean' ? { over: seconds } : { every: seconds, limits: [0, 1] };
	const line = { key: 'a', varId: 1, function: functionName, between: [from, to], ...count };
	const parse = () => parseTotalsRequest({ lines: [line], start: 0, dayStart }, 1e9);
	if (code === null) expect(parse).not.toThrow();
	else expect(parse).toThrow(expect.objectContaining({ payload: { issues: [expect.objectContaining({ code })] } }));
});

test('S1 0.2: an error widens the bounds of a mean, and never its value', () => {
	const { value, low, high } = widened({ value: 105, low: 100, high: 110 }, [2, 0.5]);
	expect([value, low, high]).toEqual([105, 97.5, expect.closeTo(112.7, 9)]);
});

test('an error is taken of the window for a total, of both readings for a change, and in per cent for an increase', () => {
	const count = (line: object) => {
		const [start, end] = [Date.UTC(2026, 10, 20), Date.UTC(2026, 10, 20, 2)];
		const { lines } = parseTotalsRequest({ lines: [{ key: 'a', varId: 1, ...line }], start, end }, end);
		const signal = createSignal(Float64Array.of(start, end), Float64Array.of(100, 110), end);
		const { value, low, high } = evaluateLines(lines, new Map([['a', { signal }]]), [start, end])[0]?.values.total ?? {};
		return [value, low, high].map((number) => Math.round(1e6 * (number ?? Number.NaN)) / 1e6);
	};
	expect(count({ function: 'total', per: 'h', error: [1, 0.5] })).toEqual([200, 197, 203]);
	expect(count({ function: 'mean', error: [1, 0.5] })).toEqual([100, 98.5, 101.5]);
	expect(count({ function: 'max', error: [1, 0.5] })).toEqual([100, 98.5, 101.5]);
	expect(count({ function: 'change', error: [1, 0.5] })).toEqual([10, 6.9, 13.1]);
	expect(count({ function: 'increase', error: [1, 0] })).toEqual([10, 9.9, 10.1]);
});

test('the percentage of a total with both signs is of the greatest reading, because its parts take each other away', () => {
	const signal = createSignal(Float64Array.of(0, 3_600_000), Float64Array.of(100, -100), 3_600_000);
	const [state = expect.unreachable()] = foldSignal(signal, [0, 7_200_000]);
	expect(signalValue('total', state, { perMs: 3_600_000, error: [1, 0] })).toMatchObject({ value: 0, low: -2, high: 2 });
	expect(signalValue('mean', state, { error: [1, 0] })).toMatchObject({ value: 0, low: -1, high: 1 });
});

test.each([5e-324, 0, -1])('a period of %s days is refused by its own fault, whatever the lines', (count) => {
	const body = {
		start: 1.7e12,
		end: 1.7e12 + 86_400_000,
		period: { count, unit: 'd' },
		lines: [{ key: 'a', varId: 1, function: 'total', per: 'h', holdSeconds: 60 }],
	};
	expect(() => parseTotalsRequest(body, Date.now())).toThrow(
		expect.objectContaining({ payload: { issues: [expect.objectContaining({ path: 'period.count' })] } }),
	);
});

test('so is that of a least mean, also without a range: half hours of 100 and -100 with 10 % are -10 to 10', () => {
	const [start, halfHourMs] = [Date.UTC(2026, 10, 20), 1_800_000];
	const end = start + 48 * halfHourMs;
	const line = { key: 'a', varId: 1, function: 'leastMean', over: 3600, error: [10, 0] };
	const { lines } = parseTotalsRequest({ lines: [line], start, end }, end);
	const times = Float64Array.from({ length: 48 }, (_, index) => start + index * halfHourMs);
	const signal = createSignal(
		times,
		times.map((_, index) => (index % 2 === 0 ? -100 : 100)),
		halfHourMs,
	);
	const [evaluated] = evaluateLines(lines, new Map([['a', { signal }]]), [start, end]);
	expect(evaluated?.values.total).toMatchObject({ value: 0, low: -10, high: 10 });
});
