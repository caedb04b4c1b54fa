import { describe, expect, test } from 'vitest';
import { openTimeZone } from '#domain/calendar/time-zone.ts';
import { evaluateLines } from '#domain/totals/evaluate-lines.ts';
import type { LineFunction } from '#domain/totals/line-state.ts';
import { createSignal, type Signal } from '#domain/totals/signal.ts';

const hourMs = 3_600_000;
const signalOf = (samples: readonly (readonly [hour: number, value: number])[], holdHours: number) =>
	createSignal(
		Float64Array.from(samples, ([hour]) => hour * hourMs),
		Float64Array.from(samples, ([, value]) => value),
		holdHours * hourMs,
	);
const hours = (...list: readonly number[]) => list.map((hour) => hour * hourMs);
const valuesOfLine = (signal: Signal, asked: LineFunction, bounds: readonly number[]) => {
	const line = { kind: 'signal', key: 'line', varId: 1, bit: undefined, holdMs: undefined, asked } as const;
	const [evaluated] = evaluateLines([line], new Map([['line', { signal }]]), bounds);
	if (evaluated === undefined) throw new RangeError('A line is evaluated.');
	return evaluated.values;
};
const rule = { perMs: hourMs, range: [0, 200] } as const;

describe('the numbers of a line', () => {
	const flow = signalOf(
		[
			[0, 100],
			[10, 60],
		],
		6,
	);

	test('gives each window and the whole range, with the share of time that is known', () => {
		const { windows, total } = valuesOfLine(flow, { function: 'total', rule }, hours(0, 5, 10, 14));
		expect(windows).toMatchObject([
			{ value: 500, known: 1, low: 500, high: 500 },
			{ value: 100, known: 0.2, low: 100, high: 900 },
			{ value: 240, known: 1, low: 240, high: 240 },
		]);
		expect(total).toMatchObject({ value: 840, known: 10 / 14, low: 840, high: 1640 });
	});

	test.each(['mean', 'min', 'max', 'onTime', 'starts', 'total'] as const)(
		'gives the whole range of %s as one window would',
		(name) => {
			const line = { function: name, rule, above: 70 };
			const [whole] = valuesOfLine(flow, line, hours(0, 14)).windows;
			expect(valuesOfLine(flow, line, hours(0, 5, 10, 14)).total).toEqual(whole);
		},
	);

	test('counts on-time above a limit', () => {
		const line = { function: 'onTime', rule: {}, above: 70 } as const;
		expect(valuesOfLine(flow, line, hours(0, 14)).total).toMatchObject({ value: 6, low: 6, high: 10 });
	});

	test('counts only local hours; a window without any has no known share', () => {
		const zone = openTimeZone('Europe/Madrid');
		if (zone === null) throw new RangeError('The zone exists.');
		const between = { fromMs: 2 * hourMs, toMs: 4 * hourMs };
		const steady = signalOf([[0, 1]], 48);
		const line = { function: 'onTime', rule: {}, hours: { between, zone } } as const;
		// Madrid was one hour ahead of UTC in January 1970.
		const { windows, total } = valuesOfLine(steady, line, hours(0, 2, 12, 24));
		expect(windows).toMatchObject([
			{ value: 1, known: 1 },
			{ value: 1, known: 1 },
			{ value: null, known: null },
		]);
		expect(total).toMatchObject({ value: 2, known: 1, low: 2, high: 2 });
	});

	test('counts an increase up to the end of each window, and its faults', () => {
		const counter = signalOf(
			[
				[0, 100],
				[5, 150],
				[8, 10],
				[10, 30],
			],
			6,
		);
		const { windows, total } = valuesOfLine(counter, { function: 'increase', rule: { dip: 0 } }, hours(0, 5, 8, 10));
		expect(windows).toMatchObject([
			{ value: 50, low: 50, high: 50, known: 1, counterFaults: [] },
			{ value: null, low: null, high: null, known: 1, counterFaults: [{ code: 'counter_fell', from: { value: 150 } }] },
			{ value: 20, low: 20, high: 20, known: 1, counterFaults: [] },
		]);
		expect(total).toMatchObject({ value: null, known: 1, counterFaults: [{ code: 'counter_fell', to: { value: 10 } }] });
	});
});
