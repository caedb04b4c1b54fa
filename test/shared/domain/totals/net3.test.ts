import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldSignal } from '#domain/totals/fold-signal.ts';
import { createSignal, type Signal } from '#domain/totals/signal.ts';
import { type SignalFunction, signalFunctions, signalValue } from '#domain/totals/signal-values.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const week = [0, 7 * 24 * hourMs];
/** A million US gallons. */
const megagallonM3 = 3785.411784;

/** Rows of test/data/net3.csv, one for each minute of the week: the file has those that differ from the one before. */
const rows: (readonly number[])[] = [];
for (const line of readFileSync(new URL('../../../data/net3.csv', import.meta.url), 'utf8')
	.trim()
	.split('\n')
	.slice(1)) {
	const [minute = 0, ...values] = line.split(',').map(Number);
	while (rows.length < minute) rows.push(rows.at(-1) ?? values);
	rows.push(values);
}
while (rows.length <= 7 * 24 * 60) rows.push(rows.at(-1) ?? []);

/** Samples at 60 s of a column, each known for a minute. */
const signalOf = (column: number, isKept: (minute: number) => boolean = () => true): Signal => {
	const kept = rows.flatMap((values, minute) => (isKept(minute) ? [{ minute, value: values[column] ?? Number.NaN }] : []));
	const times = Float64Array.from(kept, ({ minute }) => minute * minuteMs);
	return createSignal(
		times,
		Float64Array.from(kept, ({ value }) => value),
		minuteMs,
	);
};

const weekOf = (name: SignalFunction, signal: Signal, range?: readonly [number, number]) => {
	const [state] = foldSignal(signal, week);
	if (state === undefined) throw new Error('The week has no window.');
	return signalValue(name, state, { perMs: hourMs, ...(range === undefined ? {} : { range }) });
};

describe('a week of the network Net3', () => {
	test.each([
		['10', { flow: 0, power: 1 }, { use: 58.33, kWhPerMegagallon: 313.73, starts: 7 }],
		['335', { flow: 2, power: 3 }, { use: 23.58, kWhPerMegagallon: 394.38, starts: 7 }],
	])('gives for pump %s what EPANET prints', (_, { flow, power }, printed) => {
		const volumeM3 = weekOf('total', signalOf(flow)).value ?? 0;
		const energyKwh = weekOf('total', signalOf(power)).value ?? 0;
		const perMegagallon = energyKwh / (volumeM3 / megagallonM3);
		expect(Math.abs(perMegagallon / printed.kWhPerMegagallon - 1)).toBeLessThan(0.001);
		expect((100 * (weekOf('onTime', signalOf(flow)).value ?? 0)) / (7 * 24)).toBeCloseTo(printed.use, 2);
		expect(weekOf('starts', signalOf(flow)).value).toBe(printed.starts);
	});

	test('bounds every function when 30 to 240 minutes of each day are missing', () => {
		const gaps = fc.array(fc.tuple(fc.nat(1439), fc.integer({ min: 30, max: 240 })), { minLength: 7, maxLength: 7 });
		const names: readonly SignalFunction[] = ['total', 'mean', 'onTime', 'within', 'starts', 'min', 'max'];
		expect(names.toSorted()).toEqual(Object.keys(signalFunctions).toSorted());
		fc.assert(
			fc.property(gaps, fc.constantFrom(0, 1, 2, 3), (days, column) => {
				const isKept = (minute: number): boolean =>
					days.every(([from, length], day) => minute < day * 1440 + from || minute >= day * 1440 + from + length);
				const values = rows.map((row) => row[column] ?? 0);
				const range = [0, values.reduce((a, b) => Math.max(a, b))] as const;
				for (const name of names) {
					const truth = weekOf(name, signalOf(column)).value ?? Number.NaN;
					const { low, high } = weekOf(name, signalOf(column, isKept), range);
					expect(low, `low of ${name}`).toBeLessThanOrEqual(truth * (1 + 1e-12));
					if (name === 'starts') expect(high).toBeNull();
					else expect(high, `high of ${name}`).toBeGreaterThanOrEqual(truth * (1 - 1e-12));
				}
			}),
			{ numRuns: 10 },
		);
	});
});
