import { accessSuite } from './access.ts';
import { alarmsSuite } from './alarms.ts';
import { badInputSuite } from './bad-input.ts';
import { boardsSuite } from './boards.ts';
import { changesSuite } from './changes.ts';
import { consoleSuite } from './console.ts';
import { correctionsSuite } from './corrections.ts';
import { diagramsSuite } from './diagrams.ts';
import { historySuite } from './history.ts';
import { isolationSuite } from './isolation.ts';
import { machinesSuite } from './machines.ts';
import { panelSuite } from './panel.ts';
import { prometheusSuite } from './prometheus.ts';
import { readingsSuite } from './readings.ts';
import { reportsSuite } from './reports.ts';
import { retriesSuite } from './retries.ts';
import { signInSuite } from './sign-in.ts';
import { tablesSuite } from './tables.ts';
import type { AlarmTarget, Gateway } from './target.ts';
import { topicsSuite } from './topics.ts';
import { totalsSuite } from './totals.ts';
import { variablesSuite } from './variables.ts';

/** The suites of every target whose service is whole. What only one kind of target has, its own test adds. */
export const suites: readonly ((target: () => AlarmTarget, gateway?: Gateway) => void)[] = [
	variablesSuite,
	topicsSuite,
	readingsSuite,
	historySuite,
	totalsSuite,
	correctionsSuite,
	reportsSuite,
	tablesSuite,
	prometheusSuite,
	panelSuite,
	boardsSuite,
	diagramsSuite,
	alarmsSuite,
	retriesSuite,
	isolationSuite,
	badInputSuite,
	signInSuite,
	accessSuite,
	machinesSuite,
	changesSuite,
	consoleSuite,
];
