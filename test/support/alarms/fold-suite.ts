import { expect, test } from 'vitest';
import { fold, mustBeStored } from '#domain/alarm/fold.ts';
import { firstSeed } from '#test/support/cases.ts';
import { differenceOf, eventsInOnePiece } from './fold-check.ts';
import { oracle, shouldBeOn } from './oracle.ts';
import { planOfSeed } from './random-plan.ts';

/** Compares the fold with the oracle on random alarms, other ones in each run. A failure names its seed. */
export function foldSuite(cases: number): void {
	const seeds = Array.from({ length: cases }, (_, index) => firstSeed + index);

	test(`tells what an oracle tells second by second, wherever time is cut: ${cases} random alarms from seed ${firstSeed} on`, {
		timeout: cases * 30,
	}, async () => {
		for (const seed of seeds) expect(await differenceOf({ fold, mustBeStored }, seed), `seed ${seed}`).toBeNull();
	});

	test(`meets events of every cause and quality, often (from seed ${firstSeed} on)`, { timeout: 10_000 + cases * 10 }, () => {
		const events = seeds.flatMap((seed) => oracle(planOfSeed(seed)).events);
		const kinds = Map.groupBy(events, ({ kind, cause, quality }) => `${kind} ${cause} ${quality}`);
		const expected = ['cleared condition good', 'cleared no_data good', 'raised condition good', 'raised no_data bad'];
		expect([...kinds.keys()].sort()).toEqual([...expected, 'raised no_data no_data']);
		for (const [kind, each] of kinds) expect(each.length, kind).toBeGreaterThan(cases / 40);
	});
}

/**
 * Compares the fold with the oracle on random alarms with many gaps, and looks at each raise: its value meets the condition. An alarm that
 * was active before the gap has its deadband after it.
 */
export function gapSuite(cases: number): void {
	test(`raises an alarm after a gap only for a value that meets its condition: ${cases} random alarms from seed ${firstSeed} on`, {
		timeout: 10_000 + cases * 90,
	}, async () => {
		const met = { afterNoGap: 0, afterGap: 0, withinDeadband: 0, clearedAfterGap: 0 };
		for (let seed = firstSeed; seed < firstSeed + cases; seed += 1) {
			const plan = planOfSeed(seed, { gaps: true });
			expect(await differenceOf({ fold, mustBeStored }, seed, plan), `seed ${seed}`).toBeNull();
			const events = await eventsInOnePiece({ fold, mustBeStored }, plan);
			for (const [index, { time, kind, cause, value, quality, occurrence }] of events.entries()) {
				const last = events[index - 1];
				const isAfterGap = last?.kind === 'raised' && last.cause === 'no_data';
				if (kind === 'cleared' && isAfterGap && occurrence > 1) met.clearedAfterGap += 1;
				if (kind === 'cleared' || cause !== 'condition' || quality !== 'good') continue;
				expect(shouldBeOn(plan, isAfterGap, value ?? Number.NaN), `seed ${seed}, ${time}`).toBe(true);
				met[isAfterGap ? 'afterGap' : 'afterNoGap'] += 1;
				if (!shouldBeOn(plan, false, value ?? Number.NaN)) met.withinDeadband += 1;
			}
		}
		for (const [name, count] of Object.entries(met)) expect(count, name).toBeGreaterThan(cases / 100);
	});
}
