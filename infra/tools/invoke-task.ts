import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import { type ClientLimits, clientSettings } from '#adapters/aws/aws-client.ts';
import { ConfigError } from '#shared/config.ts';
import type { FunctionName } from '#shared/contract.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { checkAwsLocation } from './aws-location.ts';
import { settingsOf } from './deployed-settings.ts';

/** A single attempt: a task that is slow must not be started twice. */
const limits: ClientLimits = { connectTimeoutMs: 3000, requestTimeoutMs: 60_000, maxAttempts: 1 };

/** The result of a task that did its work. Any other result is a failure. */
const resultSchema = v.pipe(
	v.string(),
	v.parseJson(),
	v.object({ outcome: v.literal('ok'), done: v.record(v.string(), v.unknown()) }),
);

/**
 * Runs a task of a deployed environment once, with the permissions of its function. Returns what it did.
 * @throws ConfigError when the function could not do it
 */
export async function invokeTask(
	environment: string,
	name: FunctionName,
	payload: object,
): Promise<Readonly<Record<string, unknown>>> {
	await checkAwsLocation(settingsOf(environment));
	const names = resourceNames(environment);
	const FunctionName = names.function(name);
	const lambda = new LambdaClient(clientSettings({}, limits));
	try {
		const { Payload } = await lambda.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(payload) }));
		const result = v.safeParse(resultSchema, Buffer.from(Payload ?? []).toString('utf8'));
		if (result.success) return result.output.done;
		throw new ConfigError(`${FunctionName} failed. Its log says why: ${names.log(name)}.`);
	} finally {
		lambda.destroy();
	}
}
