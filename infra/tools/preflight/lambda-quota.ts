import { SSMClient } from '@aws-sdk/client-ssm';
import * as v from 'valibot';
import { ConfigError, httpUrl, readConfig } from '#shared/config.ts';

const addressSchema = v.object({ AWS_ENDPOINT_URL_LAMBDA: v.optional(httpUrl), AWS_ENDPOINT_URL: v.optional(httpUrl) });

const limitsSchema = v.object({ AccountLimit: v.object({ ConcurrentExecutions: v.number() }) });

/** Lambda's GetAccountSettings. It is the only call to Lambda, so the project has no client for it. */
const path = '/2016-08-19/account-settings/';

/**
 * Returns how many functions may run at once in the account and region.
 * @throws ConfigError when Lambda refuses to say it; errors of the SDK and of `fetch` when credentials or the network are missing
 */
export async function readConcurrencyQuota(): Promise<number> {
	// Any client of the SDK finds credentials and region, and signs for other services too.
	const { config } = new SSMClient({});
	const region = await config.region();
	const { AWS_ENDPOINT_URL_LAMBDA, AWS_ENDPOINT_URL } = readConfig(addressSchema);
	const endpoint = AWS_ENDPOINT_URL_LAMBDA ?? AWS_ENDPOINT_URL ?? `https://lambda.${region}.amazonaws.com`;
	const { protocol, host, hostname, port } = new URL(endpoint);
	const signer = await config.signer({ name: 'sigv4', signingName: 'lambda', signingRegion: region, properties: {} });
	const request = { method: 'GET', protocol, hostname, path, headers: { host } };
	const { headers } = await signer.sign(port === '' ? request : { ...request, port: Number(port) });
	const response = await fetch(`${endpoint}${path}`, { headers, signal: AbortSignal.timeout(10_000) });
	if (!response.ok)
		throw new ConfigError(
			`Lambda does not say the account's concurrency (status ${response.status}): these credentials need lambda:GetAccountSettings.`,
		);
	return v.parse(limitsSchema, await response.json()).AccountLimit.ConcurrentExecutions;
}
