import { ConfigError } from '#shared/config.ts';
import type { Environment } from './environment.ts';

/** An AWS account and region. Undefined: it is not known, or it may be any. */
export interface AwsLocation {
	readonly account?: string | undefined;
	readonly region?: string | undefined;
}

/** Returns the account and region that the settings of an environment name, for its stacks. */
export function locationOf({ account, region }: Environment) {
	return { ...(account !== undefined && { account }), ...(region !== undefined && { region }) };
}

/**
 * Checks that credentials and region are those of an environment, before anything is read or changed.
 * @param used the account of the credentials, and the region of the requests
 * @throws ConfigError when the settings name another account or region
 */
export function checkLocation({ name, account, region }: Pick<Environment, 'name' | keyof AwsLocation>, used: AwsLocation): void {
	if (account !== undefined && used.account !== undefined && account !== used.account)
		throw new ConfigError(
			`Environment ${name} is in AWS account ${account}, and these credentials are of account ${used.account}: use others, such as with AWS_PROFILE.`,
		);
	if (region !== undefined && used.region !== undefined && region !== used.region)
		throw new ConfigError(`Environment ${name} is in ${region}, not in ${used.region}: set AWS_REGION=${region}.`);
}
