import pc from 'picocolors';
import type { TestProject } from 'vitest/node';
import { startMiniStack } from './ministack.ts';

declare module 'vitest' {
	interface ProvidedContext {
		/** The address of the AWS emulator; null when it is not available, and tests that need it are skipped. */
		readonly awsEndpoint: string | null;
	}
}

/** Runs the AWS emulator for the whole run of the integration tests. Vitest calls it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
	const started = await startMiniStack();
	if ('unavailable' in started) {
		console.error(pc.bold(pc.red(`\nTESTS ON AN AWS EMULATOR ARE SKIPPED: ${started.unavailable}.\n`)));
		project.provide('awsEndpoint', null);
		return async () => undefined;
	}
	project.provide('awsEndpoint', started.endpoint);
	return () => started.stop();
}
