import { expect, test } from 'vitest';
import { fold, mustBeStored } from '#domain/alarm/fold.ts';
import { firstSeed } from '#test/support/cases.ts';
import { differenceOf } from './fold-check.ts';
import { oracle } from './oracle.ts';
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
