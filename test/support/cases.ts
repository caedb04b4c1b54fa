import * as v from 'valibot';
import { readConfig } from '#shared/config.ts';

const whole = v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1));
const { CASES, SEED } = readConfig(
	v.object({ CASES: v.optional(whole, '1'), SEED: v.optional(whole, String(1 + Math.floor(Math.random() * 2 ** 30))) }),
);

/** The first seed of the random cases. Each worker of each run has another one, so that the cases of all runs add up. `SEED=…` repeats them. */
export const firstSeed = SEED;

/**
 * Returns how many random cases a long proof runs, or how many milliseconds they may take. Whoever changes what is proven runs more at once:
 * `CASES=5 npx vitest run test/integrity`.
 * @param usual how many without `CASES`
 */
export const casesOf = (usual: number): number => usual * CASES;
