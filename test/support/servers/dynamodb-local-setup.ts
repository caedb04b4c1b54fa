import pc from 'picocolors';
import type { TestProject } from 'vitest/node';
import { startDynamoDbLocal } from './dynamodb-local.ts';

declare module 'vitest' {
	interface ProvidedContext {
		/** The address of DynamoDB Local; null where it cannot be had, and its proofs are skipped. */
		readonly dynamoDbEndpoint: string | null;
	}
}

/** Runs DynamoDB Local for as long as the proofs take. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
	const started = await startDynamoDbLocal();
	if ('unavailable' in started) {
		console.error(pc.bold(pc.red(`\nPROOFS ON DYNAMODB LOCAL ARE SKIPPED: ${started.unavailable}.\n`)));
		project.provide('dynamoDbEndpoint', null);
		return async () => undefined;
	}
	project.provide('dynamoDbEndpoint', started.endpoint);
	return () => started.stop();
};
