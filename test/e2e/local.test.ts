import { afterAll, beforeAll, describe } from 'vitest';
import { openLocalTarget } from '#test/support/servers/local.ts';
import { apiDescriptionSuite } from './api-description.ts';
import { badInputSuite } from './bad-input.ts';
import { boardsSuite } from './boards.ts';
import { docsSuite } from './docs.ts';
import { historySuite } from './history.ts';
import { isolationSuite } from './isolation.ts';
import { panelSuite } from './panel.ts';
import { readingsSuite } from './readings.ts';
import { retriesSuite } from './retries.ts';
import { signInSuite } from './sign-in.ts';
import type { Target } from './target.ts';
import { variablesSuite } from './variables.ts';

const suites = [
	variablesSuite,
	readingsSuite,
	historySuite,
	panelSuite,
	boardsSuite,
	retriesSuite,
	isolationSuite,
	badInputSuite,
	signInSuite,
	apiDescriptionSuite,
	docsSuite,
];

describe('end to end on the local service', () => {
	let target: Target;
	beforeAll(async () => {
		target = await openLocalTarget();
	});
	afterAll(() => target.close());

	for (const suite of suites) suite(() => target);
});
