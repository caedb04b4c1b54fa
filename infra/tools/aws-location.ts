import { ListAliasesCommand } from '@aws-sdk/client-kms';
import type { Environment } from '#infra/aws/environment.ts';
import { checkLocation } from '#infra/aws/location.ts';
import { openKms } from './key/aws.ts';

/**
 * Checks that the credentials and AWS_REGION are those of an environment, where its settings name them. A tool calls it before it
 * reads or changes anything.
 * @param settings undefined where cdk.json has no such environment: then nothing is checked
 * @throws ConfigError when they are of another account or region
 */
export async function checkAwsLocation(settings: Environment | undefined): Promise<void> {
	if (settings?.account === undefined && settings?.region === undefined) return;
	const kms = openKms();
	try {
		checkLocation(settings, { region: await kms.config.region() });
		if (settings.account === undefined) return;
		// KMS is asked and not STS, because the tools have a client of KMS already. Every account has aliases there, those that AWS
		// predefines. Their ARNs hold the account: arn:aws:kms:REGION:ACCOUNT:alias/…
		const { Aliases: [alias] = [] } = await kms.send(new ListAliasesCommand({ Limit: 1 }));
		checkLocation(settings, { account: alias?.AliasArn?.split(':')[4] });
	} finally {
		kms.destroy();
	}
}
