import pc from 'picocolors';
import type { TestProject } from 'vitest/node';
import { startMiniStack } from './ministack.ts';

declare module 'vitest' {
	interface ProvidedContext {
		/** The address of the AWS emulator; null where it cannot be had, and its proofs are skipped. */
		readonly awsEndpoint: string | null;
	}
}

/** Runs the AWS emulator for as long as the proofs take. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
	const started = await startMiniStack();
	if ('unavailable' in started) {
		console.error(pc.bold(pc.red(`\nPROOFS ON AN AWS EMULATOR ARE SKIPPED: ${started.unavailable}.\n`)));
		project.provide('awsEndpoint', null);
		return async () => undefined;
	}
	project.provide('awsEndpoint', started.endpoint);
	return () => started.stop();
};
