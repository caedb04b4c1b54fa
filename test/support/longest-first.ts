import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, longest first, by the end of their paths. Behind them come the others, in the order of vitest. */
const longest = [
	'e2e/cloud.integration.ts',
	'schemathesis/schemathesis.integration.ts',
	'influx/influx-span-reader.integration.ts',
	'influx/influx-time-series.integration.ts',
	'alarm/ticks-dynamo.integration.ts',
	'demo/spreadsheet.integration.ts',
	'bench/short.integration.ts',
	'aws/grants.integration.ts',
	'e2e/docs.integration.ts',
	'aws/lint.integration.ts',
	'console/diagram-edit.integration.ts',
	'console/large-plant.integration.ts',
	'console/trend.integration.ts',
	'console/unseen-alarms.integration.ts',
];

/**
 * Starts the longest files of each project first, so that no worker is left with one of them at the end: a clean checkout has no times of
 * its own. Files of the console come last, because a worker that changes between projects starts anew.
 */
export class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const rankOf = ({ moduleId }: TestSpecification): number => {
			const rank = longest.findIndex((end) => moduleId.endsWith(end));
			return rank < 0 ? longest.length : rank;
		};
		const isConsole = ({ project }: TestSpecification): number => Number(project.name === 'console');
		return (await super.sort(files)).toSorted((a, b) => isConsole(a) - isConsole(b) || rankOf(a) - rankOf(b));
	}
}
