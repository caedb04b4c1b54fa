import { GetFunctionConfigurationCommand, LambdaClient, ResourceNotFoundException } from '@aws-sdk/client-lambda';
import { type ClientLimits, clientSettings } from '#adapters/aws/aws-client.ts';
import type { Environment } from '#infra/aws/environment.ts';
import type { CheckResult } from '#infra/cli/print-check.ts';
import type { EndpointName } from '#shared/contract.ts';
import { resourceNames } from '#shared/resource-names.ts';

const limits: ClientLimits = { connectTimeoutMs: 3000, requestTimeoutMs: 10_000, maxAttempts: 3 };

/** A function that checks roles in every release, and the variable that it has since sessions of OpenID providers count there. */
const checkingFunction: EndpointName = 'saveVariable';
const sessionsVariable = 'TABLE_SESSIONS';

/**
 * Checks that the deployed functions know sessions before OpenID providers are switched on. While a deployment replaces functions one after
 * another, those of an earlier release would take everybody with such a token for a person with the default role.
 */
export async function checkDeployedRelease({
	name,
	openIdProviders,
}: Pick<Environment, 'name' | 'openIdProviders'>): Promise<readonly CheckResult[]> {
	if (openIdProviders.length === 0) return [];
	const client = new LambdaClient(clientSettings({}, limits));
	try {
		const FunctionName = resourceNames(name).function(checkingFunction);
		const { Environment: { Variables = {} } = {} } = await client.send(new GetFunctionConfigurationCommand({ FunctionName }));
		const isKnown = sessionsVariable in Variables;
		return [
			{
				subject: `deployed functions: ${isKnown ? 'they check' : 'they do not check'} sessions of OpenID providers`,
				missing: isKnown
					? []
					: ['They are of an earlier release: deploy this release without openIdProviders first, then once more with them.'],
			},
		];
	} catch (error) {
		if (!(error instanceof ResourceNotFoundException)) throw error;
		return [{ subject: 'deployed functions: there are none yet', missing: [] }];
	} finally {
		client.destroy();
	}
}
