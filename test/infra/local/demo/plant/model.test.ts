import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stepsBetween } from '#infra/local/demo/plant/backfill.ts';
import { step } from '#infra/local/demo/plant/model.ts';
import { plantSeries, samplesOf } from '#infra/local/demo/plant/sensors.ts';
import { initialState, type PlantState } from '#infra/local/demo/plant/state.ts';
import { tanks } from '#infra/local/demo/plant/tank.ts';

const dayMs = 24 * 60 * 60 * 1000;
const stepMs = 5000;
const hoursPerStep = stepMs / 3_600_000;
const startMs = Date.UTC(2026, 2, 1);

/** Positions in the status byte, as `plant-a.json` has them. */
const statusBits = {
	intakePump1: 0,
	intakePump2: 1,
	distributionPump: 2,
	inletValve: 3,
	backwash: 4,
	chlorineDosing: 5,
	tankHigh: 6,
	alarm: 7,
} as const;

/** Simulates some days in steps of 5 s. Returns the values by topic; booleans as 1 and 0. */
const simulate = (fromMs: number, days: number): Map<string, number[]> => {
	const byTopic = new Map<string, number[]>();
	let state = initialState;
	for (let timeMs = fromMs; timeMs < fromMs + days * dayMs; timeMs += stepMs) {
		state = step(state, timeMs, stepMs);
		for (const { topic, value } of samplesOf(state, timeMs + stepMs)) {
			const values = byTopic.get(topic) ?? [];
			values.push(Number(value));
			byTopic.set(topic, values);
		}
	}
	return byTopic;
};

const month = simulate(startMs, 30);
const valuesOf = (name: keyof typeof plantSeries): number[] => month.get(plantSeries[name].topic) ?? [];
const countStarts = (values: number[]): number => values.filter((value, index) => value === 1 && values[index - 1] === 0).length;

describe('the simulated plant over 30 days', () => {
	test.each([
		{ tank: tanks.raw, level: 'rawLevel', inflows: ['intakeFlow'], outflows: ['filteredFlow'] },
		{ tank: tanks.treated, level: 'treatedLevel', inflows: ['filteredFlow'], outflows: ['washFlow', 'distributionFlow'] },
		{ tank: tanks.network, level: 'networkLevel', inflows: ['distributionFlow'], outflows: ['networkDemand'] },
	] as const)('changes $level by the inflow less the outflow over any interval', ({ tank, level, inflows, outflows }) => {
		const levels = valuesOf(level);
		const nets = levels.map(() => 0);
		for (const name of inflows) for (const [index, value] of valuesOf(name).entries()) nets[index] = (nets[index] ?? 0) + value;
		for (const name of outflows) for (const [index, value] of valuesOf(name).entries()) nets[index] = (nets[index] ?? 0) - value;
		const sums = [0];
		for (const net of nets) sums.push((sums.at(-1) ?? 0) + net);

		const index = fc.integer({ min: 0, max: levels.length - 1 });
		fc.assert(
			fc.property(index, index, (one, another) => {
				const [from, to] = [Math.min(one, another), Math.max(one, another)];
				const flowedM = (((sums[to + 1] ?? Number.NaN) - (sums[from + 1] ?? Number.NaN)) * hoursPerStep) / tank.areaM2;
				const roseM = (levels[to] ?? Number.NaN) - (levels[from] ?? Number.NaN);
				// Both levels are rounded to 1 mm, and each flow to 0.001 m³/h.
				const roundingM = 0.001 + ((to - from) * 3 * 0.0005 * hoursPerStep) / tank.areaM2;
				expect(Math.abs(roseM - flowedM)).toBeLessThanOrEqual(roundingM + 1e-9);
			}),
			{ numRuns: 2000 },
		);
	});

	test.each([
		['rawLevel', tanks.raw],
		['treatedLevel', tanks.treated],
		['networkLevel', tanks.network],
	] as const)('keeps %s between the floor and the brim by its controls alone', (name, tank) => {
		const levels = valuesOf(name);
		for (const level of levels) if (level <= tank.floorM || level >= tank.brimM) expect.fail(`${name} is ${level} m`);
	});

	test.each(['intakePump1', 'intakePump2', 'distributionPump1', 'distributionPump2'] as const)(
		'starts %s two to eight times a day',
		(name) => {
			const perDay = countStarts(valuesOf(name)) / 30;
			expect(perDay).toBeGreaterThan(2);
			expect(perDay).toBeLessThan(8);
		},
	);

	test('has a flow exactly when a pump runs', () => {
		for (const [flow, one, two] of [
			['intakeFlow', 'intakePump1', 'intakePump2'],
			['distributionFlow', 'distributionPump1', 'distributionPump2'],
		] as const) {
			const [first, second] = [valuesOf(one), valuesOf(two)];
			const wrong = valuesOf(flow).findIndex((value, index) => value > 0 !== (first[index] === 1 || second[index] === 1));
			expect(wrong).toBe(-1);
		}
	});

	test('sets the bits of the status byte as the other series say', () => {
		const bit = (name: keyof typeof statusBits) => valuesOf('status').map((byte) => (byte >> statusBits[name]) & 1);
		const on = (name: keyof typeof plantSeries) => valuesOf(name).map((value) => (value > 0 ? 1 : 0));
		expect(bit('intakePump1')).toEqual(on('intakePump1'));
		expect(bit('intakePump2')).toEqual(on('intakePump2'));
		expect(bit('distributionPump')).toEqual(on('distributionFlow'));
		expect(bit('inletValve')).toEqual(on('filteredFlow'));
		expect(bit('backwash')).toEqual(on('washFlow'));
		const levels = valuesOf('networkLevel');
		const wrong = bit('tankHigh').findIndex((high, index) =>
			high === 1 ? (levels[index] ?? 0) < 4.8 : (levels[index] ?? 0) > 4.8,
		);
		expect(wrong).toBe(-1);
		for (const name of ['chlorineDosing', 'backwash', 'tankHigh', 'alarm'] as const)
			expect(countStarts(bit(name)), name).toBeGreaterThan(0);
	});

	test('keeps the quality and the pressure of the water in a realistic range', () => {
		for (const [name, least, most] of [
			['chlorine', 0.7, 1.1],
			['filteredTurbidity', 0, 1],
			['rawTurbidity', 4, 80],
			['distributionPressure', 3, 6],
			['networkPressure', 2, 4],
			['distributionPower', 0, 120],
		] as const) {
			const outside = valuesOf(name).find((value) => !(value >= least && value <= most));
			expect(outside, name).toBe(undefined);
		}
	});

	test('has demand peaks in the morning and in the evening', () => {
		const demand = valuesOf('networkDemand');
		const atHour = (hour: number) => demand[(hour * 3_600_000) / stepMs] ?? Number.NaN;
		expect(atHour(7.5)).toBeGreaterThan(2 * atHour(3));
		expect(atHour(20)).toBeGreaterThan(2 * atHour(3));
		expect(atHour(11)).toBeLessThan(0.75 * atHour(7.5));
	});

	test('gives the same samples for the same times, and different ones for other times', () => {
		const samplesADay = (topic: string): number =>
			// The remote gauge sends half of the time.
			topic === plantSeries.remoteGauge.topic ? dayMs / stepMs / 2 : dayMs / stepMs;
		const firstDay = new Map([...month].map(([topic, values]) => [topic, values.slice(0, samplesADay(topic))]));
		expect(simulate(startMs, 1)).toEqual(firstDay);
		const demandOf = (fromMs: number) => simulate(fromMs, 0.1).get(plantSeries.networkDemand.topic);
		expect(demandOf(startMs)).not.toEqual(demandOf(startMs + dayMs));
	});
});

describe('step', () => {
	test('keeps the levels within the tanks and the water balanced, whatever its length', () => {
		const balance = (before: PlantState, after: PlantState, hours: number) => [
			[
				before.rawLevelM + ((after.intakeM3h - after.filteredM3h) * hours) / tanks.raw.areaM2,
				after.rawLevelM,
				tanks.raw,
			] as const,
			[
				before.treatedLevelM + ((after.filteredM3h - after.washM3h - after.distributionM3h) * hours) / tanks.treated.areaM2,
				after.treatedLevelM,
				tanks.treated,
			] as const,
			[
				before.networkLevelM + ((after.distributionM3h - after.demandM3h) * hours) / tanks.network.areaM2,
				after.networkLevelM,
				tanks.network,
			] as const,
		];
		fc.assert(
			fc.property(fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 50 }), (lengths) => {
				let state = initialState;
				let timeMs = startMs;
				for (const length of lengths) {
					const dtMs = length * stepMs;
					const next = step(state, timeMs, dtMs);
					for (const [expected, levelM, tank] of balance(state, next, dtMs / 3_600_000)) {
						expect(levelM).toBeCloseTo(expected, 6);
						expect(levelM).toBeGreaterThan(tank.floorM - 1e-6);
						expect(levelM).toBeLessThan(tank.brimM + 1e-6);
					}
					expect(next.intakeM3h > 0).toBe(next.intakePumps.running > 0);
					expect(next.distributionM3h > 0).toBe(next.distributionPumps.running > 0);
					expect(next.treatedChlorineMgL).toBeLessThan(1.1);
					state = next;
					timeMs += dtMs;
				}
			}),
		);
	});
});

describe('stepsBetween', () => {
	test.each([
		['no interval', 0, 0],
		['one sample', stepMs, 1],
		['a day', dayMs, 17_280],
		['a day and a sample', dayMs + stepMs, 17_281],
		['two days', 2 * dayMs, 34_560],
		['a year', 365 * dayMs, 34_800],
		['fifty years', 50 * 365 * dayMs, 34_800],
	])('covers %s without a hole, in about as many steps as two days have at most', (_, lengthMs, most) => {
		const steps = [...stepsBetween(startMs, startMs + lengthMs)];
		expect(steps.length).toBeLessThanOrEqual(most);
		expect(steps.length).toBeGreaterThanOrEqual(Math.min(most, 17_281));
		let timeMs = startMs;
		for (const { fromMs, dtMs } of steps) {
			if (fromMs !== timeMs || dtMs % stepMs !== 0 || dtMs <= 0) expect.fail(`${dtMs} ms from ${fromMs} after ${timeMs}`);
			if (fromMs >= startMs + lengthMs - dayMs && dtMs !== stepMs) expect.fail(`${dtMs} ms at ${fromMs}`);
			timeMs += dtMs;
		}
		expect(timeMs).toBe(startMs + lengthMs);
	});
});
