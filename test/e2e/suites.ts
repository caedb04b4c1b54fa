import { badInputSuite } from './bad-input.ts';
import { boardsSuite } from './boards.ts';
import { consoleSuite } from './console.ts';
import { historySuite } from './history.ts';
import { isolationSuite } from './isolation.ts';
import { panelSuite } from './panel.ts';
import { readingsSuite } from './readings.ts';
import { retriesSuite } from './retries.ts';
import { signInSuite } from './sign-in.ts';
import { variablesSuite } from './variables.ts';

/** The suites of every target whose service is whole. What only one kind of target has, its own test adds. */
export const suites = [
	variablesSuite,
	readingsSuite,
	historySuite,
	panelSuite,
	boardsSuite,
	retriesSuite,
	isolationSuite,
	badInputSuite,
	signInSuite,
	consoleSuite,
];
