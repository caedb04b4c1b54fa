import { describe } from 'vitest';
import { changesSuite } from '#test/support/plant/changes-suite.ts';
import { interruptionSuite } from '#test/support/plant/interruption-suite.ts';
import { roundTripSuite } from '#test/support/plant/round-trip-suite.ts';

describe('many plants as files', () => {
	roundTripSuite(250);
	changesSuite(250);
	interruptionSuite(100, 100);
});
