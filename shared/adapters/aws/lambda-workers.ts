import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { SchemaWorkers } from '#domain/ports/schema-workers.ts';
import { type AwsSettings, type ClientLimits, clientSettings } from './aws-client.ts';

const limits: ClientLimits = { connectTimeoutMs: 1000, requestTimeoutMs: 3000, maxAttempts: 3 };
/** Time limit for starting a worker, for all attempts. */
const startMs = 8000;

/** The function whose invocations are the workers. */
export interface LambdaWorkersSettings extends AwsSettings {
	readonly functionName: string;
}

/**
 * Creates `SchemaWorkers` that are asynchronous invocations of a function. Two workers for the same schemas do no harm: a schema
 * has one lease, or one time at which it is due.
 */
export function createLambdaWorkers({ functionName, ...settings }: LambdaWorkersSettings): SchemaWorkers {
	const lambda = new LambdaClient(clientSettings(settings, limits));
	return {
		start: async (schemas) => {
			const Payload = JSON.stringify({ schemas });
			const command = new InvokeCommand({ FunctionName: functionName, InvocationType: 'Event', Payload });
			await lambda.send(command, { abortSignal: AbortSignal.timeout(startMs) });
		},
	};
}
