import { describe } from 'vitest';
import { casesOf } from '#test/support/cases.ts';
import { changesSuite } from '#test/support/plant/changes-suite.ts';
import { interruptionSuite } from '#test/support/plant/interruption-suite.ts';
import { roundTripSuite } from '#test/support/plant/round-trip-suite.ts';

describe('many plants as files', () => {
	roundTripSuite(casesOf(60));
	changesSuite(casesOf(60));
	interruptionSuite(casesOf(40), casesOf(50));
});
