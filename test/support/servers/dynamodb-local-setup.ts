import pc from 'picocolors';
import type { TestProject } from 'vitest/node';
import { startDynamoDbLocal } from './dynamodb-local.ts';

declare module 'vitest' {
	interface ProvidedContext {
		/** The address of DynamoDB Local; null when this machine cannot run it, and its tests are skipped. */
		readonly dynamoDbEndpoint: string | null;
	}
}

/** Runs DynamoDB Local during the integration tests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
	const started = await startDynamoDbLocal();
	if ('unavailable' in started) {
		console.error(pc.bold(pc.red(`\nTESTS ON DYNAMODB LOCAL ARE SKIPPED: ${started.unavailable}.\n`)));
		project.provide('dynamoDbEndpoint', null);
		return async () => undefined;
	}
	project.provide('dynamoDbEndpoint', started.endpoint);
	return () => started.stop();
}
