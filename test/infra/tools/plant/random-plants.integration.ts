import * as v from 'valibot';
import { describe } from 'vitest';
import { readConfig } from '#shared/config.ts';
import { changesSuite } from '#test/support/plant/changes-suite.ts';
import { interruptionSuite } from '#test/support/plant/interruption-suite.ts';
import { roundTripSuite } from '#test/support/plant/round-trip-suite.ts';

const countOf = (usual: number) => v.optional(v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1)), String(usual));

/** More of each: `PLANT_CASES=1000 npx vitest run --project integration test/infra/tools/plant/random-plants.integration.ts`. */
const { PLANT_CASES, PLANT_PLACES, PLANT_KILLS } = readConfig(
	v.object({ PLANT_CASES: countOf(250), PLANT_PLACES: countOf(100), PLANT_KILLS: countOf(200) }),
);

describe('many plants as files', () => {
	roundTripSuite(PLANT_CASES);
	changesSuite(PLANT_CASES);
	interruptionSuite(PLANT_PLACES, PLANT_KILLS);
});
