import { describe } from 'vitest';
import { changesSuite } from '#test/support/plant/changes-suite.ts';
import { interruptionSuite } from '#test/support/plant/interruption-suite.ts';
import { roundTripSuite } from '#test/support/plant/round-trip-suite.ts';

describe('a plant as a file', () => {
	roundTripSuite(20);
	changesSuite(20);
	interruptionSuite(15, 15);
});
