import { describe, expect, test } from 'vitest';
import { raisedWatch } from '#domain/report/night-watch.ts';
import { evaluateLines } from '#domain/totals/evaluate-lines.ts';
import { foldLines } from '#domain/totals/fold-lines.ts';
import { mergeNights } from '#domain/totals/fold-nights.ts';
import { referenceOf, riseOf } from '#domain/totals/night-rise.ts';
import { createSignal } from '#domain/totals/signal.ts';
import { parseTotalsRequest } from '#domain/totals/totals-request.ts';
import hanoi from '#test/data/wntr/hanoi.json' with { type: 'json' };
import net1 from '#test/data/wntr/net1.json' with { type: 'json' };
import pumps from '#test/data/wntr/pumps.json' with { type: 'json' };
import { tokensOf } from '#test/support/builders/equations.ts';

// The data are those of EPANET and WNTR, which test/data/wntr/make.py simulated.

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
/** When the data begin. */
const begin = Date.UTC(2026, 8, 1);

const signalOf = (values: readonly (number | null)[], stepMs: number, timeOf = (index: number) => begin + index * stepMs) => ({
	signal: createSignal(
		Float64Array.from(values, (_, index) => timeOf(index)),
		Float64Array.from(values, (value) => value ?? Number.NaN),
		stepMs,
	),
});

const linesOf = (lines: readonly object[], days: number) =>
	parseTotalsRequest({ lines, start: begin, end: begin + days * dayMs }, begin + days * dayMs).lines;

describe('Net1 with a tank and a leak of 65 m³/h', () => {
	const days = 7;
	const bounds = Array.from({ length: days + 1 }, (_, day) => begin + day * dayMs);
	const { step, area, inflow, demand, level } = net1;
	const stepMs = 1000 * step;
	const truths = bounds.slice(1).map((end) => {
		const leaks = net1.leak.slice((end - begin - dayMs) / stepMs, (end - begin) / stepMs);
		return leaks.reduce((sum, leak) => sum + (leak * step) / 3600, 0);
	});
	const lines = linesOf(
		[
			{ key: 'in', function: 'total', varId: 1, per: 'h', range: [0, 500] },
			{ key: 'out', function: 'total', varId: 2, per: 'h' },
			{ key: 'rise', function: 'change', varId: 3 },
			{ key: 'lost', function: 'formula', equation: tokensOf(`in - out - ${area} * rise`) },
			{ key: 'untanked', function: 'formula', equation: tokensOf('in - out') },
		],
		days,
	);
	const read = (values: readonly (number | null)[]) => {
		const sources = new Map([
			['in', signalOf(values, stepMs)],
			['out', signalOf(demand, stepMs)],
			['rise', signalOf(level, stepMs)],
		]);
		return new Map(evaluateLines(lines, sources, bounds).map((line) => [line.key, line]));
	};

	test('has a balance that is the leak, to 30 m³ a day once it has settled, and to one hold of a pump before', () => {
		const windows = read(inflow).get('lost')?.values.windows ?? [];
		expect(truths[3]).toBeCloseTo(1564, 0);
		for (const [day, { value }] of windows.entries())
			expect(Math.abs((value ?? 0) - (truths[day] ?? 0)), `day ${day}`).toBeLessThan(day === 0 ? 39 : 30);
		// Without the tank it would be far off.
		const untanked = read(inflow).get('untanked')?.values.windows[1];
		expect(Math.abs((untanked?.value ?? 0) - (truths[1] ?? 0))).toBeGreaterThan(300);
	});

	test('without 6 h of the inlet meter holds the leak between its bounds, and names that meter as the widest term', () => {
		const silent = inflow.map((flow, index) => (index >= 4 * 288 + 72 && index < 4 * 288 + 144 ? null : flow));
		const lost = read(silent).get('lost');
		const day = lost?.values.windows[4];
		expect(day?.low).toBeLessThan(truths[4] ?? 0);
		expect(day?.high).toBeGreaterThan(truths[4] ?? 0);
		expect(lost?.terms?.[0]?.key).toBe('in');
		// The value is of the common time: 18 of 24 h.
		expect(day?.value).toBeCloseTo(((truths[4] ?? 0) * 18) / 24, -2);
	});
});

describe('the energy of pumps', () => {
	const literPerGallon = 3.785411784;
	test.each(pumps)('$pump is that of EPANET’s own report to 0.1 %', ({ flow, head, efficiency, kWhPerMgal }) => {
		const power = flow.map((each, index) => (each * (head[index] ?? 0) * 9.81) / 3600 / efficiency);
		const lines = linesOf(
			[
				{ key: 'energy', function: 'total', varId: 1, per: 'h' },
				{ key: 'volume', function: 'total', varId: 2, per: 'h' },
				{ key: 'specific', function: 'formula', equation: tokensOf(`energy / volume * ${1000 * literPerGallon}`) },
			],
			1,
		);
		const sources = new Map([
			['energy', signalOf(power, 5 * minuteMs)],
			['volume', signalOf(flow, 5 * minuteMs)],
		]);
		const specific = evaluateLines(lines, sources, [begin, begin + dayMs])[2]?.values.total.value ?? 0;
		expect(Math.abs(specific / kWhPerMgal - 1)).toBeLessThan(0.001);
	});
});

describe('24 districts of Hanoi over 60 nights, with leaks from night 30 on', () => {
	const [perNight, stepMs, leaksFrom] = [12, 15 * minuteMs, 30];
	const bounds = Array.from({ length: 61 }, (_, day) => begin + day * dayMs);
	const line = { key: 'night', function: 'leastMean', varId: 1, over: 3600, between: ['02:00', '05:00'], range: [0, 4000] };
	const districts = hanoi.map(({ leak, flow }) => {
		const timeOf = (index: number) =>
			begin + Math.floor(index / perNight) * dayMs + 2 * 60 * minuteMs + (index % perNight) * stepMs;
		const sources = new Map([['night', signalOf(flow, stepMs, timeOf)]]);
		const states = foldLines(linesOf([line], 60), sources, bounds).flatMap((window) => {
			const state = window.get('night');
			return state?.kind === 'nights' ? [state.nights] : [];
		});
		const reference = referenceOf(states.slice(0, 28).reduce(mergeNights));
		const nights = states.map(({ nights: [night] }, day) => ({
			date: String(day),
			value: night?.value ?? null,
			low: night?.low ?? null,
		}));
		const spread = reference.spread ?? 0;
		const found = nights.findIndex(
			(_, day) => day >= 28 && raisedWatch(nights.slice(28, day + 1), reference, { rise: 2 * spread, nights: 3 }) !== null,
		);
		const after = referenceOf(states.slice(leaksFrom).reduce(mergeNights));
		return { leak, spread, rise: riseOf(after, reference), inNight: found < 0 ? null : found - leaksFrom + 1 };
	});
	const ofSize = (size: number) => districts.filter(({ leak }) => leak === size);

	test('raises none without a leak, and finds each of 396 m³/h in its third to fifth night', () => {
		expect(ofSize(0).map(({ inNight }) => inNight)).toEqual([null, null, null, null]);
		for (const { inNight } of ofSize(396)) expect([3, 4, 5]).toContain(inNight);
	});

	test('finds each of 198 m³/h within 25 nights', () => {
		for (const { inNight } of ofSize(198)) expect(inNight).toBeLessThanOrEqual(25);
	});

	test('tells the size of each leak to two spreads', () => {
		expect(districts).toHaveLength(24);
		for (const { leak, rise, spread } of districts) expect(Math.abs((rise.value ?? 0) - leak)).toBeLessThan(2 * spread);
	});
});
