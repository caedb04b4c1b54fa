import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseFormula } from '#domain/equation/formula-text.ts';
import { evaluateLines, evaluateStates } from '#domain/totals/evaluate-lines.ts';
import { valueOfSum } from '#domain/totals/exact-sum.ts';
import { mergeCounterStates } from '#domain/totals/fold-counter.ts';
import { foldLines } from '#domain/totals/fold-lines.ts';
import { commonTimeOf } from '#domain/totals/formula-line.ts';
import { type LineFunction, statesOfChange, statesOfCounter } from '#domain/totals/line-state.ts';
import { createSignal, type Signal } from '#domain/totals/signal.ts';
import type { TotalsLine } from '#domain/totals/totals-request.ts';
import { tokensOf } from '#test/support/builders/equations.ts';
import { casesOf, firstSeed } from '#test/support/cases.ts';
import { known, type OracleSignal } from '#test/support/totals/oracle.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const signalOf = ({ samples, holdMs }: OracleSignal): Signal =>
	createSignal(
		Float64Array.from(samples, ({ at }) => at),
		Float64Array.from(samples, ({ value }) => value ?? Number.NaN),
		holdMs,
	);

describe('a counter over the stretches in which other signals are known', () => {
	const lastTick = 60;
	const samplesWith = (value: fc.Arbitrary<number | null>) =>
		fc
			.uniqueArray(fc.record({ at: fc.nat(lastTick), value }), { selector: ({ at }) => at, minLength: 5, maxLength: 40 })
			.map((samples) => samples.sort((a, b) => a.at - b.at));
	const holdMs = fc.integer({ min: 1, max: 25 });
	const flows: fc.Arbitrary<OracleSignal> = fc.record({
		samples: samplesWith(fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, fc.constant(null))),
		holdMs,
	});
	const counters: fc.Arbitrary<OracleSignal> = fc
		.record({ samples: samplesWith(fc.oneof({ weight: 9, arbitrary: fc.nat(5) }, fc.constant(null))), holdMs })
		.map((counter) => {
			let total = 0;
			const samples = counter.samples.map(({ at, value }) => {
				total += value ?? 0;
				return { at, value: value === null ? null : total };
			});
			return { ...counter, samples };
		});
	const windows = fc.uniqueArray(fc.nat(lastTick), { minLength: 2, maxLength: 8 }).map((bounds) => bounds.sort((a, b) => a - b));
	const cases = casesOf(500);
	const options = { numRuns: cases, seed: firstSeed };
	const timeout = 20_000 + 10 * cases;

	/** The last known value at the end of each stretch of a window less the value at its beginning, instant by instant. */
	const literal = (counter: OracleSignal, flow: OracleSignal, from: number, to: number): number => {
		let [sum, first, last] = [0, null as number | null, null as number | null];
		for (let at = from; at <= to; at += 1) {
			const value = known(flow, at) === null ? null : known(counter, at);
			if (value !== null) {
				first ??= value;
				last = value;
			} else {
				// A reading at the end of a stretch counts the time before it.
				const end = last === null ? null : (known(counter, at) ?? last);
				[sum, first, last] = [sum + (end ?? 0) - (first ?? 0), null, null];
			}
		}
		return sum + (last ?? 0) - (first ?? 0);
	};

	test(`counts from the value at the beginning of each stretch to the last one at its end: ${cases} counters`, {
		timeout,
	}, () => {
		let counted = 0;
		fc.assert(
			fc.property(counters, flows, windows, (counter, flow, bounds) => {
				const stretches = commonTimeOf([signalOf(counter), signalOf(flow)]);
				for (const [index, state] of statesOfCounter(signalOf(counter), { dip: 0 }, bounds, stretches).entries()) {
					const [from = 0, to = 0] = [bounds[index], bounds[index + 1]];
					expect(valueOfSum(state.counter.increase)).toBe(literal(counter, flow, from, to));
					counted += state.counter.pairs;
				}
			}),
			options,
		);
		expect(counted).toBeGreaterThan(cases / 2);
	});

	test(`counts a change of a level in the same way, whether it rises or falls: ${cases} levels`, { timeout }, () => {
		const levels = fc.record({ samples: samplesWith(fc.option(fc.integer({ min: -5, max: 5 }), { freq: 9 })), holdMs });
		fc.assert(
			fc.property(levels, flows, windows, (level, flow, bounds) => {
				const signal = { ...signalOf(level), handovers: Float64Array.of(20) };
				const stretches = commonTimeOf([signal, signalOf(flow)]);
				for (const [index, state] of statesOfChange(signal, bounds, stretches).entries())
					expect(valueOfSum(state.counter.increase)).toBe(literal(level, flow, bounds[index] ?? 0, bounds[index + 1] ?? 0));
			}),
			options,
		);
	});

	test(`adds up exactly where stretches are cut at windows: ${cases} counters`, { timeout }, () => {
		fc.assert(
			fc.property(counters, flows, windows, (counter, flow, bounds) => {
				const stretches = commonTimeOf([signalOf(counter), signalOf(flow)]);
				const cut = statesOfCounter(signalOf(counter), { dip: 0 }, bounds, stretches);
				const [whole] = statesOfCounter(signalOf(counter), { dip: 0 }, [bounds[0] ?? 0, bounds.at(-1) ?? 0], stretches);
				expect(cut.map(({ counter: state }) => state).reduce(mergeCounterStates)).toEqual(whole?.counter);
			}),
			options,
		);
	});
});

describe('formulas with increases', () => {
	const signalLine = (key: string, asked: LineFunction): TotalsLine => ({
		kind: 'signal',
		key,
		varId: 1,
		bit: undefined,
		holdMs: undefined,
		asked,
	});
	const formula = (key: string, text: string): TotalsLine => ({ kind: 'formula', key, equation: tokensOf(text) });
	const every = (minutes: number, toHour: number, valueAt: (hour: number) => number | null, holdMinutes: number): Signal =>
		signalOf({
			samples: Array.from({ length: (60 * toHour) / minutes + 1 }, (_, index) => {
				const hour = (index * minutes) / 60;
				return { at: hour * hourMs, value: valueAt(hour) };
			}),
			holdMs: holdMinutes * minuteMs,
		});
	const volume = signalLine('volume', { function: 'total', rule: { perMs: hourMs, range: [0, 400] } });
	const energy = signalLine('energy', { function: 'increase', rule: { dip: 0 } });
	const starts = signalLine('starts', { function: 'starts', rule: {} });
	const perVolume = formula('perVolume', 'energy / volume');
	const day = [0, 24 * hourMs];
	/** 100 m³/h, silent from 6 to 12 h. */
	const flow = every(1, 24, (hour) => (hour >= 6 && hour < 12 ? null : 100), 2);
	/** 50 kW. */
	const meter = (minutes: number, hold: number) => every(minutes, 24, (hour) => 50 * hour, hold);
	const evaluate = (lines: readonly TotalsLine[], signals: Record<string, Signal>, bounds: readonly number[] = day) =>
		new Map(
			evaluateLines(lines, new Map(Object.entries(signals).map(([key, signal]) => [key, { signal }])), bounds).map((line) => [
				line.key,
				line,
			]),
		);
	const totalOf = (evaluated: ReturnType<typeof evaluate>, key: string) => evaluated.get(key)?.values.total;

	test('compare what a counter and a flow say of the same time: 0.5 kWh/m³ where 6 of 24 h are missing', () => {
		const found = evaluate([volume, energy, perVolume], { volume: flow, energy: meter(1, 2) });
		expect(totalOf(found, 'energy')).toMatchObject({ value: 1200, low: 1200, high: 1200 });
		expect(totalOf(found, 'volume')).toMatchObject({ value: 1800, low: 1800, high: 4200 });
		expect(totalOf(found, 'perVolume')).toMatchObject({ known: 0.75, low: 1200 / 4200, high: 1200 / 1800 });
		expect(totalOf(found, 'perVolume')?.value).toBeCloseTo(0.5, 3);
		expect(found.get('perVolume')?.mixed).toBeUndefined();
	});

	test('balance what came in, what went out and what a tank kept over the time in which all are known', () => {
		const out = signalLine('out', { function: 'total', rule: { perMs: hourMs, range: [0, 400] } });
		const kept = signalLine('kept', { function: 'change', rule: { range: [0, 5000] } });
		const balance = formula('balance', 'volume - out - kept');
		const level = every(1, 24, (hour) => 1000 + 40 * hour, 2);
		const signals = { volume: flow, out: every(1, 24, () => 60, 2), kept: level };
		const found = evaluate([volume, out, kept, balance], signals);
		expect(totalOf(found, 'kept')).toMatchObject({ value: 960, low: 960, high: 960 });
		// Each end of the gap leaves out less than a minute.
		expect(Math.abs(totalOf(found, 'balance')?.value ?? Number.NaN)).toBeLessThan(2);
		expect(totalOf(found, 'balance')).toMatchObject({ known: 0.75, low: 1800 - 1440 - 960, high: 4200 - 1440 - 960 });
		expect(found.get('balance')?.mixed).toBeUndefined();
		// The inlet is all that is not known. A sum of sums has the same terms.
		expect(found.get('balance')?.terms).toEqual([
			{ key: 'volume', width: 2400 },
			{ key: 'out', width: 0 },
			{ key: 'kept', width: 0 },
		]);
		const unbounded = signalLine('volume', { function: 'total', rule: { perMs: hourMs } });
		const nested = evaluate([out, unbounded, formula('a', 'out * 2'), formula('b', 'a - volume')], signals);
		expect(nested.get('b')?.terms).toEqual([
			{ key: 'volume', width: null },
			{ key: 'out', width: 0 },
		]);
	});

	test('count an increase in the local hours of the lines beside it, with no bounds, also in windows', () => {
		const hours = { between: { fromMs: 2 * hourMs, toMs: 4 * hourMs }, zone: { name: 'UTC', offsetAt: () => 0 } };
		const night = signalLine('volume', { function: 'total', rule: { perMs: hourMs, range: [0, 400] }, hours });
		const signals = { volume: every(1, 24, () => 100, 2), energy: meter(1, 2) };
		for (const bounds of [day, [0, 3 * hourMs, 24 * hourMs]]) {
			const found = evaluate([night, energy, perVolume], signals, bounds);
			expect(totalOf(found, 'perVolume')).toMatchObject({ low: null, high: null });
			expect(totalOf(found, 'perVolume')?.value).toBeCloseTo(0.5, 3);
			expect(found.get('perVolume')?.mixed).toBeUndefined();
		}
		const wholeDay = signalLine('wholeDay', { function: 'total', rule: { perMs: hourMs } });
		const lines = [night, wholeDay, formula('share', 'volume / wholeDay')];
		const found = evaluate(lines, { ...signals, wholeDay: signals.volume });
		expect(found.get('share')?.mixed).toBe(true);
		expect(totalOf(found, 'share')?.value).toBeCloseTo(2 / 24, 6);
	});

	test('leave out what changed in a gap also where all lines read one variable: 12 m in 12 h, and 26 m across the gap', () => {
		const level = every(1, 24, (hour) => (hour <= 6 ? hour : hour < 18 ? null : hour + 2), 2);
		const rise = signalLine('rise', { function: 'change', rule: {} });
		const counter = signalLine('counter', { function: 'increase', rule: { dip: 0 } });
		const hours = signalLine('hours', { function: 'onTime', rule: {} });
		const lines = [hours, rise, counter, formula('perHour', 'rise / hours'), formula('advance', 'counter / hours')];
		const found = evaluate(lines, { hours: level, rise: level, counter: level });
		expect(totalOf(found, 'rise')?.value).toBe(26);
		expect(totalOf(found, 'perHour')?.value).toBeCloseTo(1, 2);
		expect(totalOf(found, 'advance')?.value).toBeCloseTo(1, 2);
	});

	test('so do formulas over formulas', () => {
		const lines = [volume, energy, formula('double', 'energy * 2'), formula('perVolume', 'double / volume')];
		const found = evaluate(lines, { volume: flow, energy: meter(1, 2) });
		expect(totalOf(found, 'double')?.value).toBe(2400);
		expect(totalOf(found, 'perVolume')?.value).toBeCloseTo(1, 2);
	});

	test('count the whole window without a line that counts time: a counter knows what it advanced while it was silent', () => {
		const silent = every(1, 24, (hour) => (hour > 6 && hour < 12 ? null : 50 * hour), 2);
		const other = signalLine('other', energy.kind === 'signal' ? energy.asked : expect.unreachable());
		const lines = [energy, other, formula('half', 'energy * 0.5'), formula('share', 'energy / other')];
		const found = evaluate(lines, { energy: silent, other: meter(1, 2) });
		expect(totalOf(found, 'half')?.value).toBe(600);
		expect(totalOf(found, 'share')?.value).toBe(1);
		const beside = evaluate([volume, ...lines, perVolume], { volume: flow, energy: silent, other: meter(1, 2) });
		expect(totalOf(beside, 'half')?.value).toBe(600);
		expect(totalOf(beside, 'perVolume')?.value).toBeCloseTo(0.5, 3);
	});

	test.each([
		['a counter that is read less often than its hold', 15, 2, [0, 24], null],
		['a window in whose common time the counter was not read', 60, 120, [11.75, 12.5], null],
		['a counter that is read each hour', 60, 120, [0, 24], 0.5],
		['a counter that stood still', 60 * 24, 60 * 48, [1, 8], 0],
	])('have no number where readings are too few: %s', (reason, minutes, hold, hours, expected) => {
		const counter = reason.endsWith('still') ? every(minutes, 24, () => 7, hold) : meter(minutes, hold);
		const bounds = hours.map((hour) => hour * hourMs);
		const { value = null, fault } =
			totalOf(evaluate([volume, energy, perVolume], { volume: flow, energy: counter }, bounds), 'perVolume') ?? {};
		if (expected === null) expect([value, fault]).toEqual([null, 'too_few_readings']);
		else expect(Math.abs((value ?? Number.NaN) - expected)).toBeLessThan(0.05);
	});

	test('have the fault of a line only without a value: a branch that is not taken does not count', () => {
		const choice = (text: string): TotalsLine => ({
			...{ kind: 'formula', key: 'choice' },
			equation: parseFormula(text).map(({ token }) => token),
		});
		const totalOfChoice = (text: string, flowOf: number) => {
			const lines = [volume, energy, choice(text)];
			return totalOf(evaluate(lines, { volume: every(1, 24, () => flowOf, 2), energy: meter(15, 2) }), 'choice');
		};
		const perFlow = 'if({volume} = 0, 0, {energy} / {volume})';
		expect(totalOfChoice(perFlow, 0)?.value).toBe(0);
		expect(totalOfChoice(perFlow, 0)?.fault).toBeUndefined();
		expect(totalOfChoice(perFlow, 100)).toMatchObject({ value: null, fault: 'too_few_readings' });
		// The formula's own fault is why it has no value.
		const own = 'if({volume} = 0, 1 / {volume}, {energy})';
		expect(totalOfChoice(own, 0)).toMatchObject({ value: null, fault: 'division_by_zero' });
	});

	test('say where they mix lines that count the whole window with lines that count time', () => {
		const lines = [
			volume,
			energy,
			starts,
			formula('a', 'starts / volume'),
			formula('b', 'a + energy'),
			formula('c', 'starts / energy'),
		];
		const found = evaluate([...lines, formula('d', 'volume * 2')], { volume: flow, energy: meter(1, 2), starts: flow });
		expect([...found].flatMap(([key, { mixed }]) => (mixed ? [key] : []))).toEqual(['a', 'b']);
	});

	test('have no number of a range with days that were stored before increases were counted so, and bounds that hold', () => {
		const lines = [volume, energy, perVolume];
		const sources = new Map([
			['volume', { signal: flow }],
			['energy', { signal: meter(1, 2) }],
		]);
		const bounds = [0, 12, 18, 24].map((hour) => hour * hourMs);
		const states = foldLines(lines, sources, bounds);
		const older = states.map((window, index) => {
			const state = window.get('perVolume');
			if (index > 0 || state?.kind !== 'formula') return window;
			return new Map([...window, ['perVolume', { kind: 'formula', common: state.common }] as const]);
		});
		const now = evaluateStates(lines, states).at(-1)?.values;
		const then = evaluateStates(lines, older).at(-1);
		expect(then?.values.windows.map(({ value }) => value)).toEqual([null, now?.windows[1]?.value, now?.windows[2]?.value]);
		expect(then?.values.total).toEqual({ ...now?.total, value: null, fault: 'counted_before' });
		expect(then?.faults).toEqual([{ code: 'counted_before', window: 0 }, { code: 'counted_before' }]);
	});
});
