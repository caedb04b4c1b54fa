import { describe, expect, test } from 'vitest';
import { type Backtest, backtest, backtestPiece, maxBacktestEvents } from '#domain/alarm/backtest.ts';
import { observedInputsOf, readPiece } from '#domain/alarm/piece.ts';
import { definitionOf } from '#test/support/alarms/fold-check.ts';
import { oracle } from '#test/support/alarms/oracle.ts';
import { type AlarmPlan, planOfSeed } from '#test/support/alarms/random-plan.ts';
import { zoneNamed } from '#test/support/builders/calendars.ts';
import { firstSeed } from '#test/support/cases.ts';
import { makeSampledTimeSeries } from '#test/support/fakes/sampled-time-series.ts';

const dayMs = 86_400_000;

const backtestOf = async (plan: AlarmPlan, stepMs = 1000, enabled: boolean | null = null, zone = 'UTC'): Promise<Backtest> => {
	const { timeSeries } = makeSampledTimeSeries(new Map(plan.inputs.map(({ name, samples }) => [name, samples])));
	const definition = definitionOf(plan);
	const piece = { from: plan.from, to: plan.to, stepMs };
	const reads = await readPiece(timeSeries, 'series', observedInputsOf(definition.variable), piece);
	return backtest({ ...definition, alarm: { ...definition.alarm, enabled } }, reads, piece, zoneNamed(zone));
};

/** Totals that are counted second by second, from the events of the oracle. */
const countSeconds = (plan: AlarmPlan) => {
	const { events } = oracle(plan);
	const totals = { activeSeconds: 0, longestSeconds: 0 };
	let running = 0;
	for (let at = plan.from; at < plan.to; at += 1000) {
		running = events.findLast(({ time }) => time <= at)?.kind === 'raised' ? running + 1 : 0;
		if (running > 0) totals.activeSeconds += 1;
		totals.longestSeconds = Math.max(totals.longestSeconds, running);
	}
	return { ...totals, raised: events.filter(({ kind }) => kind === 'raised').length };
};

describe('backtest', () => {
	test('tells the events of the oracle at 1 s, and totals as a count of the seconds gives them: 100 random alarms', async () => {
		for (let seed = firstSeed; seed < firstSeed + 100; seed += 1) {
			const plan = planOfSeed(seed, { gaps: seed % 2 === 0 });
			const { events, raised, activeSeconds, longestSeconds, perDay } = await backtestOf(plan);
			expect(events, `seed ${seed}`).toEqual(oracle(plan).events);
			expect({ raised, activeSeconds, longestSeconds }, `seed ${seed}`).toEqual(countSeconds(plan));
			const sum = (key: 'raised' | 'activeSeconds') => perDay.reduce((total, each) => total + each[key], 0);
			expect([sum('raised'), sum('activeSeconds')], `seed ${seed}`).toEqual([raised, activeSeconds]);
		}
	});

	const midnight = Date.UTC(2026, 10, 22);
	/** A value above 10 from 23:58:30 to 00:02:00, then nothing from 00:10. Samples every second, known for a minute. */
	const overMidnight: AlarmPlan = {
		...planOfSeed(0),
		from: midnight - 600_000,
		to: midnight + 1_200_000,
		formula: null,
		isByte: false,
		bit: undefined,
		condition: '>',
		threshold: 10,
		deadband: 0,
		onDelaySeconds: 0,
		offDelaySeconds: 10,
		noDataSeconds: 120,
		periodSeconds: 1,
		inputs: [
			{
				name: 'Flow',
				lookbackMs: 60_000,
				samples: Array.from({ length: 1200 }, (_, second) => {
					const seconds = second - 600;
					return [midnight + seconds * 1000, seconds >= -91 && seconds < 119 ? 11 : 0];
				}),
			},
		],
	};

	test('counts each day for itself, and the time without a usable value', async () => {
		// Active from -90 s to 130 s, with the off delay, and from 720 s: the last sample is observed at 600 s and known until 660 s.
		// The first sample is observed after a second.
		expect(await backtestOf(overMidnight)).toMatchObject({
			resolutionSeconds: 1,
			raised: 2,
			activeSeconds: 220 + 480,
			longestSeconds: 480,
			uncertainSeconds: 1 + 540,
			perDay: [
				{ day: midnight - dayMs, raised: 1, activeSeconds: 90 },
				{ day: midnight, raised: 1, activeSeconds: 130 + 480 },
			],
		});
	});

	test('counts the days of a zone', async () => {
		const dayOf = async (zone: string) => (await backtestOf(overMidnight, 1000, null, zone)).perDay;
		expect(await dayOf('Europe/Madrid')).toEqual([{ day: midnight, raised: 2, activeSeconds: 220 + 480 }]);
		expect(await dayOf('America/Bogota')).toEqual([{ day: midnight - dayMs, raised: 2, activeSeconds: 220 + 480 }]);
	});

	test('sees the last sample of each step at its end', async () => {
		const { resolutionSeconds, events } = await backtestOf(overMidnight, 60_000);
		expect(resolutionSeconds).toBe(60);
		expect(events.map(({ time, kind }) => [(time - midnight) / 1000, kind])).toEqual([
			[-60, 'raised'],
			[130, 'cleared'],
			[720, 'raised'],
		]);
	});

	test('evaluates an alarm that is disabled', async () => {
		expect((await backtestOf(overMidnight, 1000, false)).raised).toBe(2);
	});

	test('lists the first 500 events and counts all', async () => {
		const samples = Array.from({ length: 1000 }, (_, index): [number, number] => [
			overMidnight.from + index * 1000,
			index % 2 === 0 ? 11 : 0,
		]);
		const inputs = [{ name: 'Flow', lookbackMs: 60_000, samples }];
		const result = await backtestOf({ ...overMidnight, inputs, offDelaySeconds: 0, noDataSeconds: 0 });
		expect([result.events.length, result.raised]).toEqual([maxBacktestEvents, 500]);
		expect(result.events.at(-1)?.seq).toBe(500);
		expect(result.perDay.reduce((sum, { raised }) => sum + raised, 0)).toBe(500);
	});
});

describe('backtestPiece', () => {
	const start = Date.UTC(2026, 10, 1);
	const piece = (seconds: number, inputs: number) => backtestPiece({ start, stop: start + seconds * 1000 }, inputs);
	const stepSeconds = (seconds: number, inputs: number) => piece(seconds, inputs).stepMs / 1000;

	test('takes the finest resolution of at most 90,000 steps of all inputs', () => {
		expect([stepSeconds(90_000, 1), stepSeconds(90_001, 1)]).toEqual([1, 10]);
		expect([stepSeconds(300_000, 3), stepSeconds(300_001, 3)]).toEqual([10, 60]);
		expect([stepSeconds(90_000, 0), stepSeconds(90_001, 0)]).toEqual([1, 10]);
	});

	test('refuses more steps than that at 60 s', () => {
		expect(stepSeconds(2_700_000, 2)).toBe(60);
		expect(() => piece(2_700_001, 2)).toThrow(
			expect.objectContaining({ code: 'too_large', payload: expect.objectContaining({ actual: 90_002, limit: 90_000 }) }),
		);
	});

	test('begins and ends at whole steps', () => {
		expect(backtestPiece({ start: start + 1999, stop: start + 5001 }, 1)).toEqual({
			from: start + 1000,
			to: start + 5000,
			stepMs: 1000,
		});
	});
});
